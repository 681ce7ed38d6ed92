// One element per thread, from a block and a grid of two dimensions.
//
// Blocks and grids have x and y. A vector has one dimension, so the
// numbers are laid out in a row: threads of a block first, x before y, then blocks, x before y. A warp is 32
// threads with consecutive numbers. So it reads 32 neighbouring floats in blocks of every shape: 4 sectors,
// if 32 divides the block's size.
// Cost per element: as one_per_thread, plus two multiplications for the index.
// Stops being good: the shape is of no use for a vector. Blocks whose size 32 does not divide, such as 5x5,
// leave lanes of their last warp idle.
// Source: NVIDIA, CUDA C++ Programming Guide, Thread Hierarchy.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "vector_add.hpp"

template <class T>
__global__ void vector_add_two_dimensional_kernel(const T* __restrict__ a,  // (n)
                                                  const T* __restrict__ b,  // (n)
                                                  T* __restrict__ c,        // (n)
                                                  std::int64_t n) {
  const std::int64_t block = std::int64_t{blockIdx.y} * gridDim.x + blockIdx.x;
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  const std::int64_t i = block * (blockDim.x * blockDim.y) + thread;
  if (i < n) c[i] = a[i] + b[i];
}

template <class T>
void vector_add_two_dimensional(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid,
                                dim3 block, cudaStream_t stream) {
  warplab::check_size("n", n);
  warplab::check_block(block, 2);
  if (n == 0) return;  // a grid of 0 blocks is an error in CUDA

  const std::int64_t threads = std::int64_t{block.x} * block.y;
  const dim3 blocks = grid.value_or(warplab::grid_of(warplab::ceil_div(n, threads)));
  warplab::check_grid(blocks, 2);
  const std::int64_t covered = std::int64_t{blocks.x} * blocks.y * threads;
  if (covered < n)
    warplab::refuse("a grid of ", blocks, " blocks x ", threads, " threads covers ", covered, " of ", n,
                    " elements; grid_stride has no such limit");

  vector_add_two_dimensional_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  CUDA_CHECK_LAUNCH();
}

template void vector_add_two_dimensional(const float*, const float*, float*, std::int64_t,
                                         std::optional<dim3>, dim3, cudaStream_t);
template void vector_add_two_dimensional(const double*, const double*, double*, std::int64_t,
                                         std::optional<dim3>, dim3, cudaStream_t);
template void vector_add_two_dimensional(const int*, const int*, int*, std::int64_t, std::optional<dim3>,
                                         dim3, cudaStream_t);
