// The filter in shared memory: every block keeps a copy of its own.
//
// A block's threads load the filter together, wait, and read each tap from shared memory. All threads of a
// warp read the same word: one wavefront, since a bank serves any number of lanes that want its word. Unlike
// constant memory this needs no copy beforehand and no state that streams share, and lanes might as well
// read different taps.
// Cost per tap: 1 load (4 or 5 sectors) and 1 shared load for one multiply-add; m loads, m shared stores and
// one barrier per block.
// Stops being good: beyond 48 KiB, which any kernel may have; long before that, because shared memory that
// the filter takes is missing for more blocks on the SM, and a block of 256 threads loads all m taps for 256
// outputs. And the input is still loaded m times.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "conv1d.hpp"

template <class T>
__global__ void conv1d_shared_kernel(const T* __restrict__ in,      // (n)
                                     const T* __restrict__ filter,  // (m)
                                     T* __restrict__ out,           // (n)
                                     std::int64_t n, int m) {
  extern __shared__ __align__(16) unsigned char conv1d_shared_memory[];
  T* const near = reinterpret_cast<T*>(conv1d_shared_memory);  // (m)
  // BEGIN SOLUTION
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;

  for (int i = threadIdx.x; i < m; i += blockDim.x) near[i] = filter[i];
  __syncthreads();  // waits for the whole filter: a thread reads taps that others have loaded

  if (j >= n) return;  // not before the barrier, which the whole block must reach
  const int taps = static_cast<int>(n - j < m ? n - j : m);  // those beyond the end would be times 0
  T sum = 0;
  for (int i = 0; i < taps; ++i) sum += near[i] * in[j + i];
  out[j] = sum;
  // STUB (void)near;
  // STUB // 1. Load the filter into `near`, the whole block together, for any m and any block.
  // STUB // 2. Wait for the others: every thread of the block must come to this line, also one past the end.
  // STUB // 3. As in global, with the taps from `near`.
  // END SOLUTION
}

template <class T>
void conv1d_shared(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                   cudaStream_t stream) {
  warplab::check_block(block, 1);
  if (!conv1d_has_work(in, filter, out, n, m)) return;
  conv1d_check_taps<T>(m, conv1d_shared_bytes / sizeof(T), "a block's shared memory");
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  // BEGIN SOLUTION
  conv1d_shared_kernel<<<grid, block, m * sizeof(T), stream>>>(in, filter, out, n, m);
  // STUB (void)grid;
  // STUB warplab::todo("conv1d_shared: fill shared memory in a strided loop, wait, then global's loop; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void conv1d_shared(const float*, const float*, float*, std::int64_t, int, dim3, cudaStream_t);
template void conv1d_shared(const double*, const double*, double*, std::int64_t, int, dim3, cudaStream_t);
