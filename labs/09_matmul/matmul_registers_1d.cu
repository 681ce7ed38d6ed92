// Eight elements of D per thread: an element of B, once in a register, serves eight products.
//
// A block computes 64x64 elements of D with 512 threads, from tiles of 64x8 of A and 8x64 of B. A thread
// owns eight rows of one column. For each k it reads one element of B and eight of A, and makes eight
// products; `tiled` reads two for each. The eight sums stay in registers from the first tile to the last.
// Cost per warp-wide multiply-add: 5/8 wavefronts in shared memory instead of 3/2, so at most 2/5 of the
// peak. From global memory: 2/64 elements per product instead of 2/32.
// Stops being good: an element of A still serves one product per read. More rows per thread do not help:
// with R of them the cost is 1/2 + 1/R.
// Source: S. Boehm, "How to Optimize a CUDA Matmul Kernel", kernel 4; V. Volkov, J. Demmel, SC 2008.
#include "matmul_launch.hpp"
#include "matmul_store.hpp"

constexpr int tile_rows = 64, tile_cols = 64, depth = 8;  // of D, and along k
constexpr int per_thread = 8;                             // rows of one column
constexpr int threads = tile_rows * tile_cols / per_thread;
static_assert(threads == tile_rows * depth && threads == depth * tile_cols,
              "one element of each tile per thread");

template <class T>
__global__ void matmul_registers_1d_kernel(const Matmul<T> p) {
  // BEGIN SOLUTION
  __shared__ T tile_a[tile_rows][depth], tile_b[depth][tile_cols];
  const int t = threadIdx.x, my_col = t % tile_cols, my_row = t / tile_cols * per_thread;
  const std::int64_t first_row = matmul_block_down() * tile_rows;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * tile_cols;
  const int row_a = t / depth, k_a = t % depth, k_b = t / tile_cols;  // what this thread loads

  MatmulSum<T> sums[per_thread] = {};
  for (std::int64_t first = 0; first < p.k; first += depth) {
    const std::int64_t row = first_row + row_a, col = first_col + my_col;
    tile_a[row_a][k_a] = row < p.m && first + k_a < p.k ? p.a[row * p.lda + first + k_a] : T{};
    tile_b[k_b][my_col] = first + k_b < p.k && col < p.n ? p.b[(first + k_b) * p.ldb + col] : T{};
    __syncthreads();  // waits for both tiles
    for (int k = 0; k < depth; ++k) {
      const T b = tile_b[k][my_col];
      for (int i = 0; i < per_thread; ++i) sums[i] = matmul_add(sums[i], tile_a[my_row + i][k], b);
    }
    __syncthreads();  // waits for all that read these tiles
  }
  for (int i = 0; i < per_thread; ++i) {
    const std::int64_t row = first_row + my_row + i, col = first_col + my_col;
    if (row < p.m && col < p.n) matmul_store(p, row, col, sums[i]);
  }
  // STUB // Loading and both barriers are as in `tiled`, with tiles of 64x8 and 8x64 and one element of each per
  // STUB // thread.
  // STUB // What does a thread keep in registers over all tiles? What can it read once per k, outside its innermost
  // STUB // loop?
  // END SOLUTION
}

template <class T>
void matmul_registers_1d(const Matmul<T>& product, void*, std::size_t, cudaStream_t stream) {
  if (!matmul_check(product)) return;
  // BEGIN SOLUTION
  const dim3 grid = matmul_grid(product, tile_rows, tile_cols);
  matmul_registers_1d_kernel<<<grid, threads, 0, stream>>>(product);
  // STUB warplab::todo("matmul_registers_1d: eight rows of one column per thread, sums in registers; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

MATMUL_INSTANTIATE_WORDS(registers_1d)
