// Tensor Cores: the same tiles, and a warp multiplies whole fragments of them by one instruction.
//
// A block computes 128x128 elements of D with 8 warps, from tiles of 128x32 and 32x128. A warp has 64x32
// of them, as fragments of 16x16 (or 32x8, or 8x32) sums. For 16 steps along k it loads its fragments of A
// and B from shared memory, and multiplies each with each. wmma hides which lane holds which element.
// Fragments must begin at multiples of 32 bytes, so tiles of narrow ones are cut. Rows have an odd number
// of 16-byte pieces: then no two of eight rows meet in a bank.
// Cost per product of 16x16x16 halves: 6/8 fragments of 512 bytes from shared memory. At 128 bytes per
// clock a multiprocessor has operands for 1365 multiply-adds, 2/3 of the 2048 that the Tensor Cores of an
// H100 make.
// Stops being good: loads and products take turns. mma_ldmatrix copies ahead and keeps both busy.
// Source: NVIDIA, CUDA C++ Programming Guide, Warp Matrix Functions.
#include <mma.h>

#include <type_traits>

#include "matmul_capability.hpp"
#include "matmul_launch.hpp"
#include "matmul_pieces.hpp"

namespace wmma = nvcuda::wmma;

constexpr int tile_rows = 128, tile_cols = 128, depth = 32, threads = 256;  // of a block
constexpr int warp_rows = 64, warp_cols = 32, step = 16;                    // of a warp; a fragment along k

/// How wide a tile's parts are: fragments must begin at multiples of 32 bytes.
template <class T>
__host__ __device__ constexpr int cut(int fragment_width, int tile_width) {
  return fragment_width * sizeof(T) % 32 == 0 ? tile_width : fragment_width;
}

/// Elements from one row of a tile to the next: an odd number of pieces of 16 bytes.
template <class T, int width>
constexpr int leading = ((width * int{sizeof(T)} + 15) / 16 | 1) * MatmulPiece<T>::width;

/// What fragments hold. Before compute capability 8.0 there are none of bfloat16: what is compiled for it
/// there is never launched.
template <class T>
using Operand = std::conditional_t<matmul_code_for_sm_80 || !std::is_same_v<T, __nv_bfloat16>, T, __half>;
template <class T>
__device__ const Operand<T>* operands(const T* tile) {
  return reinterpret_cast<const Operand<T>*>(tile);
}

template <class T, class Held, int rows, int cols>
__global__ void __launch_bounds__(threads)
    matmul_wmma_kernel(const Matmul<T> p, bool vectors_a, bool vectors_b) {
  // BEGIN SOLUTION
  constexpr int width = MatmulPiece<T>::width, down = warp_rows / rows, across = warp_cols / cols;
  constexpr int cut_a = cut<T>(step, depth), cut_b = cut<T>(cols, tile_cols);
  __shared__ __align__(128) T tile_a[depth / cut_a][tile_rows][leading<T, cut_a>];  // (cuts, rows of D, k)
  __shared__ __align__(128) T tile_b[tile_cols / cut_b][depth][leading<T, cut_b>];  // (cuts, k, columns of D)
  __shared__ __align__(128) Held results[threads / 32][rows * cols];
  const int t = threadIdx.x, warp = t / 32, my_row = warp / 4 * warp_rows, my_col = warp % 4 * warp_cols;
  const std::int64_t first_row = matmul_block_down() * tile_rows;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * tile_cols;

  wmma::fragment<wmma::accumulator, rows, cols, step, Held> sums[down][across];
#pragma unroll
  for (int i = 0; i < down * across; ++i) wmma::fill_fragment(sums[i / across][i % across], Held(0));

  for (std::int64_t first = 0; first < p.k; first += depth) {
#pragma unroll
    for (int i = t * width; i < tile_rows * depth; i += threads * width) {
      const std::int64_t row = first_row + i / depth;
      const auto piece = matmul_load(p.a + row * p.lda, first + i % depth, row < p.m ? p.k : 0, vectors_a);
      matmul_put(&tile_a[i % depth / cut_a][i / depth][i % cut_a], piece);
    }
#pragma unroll
    for (int i = t * width; i < depth * tile_cols; i += threads * width) {
      const std::int64_t k = first + i / tile_cols;
      const int col = i % tile_cols;
      const auto piece = matmul_load(p.b + k * p.ldb, first_col + col, k < p.k ? p.n : 0, vectors_b);
      if constexpr (width <= cut_b)
        matmul_put(&tile_b[col / cut_b][i / tile_cols][col % cut_b], piece);
      else
        for (int j = 0; j < width; ++j) tile_b[(col + j) / cut_b][i / tile_cols][j % cut_b] = piece.x[j];
    }
    __syncthreads();  // waits for both tiles
#pragma unroll
    for (int k = 0; k < depth; k += step) {
      wmma::fragment<wmma::matrix_a, rows, cols, step, Operand<T>, wmma::row_major> a[down];
      wmma::fragment<wmma::matrix_b, rows, cols, step, Operand<T>, wmma::row_major> b;
#pragma unroll
      for (int i = 0; i < down; ++i)
        wmma::load_matrix_sync(a[i], operands(&tile_a[k / cut_a][my_row + i * rows][k % cut_a]),
                               leading<T, cut_a>);
#pragma unroll
      for (int j = 0; j < across; ++j) {
        const int col = my_col + j * cols;
        wmma::load_matrix_sync(b, operands(&tile_b[col / cut_b][k][col % cut_b]), leading<T, cut_b>);
#pragma unroll
        for (int i = 0; i < down; ++i) wmma::mma_sync(sums[i][j], a[i], b, sums[i][j]);
      }
    }
    __syncthreads();  // waits for all that read these tiles
  }
#pragma unroll
  for (int i = 0; i < down; ++i)
#pragma unroll
    for (int j = 0; j < across; ++j) {
      wmma::store_matrix_sync(results[warp], sums[i][j], cols, wmma::mem_row_major);
      __syncwarp();  // waits for the whole fragment
      for (int e = t % 32; e < rows * cols; e += 32) {
        const std::int64_t row = first_row + my_row + i * rows + e / cols;
        const std::int64_t col = first_col + my_col + j * cols + e % cols;
        if (row < p.m && col < p.n) matmul_store(p, row, col, static_cast<MatmulSum<T>>(results[warp][e]));
      }
      __syncwarp();  // waits for all lanes to have read it
    }
  // STUB // 1. Fill the sums of this warp's `down` x `across` fragments with 0. Load tiles of A and B as `vectorized`
  // STUB //    does, without transposing.
  // STUB // 2. For every 16 steps along k: load the fragments by load_matrix_sync, then mma_sync each of A with each
  // STUB //    of B. All 32 lanes take part.
  // STUB // 3. Each fragment of sums to this warp's `results` by store_matrix_sync; wait; from there matmul_store
  // STUB //    what lies inside D.
  // END SOLUTION
}

template <class T, class Held, int rows, int cols>
static void launch(const Matmul<T>& product, cudaStream_t stream) {
  const bool vectors_a = matmul_rows_at_16_bytes(product.a, product.lda);
  const bool vectors_b = matmul_rows_at_16_bytes(product.b, product.ldb);
  // BEGIN SOLUTION
  matmul_wmma_kernel<T, Held, rows, cols>
      <<<matmul_grid(product, tile_rows, tile_cols), threads, 0, stream>>>(product, vectors_a, vectors_b);
  // STUB (void)vectors_a, (void)vectors_b, (void)stream;
  // STUB warplab::todo("matmul_wmma: fragments of 64x32 sums per warp, from tiles in shared memory; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template <class T, class Held>
static void launch_shape(const Matmul<T>& product, MatmulFragment fragment, cudaStream_t stream) {
  if (fragment.rows == 16 && fragment.cols == 16) return launch<T, Held, 16, 16>(product, stream);
  if (fragment.rows == 32 && fragment.cols == 8) return launch<T, Held, 32, 8>(product, stream);
  if (fragment.rows == 8 && fragment.cols == 32) return launch<T, Held, 8, 32>(product, stream);
  warplab::refuse("wmma has no fragments of ", fragment.rows, "x", fragment.cols,
                  "x16; it has 16x16x16, 32x8x16 and 8x32x16");
}

template <class T>
void matmul_wmma(const Matmul<T>& product, void*, std::size_t, cudaStream_t stream, MatmulFragment fragment) {
  if (!matmul_check(product)) return;
  if constexpr (std::is_same_v<T, __nv_bfloat16>) matmul_check_sm_80("wmma of bfloat16");
  if constexpr (std::is_same_v<T, __half>)
    if (fragment.half_sums) return launch_shape<T, __half>(product, fragment, stream);
  if (fragment.half_sums) warplab::refuse("wmma adds up in half only for elements of half");
  launch_shape<T, MatmulSum<T>>(product, fragment, stream);
}

template void matmul_wmma(const Matmul<__half>&, void*, std::size_t, cudaStream_t, MatmulFragment);
template void matmul_wmma(const Matmul<__nv_bfloat16>&, void*, std::size_t, cudaStream_t, MatmulFragment);
template void matmul_wmma(const Matmul<signed char>&, void*, std::size_t, cudaStream_t, MatmulFragment);
template void matmul_wmma(const Matmul<unsigned char>&, void*, std::size_t, cudaStream_t, MatmulFragment);
