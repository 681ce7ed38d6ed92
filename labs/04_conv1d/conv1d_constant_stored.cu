// Constant memory, with a store at every tap: the filter is there, the running sum still in out.
//
// Only the filter's place differs from global_stored. Constant memory is read through a cache of its own,
// which serves one address to all 32 threads of a warp at once: just what a filter needs, of which they all
// read the same tap. The filter is in device memory, so the copy goes from device to device, on the kernel's
// stream and before the kernel.
// Cost per tap: 1 load and a store in global memory (as written, also a load of out[j]), 1 constant load.
// Stops being good: 64 KiB are all there is. And as long as there is a store at every tap, where the filter
// lies matters little.
// Source: NVIDIA, CUDA C++ Programming Guide, Constant Memory.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "conv1d.hpp"

/// The filter, as T. A kernel of float and one of double share it: there is room for only one.
__constant__ double conv1d_constant_stored_filter[conv1d_constant_bytes / sizeof(double)];

template <class T>
__global__ void conv1d_constant_stored_kernel(const T* in,  // (n)
                                              T* out,       // (n)
                                              std::int64_t n, int m) {
  const T* const filter = reinterpret_cast<const T*>(conv1d_constant_stored_filter);  // (m)
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= n) return;
  const int taps = static_cast<int>(n - j < m ? n - j : m);  // those beyond the end would be times 0

  out[j] = 0;
  for (int i = 0; i < taps; ++i) out[j] += filter[i] * in[j + i];
}

template <class T>
void conv1d_constant_stored(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                            cudaStream_t stream) {
  warplab::check_block(block, 1);
  if (!conv1d_has_work(in, filter, out, n, m)) return;
  conv1d_check_taps<T>(m, conv1d_constant_bytes / sizeof(T), "constant memory");
  CUDA_CHECK(cudaMemcpyToSymbolAsync(conv1d_constant_stored_filter, filter, m * sizeof(T), 0,
                                     cudaMemcpyDeviceToDevice, stream));
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  conv1d_constant_stored_kernel<<<grid, block, 0, stream>>>(in, out, n, m);
  CUDA_CHECK_LAUNCH();
}

template void conv1d_constant_stored(const float*, const float*, float*, std::int64_t, int, dim3,
                                     cudaStream_t);
template void conv1d_constant_stored(const double*, const double*, double*, std::int64_t, int, dim3,
                                     cudaStream_t);
