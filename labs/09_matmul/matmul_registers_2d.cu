// 8x8 elements of D per thread: what is in registers serves eight products on both sides.
//
// A block computes 128x128 elements with 256 threads, from tiles of 128x8 and 8x128. For each k a thread
// reads eight elements of A and eight of B into registers, and makes all 64 products: an outer product.
// Cost per 64 warp-wide multiply-adds: 8 requests for A and 2 for B, which nvcc reads 16 bytes at a time. But
// of eight threads that are served together, every two read B from the same four banks: 8 wavefronts per
// request instead of 4. The two rows of threads read A 64 words apart: 2. 8 * 2 + 2 * 8 = 32, or 1/2 per
// multiply-add: at most 1/2 of the peak. From global memory: 2/128 elements per product.
// Stops being good: at those bank conflicts, and at 8 requests of one word each.
// Source: S. Boehm, "How to Optimize a CUDA Matmul Kernel", kernel 5; NVIDIA CUTLASS, "Efficient GEMM".
#include "matmul_launch.hpp"
#include "matmul_store.hpp"

constexpr int tile_rows = 128, tile_cols = 128, depth = 8;  // of D, and along k
constexpr int side = 8;                                     // a thread computes side x side elements
constexpr int threads_across = tile_cols / side;
constexpr int threads = tile_rows / side * threads_across;
static_assert(tile_rows * depth % threads == 0 && depth * tile_cols % threads == 0,
              "threads share tiles evenly");

template <class T>
__global__ void __launch_bounds__(threads) matmul_registers_2d_kernel(const Matmul<T> p) {
  // BEGIN SOLUTION
  __shared__ T tile_a[tile_rows][depth], tile_b[depth][tile_cols];
  const int t = threadIdx.x, my_row = t / threads_across * side, my_col = t % threads_across * side;
  const std::int64_t first_row = matmul_block_down() * tile_rows;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * tile_cols;

  MatmulSum<T> sums[side][side] = {};
  for (std::int64_t first = 0; first < p.k; first += depth) {
    for (int i = t; i < tile_rows * depth; i += threads) {
      const std::int64_t row = first_row + i / depth, k = first + i % depth;
      tile_a[i / depth][i % depth] = row < p.m && k < p.k ? p.a[row * p.lda + k] : T{};
    }
    for (int i = t; i < depth * tile_cols; i += threads) {
      const std::int64_t k = first + i / tile_cols, col = first_col + i % tile_cols;
      tile_b[i / tile_cols][i % tile_cols] = k < p.k && col < p.n ? p.b[k * p.ldb + col] : T{};
    }
    __syncthreads();  // waits for both tiles
    for (int k = 0; k < depth; ++k) {
      T a[side], b[side];  // a column of A and a row of B
      for (int i = 0; i < side; ++i) a[i] = tile_a[my_row + i][k];
      for (int j = 0; j < side; ++j) b[j] = tile_b[k][my_col + j];
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) sums[i][j] = matmul_add(sums[i][j], a[i], b[j]);
    }
    __syncthreads();  // waits for all that read these tiles
  }
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const std::int64_t row = first_row + my_row + i, col = first_col + my_col + j;
      if (row < p.m && col < p.n) matmul_store(p, row, col, sums[i][j]);
    }
  // STUB // 1. Load both tiles: `threads` threads share tile_rows * depth elements; in which order are global
  // STUB //    accesses coalesced?
  // STUB // 2. For each k: eight elements of A and eight of B into local arrays, then 64 products. 3. Guard each of
  // STUB //    the 64 stores.
  // END SOLUTION
}

template <class T>
void matmul_registers_2d(const Matmul<T>& product, void*, std::size_t, cudaStream_t stream) {
  if (!matmul_check(product)) return;
  // BEGIN SOLUTION
  const dim3 grid = matmul_grid(product, tile_rows, tile_cols);
  matmul_registers_2d_kernel<<<grid, threads, 0, stream>>>(product);
  // STUB warplab::todo("matmul_registers_2d: 8x8 sums per thread, an outer product per k; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

MATMUL_INSTANTIATE_WORDS(registers_2d)
