// Naive transpose: one element per thread, straight from row to column.
//
// The 32 threads of a warp are numbered along x first. With a block of 32x32 they read 32 neighbours of
// one row: one request of 4 sectors (32 bytes each), all of it used. They write down one column: 32
// sectors, each for a single element. The block's shape decides how a warp lies on the matrix, w columns by
// 32/w rows, and trades one side for the other: wide blocks read well, tall ones (1x32) write well, and those
// between are better than either.
// Cost per element: 1 load, 1 store. In int and 32x32, 4 + 32 sectors per warp where 4 + 4 would do.
// Stops being good: at once for 4-byte elements, since no shape makes both sides whole: 8x16 is one of the
// best, with 4 + 8 sectors. For 8-byte elements 4x8 makes both whole. A detour through shared memory does for
// all of them.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "transpose.hpp"

template <class T>
__global__ void transpose_naive_kernel(const T* __restrict__ in,  // (rows, cols)
                                       T* __restrict__ out,       // (cols, rows)
                                       int rows, int cols) {
  // BEGIN SOLUTION
  const std::int64_t row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;
  const std::int64_t col = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
  // STUB // Which row and column are mine (tiles down: blockIdx.z * gridDim.y + blockIdx.y)? Am I inside? Move one
  // STUB // element.
  // END SOLUTION
}

template <class T>
void transpose_naive(const T* in, T* out, int rows, int cols, dim3 block, cudaStream_t stream) {
  warplab::check_block(block, 2);
  if (!transpose_has_work(in, out, rows, cols)) return;
  const dim3 grid = transpose_grid(rows, cols, block.y, block.x);
  // BEGIN SOLUTION
  transpose_naive_kernel<<<grid, block, 0, stream>>>(in, out, rows, cols);
  // STUB (void)grid;
  // STUB warplab::todo("transpose_naive: find your row and column, guard both, move one element; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void transpose_naive(const int*, int*, int, int, dim3, cudaStream_t);
template void transpose_naive(const float*, float*, int, int, dim3, cudaStream_t);
template void transpose_naive(const double*, double*, int, int, dim3, cudaStream_t);
