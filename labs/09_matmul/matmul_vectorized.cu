// The same tiles in accesses of 16 bytes, and without bank conflicts.
//
// Three changes. Tiles come from global memory 16 bytes per thread. A is transposed on its way into shared
// memory, so that a thread's rows lie side by side for each k and are read 16 bytes at a time as well; the
// transposed rows have 4 words more, or the lanes that store them would meet in one bank. And a thread takes
// its 8x8 elements as four pieces of 4x4, so that the 4x8 threads of a warp read words side by side. Lanes i
// and i ^ 2 share their piece of A, i and i ^ 1 that of B: then half a warp is served at once.
// Cost per 64 warp-wide multiply-adds in float: 4 requests of 2 wavefronts, instead of 10 requests and 32
// wavefronts. They take 8 clocks, and the multiply-adds 16: shared memory is no longer the bound.
// Stops being good: a warp that waits for its next tile computes nothing. `async` loads it while it computes.
// Source: S. Boehm, "How to Optimize a CUDA Matmul Kernel", kernels 6 and 10; NVIDIA CUTLASS.
#include "matmul_launch.hpp"
#include "matmul_pieces.hpp"
#include "matmul_store.hpp"

constexpr int tile_rows = 128, tile_cols = 128, depth = 8;  // of D, and along k
constexpr int threads = 256;                                // 4 x 2 warps of 4 x 8 threads
constexpr int pad = 4;                                      // words after each row of the transposed tile

template <class T>
__global__ void __launch_bounds__(threads, sizeof(T) == 4 ? 2 : 1)  // blocks per multiprocessor
    matmul_vectorized_kernel(const Matmul<T> p, bool vectors_a, bool vectors_b, bool vectors_d) {
  // BEGIN SOLUTION
  constexpr int width = MatmulPiece<T>::width;
  __shared__ __align__(16) T tile_a[depth][tile_rows + pad];  // (k, rows of D): transposed
  __shared__ __align__(16) T tile_b[depth][tile_cols];        // (k, columns of D)
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const int my_row = warp / 2 * 32 + (lane / 16 * 2 + lane % 2) * 4;
  const int my_col = warp % 2 * 64 + lane % 16 / 2 * 4;
  const std::int64_t first_row = matmul_block_down() * tile_rows;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * tile_cols;

  MatmulSum<T> sums[8][8] = {};  // rows 0-3 and 16-19 from my_row, columns 0-3 and 32-35 from my_col
  for (std::int64_t first = 0; first < p.k; first += depth) {
#pragma unroll
    for (int i = t * width; i < tile_rows * depth; i += threads * width) {
      const std::int64_t row = first_row + i / depth;
      const auto piece = matmul_load(p.a + row * p.lda, first + i % depth, row < p.m ? p.k : 0, vectors_a);
#pragma unroll
      for (int j = 0; j < width; ++j) tile_a[i % depth + j][i / depth] = piece.x[j];
    }
#pragma unroll
    for (int i = t * width; i < depth * tile_cols; i += threads * width) {
      const std::int64_t k = first + i / tile_cols;
      matmul_put(&tile_b[i / tile_cols][i % tile_cols],
                 matmul_load(p.b + k * p.ldb, first_col + i % tile_cols, k < p.k ? p.n : 0, vectors_b));
    }
    __syncthreads();  // waits for both tiles
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      MatmulPiece<T> a[8 / width], b[8 / width];
#pragma unroll
      for (int i = 0; i < 8; i += width) {
        a[i / width] = matmul_get(&tile_a[k][my_row + i / 4 * 16 + i % 4]);
        b[i / width] = matmul_get(&tile_b[k][my_col + i / 4 * 32 + i % 4]);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          sums[i][j] = matmul_add(sums[i][j], a[i / width].x[i % width], b[j / width].x[j % width]);
    }
    __syncthreads();  // waits for all that read these tiles
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      matmul_store_row<4>(p, first_row + my_row + i / 4 * 16 + i % 4, first_col + my_col + j * 8, sums[i] + j,
                          vectors_d);
  // STUB // 1. matmul_load brings 16 bytes of each tile. B's go on as they are by matmul_put; A's elements go one by
  // STUB //    one to the rows of tile_a, transposed.
  // STUB // 2. For each k: a thread's eight elements of A and of B are two pieces of four each. Which pieces make the
  // STUB //    lanes of a warp read neighbouring words?
  // STUB // 3. 64 products per k as before; then rows of four neighbours by matmul_store_row.
  // END SOLUTION
}

template <class T>
void matmul_vectorized(const Matmul<T>& product, void*, std::size_t, cudaStream_t stream) {
  if (!matmul_check(product)) return;
  const bool vectors_a = matmul_rows_at_16_bytes(product.a, product.lda);
  const bool vectors_b = matmul_rows_at_16_bytes(product.b, product.ldb);
  const bool vectors_d = matmul_rows_at_16_bytes(product.d, product.ldd);
  // BEGIN SOLUTION
  const dim3 grid = matmul_grid(product, tile_rows, tile_cols);
  matmul_vectorized_kernel<<<grid, threads, 0, stream>>>(product, vectors_a, vectors_b, vectors_d);
  // STUB (void)vectors_a, (void)vectors_b, (void)vectors_d;
  // STUB warplab::todo("matmul_vectorized: 16 bytes per access, A transposed in shared memory; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

MATMUL_INSTANTIATE_WORDS(vectorized)
