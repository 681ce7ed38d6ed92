// Shared memory, with a store at every tap: the filter is there, the running sum still in out.
//
// Every block copies the filter into its own shared memory, waits, and then reads each tap from there: one
// wavefront per request, since all threads of a warp read the same word. If thread i copied tap i, m could be
// at most the threads per block. Here threads go on by the block's width, which takes any m that fits. The
// array has the filter's type: one of float would drop half of a double's digits.
// Cost per tap: 1 load and a store in global memory (as written, also a load of out[j]), 1 shared load; and m
// loads, m shared stores and one barrier per block.
// Stops being good: for short blocks and long filters, where the copy is not paid back by the block's taps.
// And as long as there is a store at every tap.
// Source: NVIDIA, CUDA C++ Programming Guide, Shared Memory.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "conv1d.hpp"

template <class T>
__global__ void conv1d_shared_stored_kernel(const T* in,      // (n)
                                            const T* filter,  // (m)
                                            T* out,           // (n)
                                            std::int64_t n, int m) {
  extern __shared__ __align__(16) unsigned char conv1d_shared_stored_bytes[];
  T* const taps_here = reinterpret_cast<T*>(conv1d_shared_stored_bytes);  // (m)
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;

  for (int i = threadIdx.x; i < m; i += blockDim.x) taps_here[i] = filter[i];
  __syncthreads();  // waits for the whole filter; so the guard must come after it

  if (j >= n) return;
  const int taps = static_cast<int>(n - j < m ? n - j : m);  // those beyond the end would be times 0
  out[j] = 0;
  for (int i = 0; i < taps; ++i) out[j] += taps_here[i] * in[j + i];
}

template <class T>
void conv1d_shared_stored(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                          cudaStream_t stream) {
  warplab::check_block(block, 1);
  if (!conv1d_has_work(in, filter, out, n, m)) return;
  conv1d_check_taps<T>(m, conv1d_shared_bytes / sizeof(T), "a block's shared memory");
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  conv1d_shared_stored_kernel<<<grid, block, m * sizeof(T), stream>>>(in, filter, out, n, m);
  CUDA_CHECK_LAUNCH();
}

template void conv1d_shared_stored(const float*, const float*, float*, std::int64_t, int, dim3, cudaStream_t);
template void conv1d_shared_stored(const double*, const double*, double*, std::int64_t, int, dim3,
                                   cudaStream_t);
