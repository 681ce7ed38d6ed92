// One element per thread: the first kernel that everybody writes.
//
// Thread i adds element i. A grid holds whole blocks, so the number of threads is n rounded up to a multiple
// of the block. The threads past the end must do nothing: a guard makes sure of that. Neighbouring
// threads touch neighbouring addresses: a warp reads its 32 floats in one request of 4 sectors of 32 bytes,
// the fewest possible.
// Cost per element: 2 loads, 1 addition, 1 store; 12 bytes in float. Memory sets the time, not arithmetic.
// Stops being good: a grid that is too small leaves elements out, and a thread keeps only 8 bytes in flight.
// Source: NVIDIA, CUDA C++ Programming Guide, Kernels and Thread Hierarchy.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "common/todo.hpp"
#include "vector_add.hpp"

template <class T>
__global__ void vector_add_one_per_thread_kernel(const T* __restrict__ a,  // (n)
                                                 const T* __restrict__ b,  // (n)
                                                 T* __restrict__ c,        // (n)
                                                 std::int64_t n) {
  // BEGIN SOLUTION
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
  // STUB // Who am I? Am I past the end? Then add one element.
  // END SOLUTION
}

template <class T>
void vector_add_one_per_thread(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid,
                               dim3 block, cudaStream_t stream) {
  warplab::check_size("n", n);
  warplab::check_block(block, 1);
  if (n == 0) return;  // a grid of 0 blocks is an error in CUDA

  // BEGIN SOLUTION
  const dim3 needed = warplab::grid_of(warplab::ceil_div(n, block.x));  // the last block may be part empty
  // STUB warplab::todo("vector_add_one_per_thread: write the kernel, count the blocks, launch");
  // STUB const dim3 needed = warplab::grid_of(1);  // how many blocks cover n elements?
  // END SOLUTION
  const dim3 blocks = grid.value_or(needed);
  warplab::check_grid(blocks, 1);
  const std::int64_t threads = std::int64_t{blocks.x} * block.x;
  if (grid && threads < n)
    warplab::refuse("grid of ", blocks.x, " blocks x ", block.x, " threads covers ", threads, " of ", n,
                    " elements; grid_stride has no such limit");

  // BEGIN SOLUTION
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  // STUB // Launch the kernel here.
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void vector_add_one_per_thread(const float*, const float*, float*, std::int64_t, std::optional<dim3>,
                                        dim3, cudaStream_t);
template void vector_add_one_per_thread(const double*, const double*, double*, std::int64_t,
                                        std::optional<dim3>, dim3, cudaStream_t);
template void vector_add_one_per_thread(const int*, const int*, int*, std::int64_t, std::optional<dim3>, dim3,
                                        cudaStream_t);
