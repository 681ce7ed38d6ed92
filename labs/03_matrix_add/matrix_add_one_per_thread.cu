// One element per thread, in two dimensions: x counts columns, y counts rows.
//
// Blocks may have any shape: 32x32, 1024x1, 5x50. The grid is rounded up in each direction, so blocks hang
// over the right and the lower edge, and the guard needs both halves: a thread past the last column would do
// the next row's work again, and one past the last row writes past the end of the matrix. Threads count along
// x first: if the block's width is a multiple of 32, each warp lies within one row. In a block 5 wide a warp
// touches up to 8 rows, so it needs more sectors for the same bytes, and 5x5 threads fill 25 of the 32 lanes
// of a warp.
// Cost per element: 2 loads, 1 addition, 1 store; 12 bytes in float.
// Stops being good: CUDA allows 65535 blocks in y, so flat blocks cannot cover a very tall matrix.
// Source: NVIDIA, CUDA C++ Programming Guide, Thread Hierarchy.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "common/todo.hpp"
#include "matrix_add.hpp"

template <class T>
__global__ void matrix_add_one_per_thread_kernel(const T* __restrict__ a,  // (rows, cols)
                                                 const T* __restrict__ b,  // (rows, cols)
                                                 T* __restrict__ c,        // (rows, cols)
                                                 std::int64_t rows, std::int64_t cols) {
  // BEGIN SOLUTION
  const std::int64_t col = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (col < cols && row < rows) {
    const std::int64_t i = row * cols + col;
    c[i] = a[i] + b[i];
  }
  // STUB // Which row and column am I? Am I inside, in both directions? Where does my element lie?
  // END SOLUTION
}

template <class T>
void matrix_add_one_per_thread(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols,
                               std::optional<dim3> grid, dim3 block, cudaStream_t stream) {
  warplab::check_size("rows", rows);
  warplab::check_size("cols", cols);
  warplab::check_block(block, 2);
  if (rows == 0 || cols == 0) return;  // a grid of 0 blocks is an error in CUDA

  // BEGIN SOLUTION
  const dim3 needed = warplab::grid_of(warplab::ceil_div(cols, block.x), warplab::ceil_div(rows, block.y));
  // STUB warplab::todo("matrix_add_one_per_thread: write the kernel, count the blocks, launch");
  // STUB const dim3 needed = warplab::grid_of(1, 1);  // how many blocks cover the columns? and the rows?
  // END SOLUTION
  const dim3 blocks = grid.value_or(needed);
  warplab::check_grid(blocks, 2);
  const std::int64_t covered_cols = std::int64_t{blocks.x} * block.x;
  const std::int64_t covered_rows = std::int64_t{blocks.y} * block.y;
  if (grid && (covered_cols < cols || covered_rows < rows))
    warplab::refuse("grid of ", blocks, " blocks x ", block, " threads covers ", covered_rows, " rows and ",
                    covered_cols, " columns of a ", rows, "x", cols,
                    " matrix; grid_stride has no such limit");

  // BEGIN SOLUTION
  matrix_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, rows, cols);
  // STUB // Launch the kernel here.
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void matrix_add_one_per_thread(const float*, const float*, float*, std::int64_t, std::int64_t,
                                        std::optional<dim3>, dim3, cudaStream_t);
template void matrix_add_one_per_thread(const double*, const double*, double*, std::int64_t, std::int64_t,
                                        std::optional<dim3>, dim3, cudaStream_t);
template void matrix_add_one_per_thread(const int*, const int*, int*, std::int64_t, std::int64_t,
                                        std::optional<dim3>, dim3, cudaStream_t);
