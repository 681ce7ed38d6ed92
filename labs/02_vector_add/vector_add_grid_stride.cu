// Grid-stride loop: the grid no longer has to fit the vector.
//
// A thread starts at its own number and goes on by the number of threads in the whole grid until it is past
// the end. This accepts what one_per_thread refuses: any grid, also a single block, adds every element
// exactly once. So the grid may be chosen for the device (as many blocks as it holds at a time) rather than
// for the size, and a thread may prepare something once and use it for many elements.
// Cost per element: as before, plus an addition and a comparison for the loop.
// Stops being good: in this source a thread has only 8 bytes in flight at a time. nvcc 13.0 unrolls the loop
// four times, which makes them 32; `cuobjdump -sass` shows it. Do not rely on that: the next rung asks for
// wide accesses itself.
// Source: M. Harris, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops", NVIDIA, 2013.
#include <algorithm>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/launch_shape.hpp"
#include "common/todo.hpp"
#include "vector_add.hpp"

template <class T>
__global__ void vector_add_grid_stride_kernel(const T* __restrict__ a,  // (n)
                                              const T* __restrict__ b,  // (n)
                                              T* __restrict__ c,        // (n)
                                              std::int64_t n) {
  // BEGIN SOLUTION
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;  // threads in the grid
  for (std::int64_t i = first; i < n; i += stride) c[i] = a[i] + b[i];
  // STUB // Where do I start? How far is my next element? Neighbouring threads stay neighbours in memory.
  // END SOLUTION
}

/// About as many blocks as this device holds at a time.
static std::int64_t resident_blocks(dim3 block) {
  const int threads = warplab::device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  return std::max(1, warplab::multiprocessors() * (threads / static_cast<int>(block.x)));
}

template <class T>
void vector_add_grid_stride(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid,
                            dim3 block, cudaStream_t stream) {
  warplab::check_size("n", n);
  warplab::check_block(block, 1);
  if (n == 0) return;

  const std::int64_t useful = std::min(resident_blocks(block), warplab::ceil_div(n, block.x));
  const dim3 blocks = grid.value_or(warplab::grid_of(useful));
  warplab::check_grid(blocks, 1);

  // BEGIN SOLUTION
  vector_add_grid_stride_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  // STUB warplab::todo("vector_add_grid_stride: start at your number, step by the threads of the grid; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void vector_add_grid_stride(const float*, const float*, float*, std::int64_t, std::optional<dim3>,
                                     dim3, cudaStream_t);
template void vector_add_grid_stride(const double*, const double*, double*, std::int64_t, std::optional<dim3>,
                                     dim3, cudaStream_t);
template void vector_add_grid_stride(const int*, const int*, int*, std::int64_t, std::optional<dim3>, dim3,
                                     cudaStream_t);
