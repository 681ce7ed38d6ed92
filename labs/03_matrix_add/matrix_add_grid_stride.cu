// Grid-stride loops in two dimensions: the grid no longer has to fit the matrix.
//
// A thread starts at its own row and column and goes on by the number of threads that the grid has in each
// direction. This accepts what one_per_thread refuses: a grid too small for the matrix, and a matrix too tall
// for 65535 blocks in y. Along a row the stride is a multiple of the block's width, so warps keep touching
// neighbours. The default grid fills the device a few times over, with few blocks along a row: so a thread
// has several columns to do, and the compiler can load more than one at a time.
// Cost per element: as before, plus the loops. They pay only if they turn: under a grid that covers the
// matrix each is set up for a single element.
// Stops being good: every access still moves 4 bytes of float.
// Source: M. Harris, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops", NVIDIA, 2013.
#include <algorithm>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/launch_shape.hpp"
#include "common/todo.hpp"
#include "matrix_add.hpp"

template <class T>
__global__ void matrix_add_grid_stride_kernel(const T* __restrict__ a,  // (rows, cols)
                                              const T* __restrict__ b,  // (rows, cols)
                                              T* __restrict__ c,        // (rows, cols)
                                              std::int64_t rows, std::int64_t cols) {
  // BEGIN SOLUTION
  const std::int64_t first_col = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t first_row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t col_stride = std::int64_t{gridDim.x} * blockDim.x;  // threads of the grid along a row
  const std::int64_t row_stride = std::int64_t{gridDim.y} * blockDim.y;  // and along a column
  for (std::int64_t row = first_row; row < rows; row += row_stride)
    for (std::int64_t col = first_col; col < cols; col += col_stride) {
      const std::int64_t i = row * cols + col;
      c[i] = a[i] + b[i];
    }
  // STUB // Where do I start? How far is my next column, my next row? Which loop should be the inner one?
  // END SOLUTION
}

/// About four times as many blocks as this device holds at a time, with 8 along a
/// row if there are rows enough.
static dim3 grid_for_device(std::int64_t rows, std::int64_t cols, dim3 block) {
  const std::int64_t threads = warplab::device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const std::int64_t wanted = 4 * (warplab::multiprocessors() * threads / (block.x * block.y));

  const std::int64_t across = warplab::ceil_div(cols, block.x), down = warplab::ceil_div(rows, block.y);
  const std::int64_t x = std::min(across, std::max(std::int64_t{8}, wanted / down));
  const std::int64_t y = std::min({down, std::max(std::int64_t{1}, wanted / x), warplab::max_grid_yz});
  return warplab::grid_of(x, y);
}

template <class T>
void matrix_add_grid_stride(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols,
                            std::optional<dim3> grid, dim3 block, cudaStream_t stream) {
  warplab::check_size("rows", rows);
  warplab::check_size("cols", cols);
  warplab::check_block(block, 2);
  if (rows == 0 || cols == 0) return;

  const dim3 blocks = grid.value_or(grid_for_device(rows, cols, block));
  warplab::check_grid(blocks, 2);

  // BEGIN SOLUTION
  matrix_add_grid_stride_kernel<<<blocks, block, 0, stream>>>(a, b, c, rows, cols);
  // STUB warplab::todo("matrix_add_grid_stride: step over rows and columns by the threads of the grid; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void matrix_add_grid_stride(const float*, const float*, float*, std::int64_t, std::int64_t,
                                     std::optional<dim3>, dim3, cudaStream_t);
template void matrix_add_grid_stride(const double*, const double*, double*, std::int64_t, std::int64_t,
                                     std::optional<dim3>, dim3, cudaStream_t);
template void matrix_add_grid_stride(const int*, const int*, int*, std::int64_t, std::int64_t,
                                     std::optional<dim3>, dim3, cudaStream_t);
