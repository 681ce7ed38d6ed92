// A variable in constant memory, which is filled by its address.
//! solves conv1d/constant
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "conv1d.hpp"

/// The filter, as T. A kernel of float and one of double share it: there is room for only one.
__constant__ double conv1d_constant_filter[conv1d_constant_bytes / sizeof(double)];

template <class T>
__global__ void conv1d_constant_kernel(const T* __restrict__ in,  // (n)
                                       T* __restrict__ out,       // (n)
                                       std::int64_t n, int m) {
  const T* const filter = reinterpret_cast<const T*>(conv1d_constant_filter);  // (m)
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= n) return;
  const int taps = static_cast<int>(n - j < m ? n - j : m);  // those beyond the end would be times 0

  T sum = 0;
  for (int i = 0; i < taps; ++i) sum += filter[i] * in[j + i];
  out[j] = sum;
}

template <class T>
void conv1d_constant(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                     cudaStream_t stream) {
  warplab::check_block(block, 1);
  if (!conv1d_has_work(in, filter, out, n, m)) return;
  conv1d_check_taps<T>(m, conv1d_constant_bytes / sizeof(T), "constant memory");
  void* place = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(&place, conv1d_constant_filter));
  CUDA_CHECK(cudaMemcpyAsync(place, filter, m * sizeof(T), cudaMemcpyDeviceToDevice, stream));
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  conv1d_constant_kernel<<<grid, block, 0, stream>>>(in, out, n, m);
  CUDA_CHECK_LAUNCH();
}

template void conv1d_constant(const float*, const float*, float*, std::int64_t, int, dim3, cudaStream_t);
template void conv1d_constant(const double*, const double*, double*, std::int64_t, int, dim3, cudaStream_t);
