// The definition: one thread per element of D, which walks along a row of A and down a column of B.
//
// The lanes of a warp take 32 rows of one column. At each step they read 32 elements of A that lie lda apart,
// so 32 sectors of which each lane uses 4 bytes, and one element of B, which they share. Neighbouring steps
// read neighbouring elements of A, so the sectors are found in L1 as long as they stay there.
// Cost per warp-wide multiply-add: 32 + 1 sectors, each in a wavefront of its own. A multiprocessor serves
// one wavefront per clock and could issue four warp-wide multiply-adds, so at most 1/132 of its peak is
// reached.
// Stops being good: at once. `coalesced` changes only which thread takes which element.
// Source: NVIDIA, CUDA C++ Programming Guide, Shared Memory, its product without shared memory.
#include "matmul_launch.hpp"
#include "matmul_store.hpp"

constexpr int block_rows = 32, block_cols = 8;  // of D, and threads per block

template <class T>
__global__ void matmul_naive_kernel(const Matmul<T> p) {
  const std::int64_t row = matmul_block_down() * block_rows + threadIdx.x;
  const std::int64_t col = std::int64_t{blockIdx.x} * block_cols + threadIdx.y;
  if (row >= p.m || col >= p.n) return;

  MatmulSum<T> sum = 0;
  for (int k = 0; k < p.k; ++k) sum = matmul_add(sum, p.a[row * p.lda + k], p.b[k * p.ldb + col]);
  matmul_store(p, row, col, sum);
}

template <class T>
void matmul_naive(const Matmul<T>& product, void*, std::size_t, cudaStream_t stream) {
  if (!matmul_check(product)) return;
  const dim3 grid = matmul_grid(product, block_rows, block_cols), block(block_rows, block_cols);
  matmul_naive_kernel<<<grid, block, 0, stream>>>(product);
  CUDA_CHECK_LAUNCH();
}

MATMUL_INSTANTIATE_ALL(naive)
