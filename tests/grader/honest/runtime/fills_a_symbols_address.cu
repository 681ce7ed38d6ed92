// A ticket for each block, which the launcher sets to 0 by its address.
//! solves vector_add/one_per_thread
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "common/todo.hpp"
#include "vector_add.hpp"

__device__ unsigned next_block;
template <class T>
__global__ void vector_add_one_per_thread_kernel(const T* __restrict__ a, const T* __restrict__ b,
                                                 T* __restrict__ c, std::int64_t n) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) mine = atomicAdd(&next_block, 1u);
  __syncthreads();
  const std::int64_t i = std::int64_t{mine} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

template <class T>
void vector_add_one_per_thread(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid,
                               dim3 block, cudaStream_t stream) {
  warplab::check_size("n", n);
  warplab::check_block(block, 1);
  if (n == 0) return;  // a grid of 0 blocks is an error in CUDA

  const dim3 needed = warplab::grid_of(warplab::ceil_div(n, block.x));  // the last block may be part empty
  const dim3 blocks = grid.value_or(needed);
  warplab::check_grid(blocks, 1);
  const std::int64_t threads = std::int64_t{blocks.x} * block.x;
  if (grid && threads < n)
    warplab::refuse("grid of ", blocks.x, " blocks x ", block.x, " threads covers ", threads, " of ", n,
                    " elements; grid_stride has no such limit");

  void* counter = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(&counter, next_block));
  CUDA_CHECK(cudaMemsetAsync(counter, 0, sizeof(unsigned), stream));
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  CUDA_CHECK_LAUNCH();
}

template void vector_add_one_per_thread(const float*, const float*, float*, std::int64_t, std::optional<dim3>,
                                        dim3, cudaStream_t);
template void vector_add_one_per_thread(const double*, const double*, double*, std::int64_t,
                                        std::optional<dim3>, dim3, cudaStream_t);
template void vector_add_one_per_thread(const int*, const int*, int*, std::int64_t, std::optional<dim3>, dim3,
                                        cudaStream_t);
