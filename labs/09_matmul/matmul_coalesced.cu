// The same walk, with the lanes of a warp along a row of D.
//
// Now the 32 lanes share one element of A, and read 32 neighbours of B: 1 + 4 sectors of 4-byte elements
// instead of 32 + 1, and all of them are used. What changes is which of threadIdx.x and threadIdx.y is the
// column; no thread does other work than before.
// Cost per warp-wide multiply-add: 1 + 4 sectors in 2 wavefronts, so at most 1/8 of the peak in float: a
// multiprocessor serves one wavefront per clock, and could issue four multiply-adds.
// Stops being good: each element is requested from L1 once per product. A block of 32x8 needs 1/32 + 1/8
// elements of A and B per product from further away, which L1 must keep until they are used again.
// Source: S. Boehm, "How to Optimize a CUDA Matmul Kernel", kernel 2.
#include "matmul_launch.hpp"
#include "matmul_store.hpp"

constexpr int block_rows = 8, block_cols = 32;  // of D, and threads per block

template <class T>
__global__ void matmul_coalesced_kernel(const Matmul<T> p) {
  // BEGIN SOLUTION
  const std::int64_t row = matmul_block_down() * block_rows + threadIdx.y;
  const std::int64_t col = std::int64_t{blockIdx.x} * block_cols + threadIdx.x;
  if (row >= p.m || col >= p.n) return;

  MatmulSum<T> sum = 0;
  for (int k = 0; k < p.k; ++k) sum = matmul_add(sum, p.a[row * p.lda + k], p.b[k * p.ldb + col]);
  matmul_store(p, row, col, sum);
  // STUB // 1. Which element of D do I compute? Neighbouring lanes (threadIdx.x) must read neighbouring addresses.
  // STUB // 2. Leave if it does not exist. 3. Add up k products with matmul_add, then matmul_store.
  // END SOLUTION
}

template <class T>
void matmul_coalesced(const Matmul<T>& product, void*, std::size_t, cudaStream_t stream) {
  if (!matmul_check(product)) return;
  // BEGIN SOLUTION
  const dim3 grid = matmul_grid(product, block_rows, block_cols), block(block_cols, block_rows);
  matmul_coalesced_kernel<<<grid, block, 0, stream>>>(product);
  // STUB warplab::todo(
  // STUB     "matmul_coalesced: lanes along a row of D; a block of block_cols by block_rows threads; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

MATMUL_INSTANTIATE_ALL(coalesced)
