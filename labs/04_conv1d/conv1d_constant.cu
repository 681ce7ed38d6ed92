// The filter in constant memory: a cache that serves one word to a whole warp at once.
//
// All threads of a warp read the same tap. Constant memory is made for that: its own small cache answers a
// request for one word in one step, whatever the number of lanes, and leaves the L1 cache to the input. A
// request for k different words takes k steps, so it is not a place for data that lanes index differently.
// The kernel cannot write it; the launcher copies the filter there, from device memory and on the stream, so
// that the kernel finds it and no other call of the same stream is disturbed.
// Cost per tap: 1 load (4 or 5 sectors) and 1 constant load for one multiply-add; a short copy per call.
// Stops being good: beyond 64 KiB; where calls on several streams want different filters; and the input is
// still loaded m times, by m threads.
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
  // BEGIN SOLUTION
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= n) return;
  const int taps = static_cast<int>(n - j < m ? n - j : m);  // those beyond the end would be times 0

  T sum = 0;
  for (int i = 0; i < taps; ++i) sum += filter[i] * in[j + i];
  out[j] = sum;
  // STUB (void)filter;  // As in global: only the place of the filter differs, and this line has found it.
  // END SOLUTION
}

template <class T>
void conv1d_constant(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                     cudaStream_t stream) {
  warplab::check_block(block, 1);
  if (!conv1d_has_work(in, filter, out, n, m)) return;
  // BEGIN SOLUTION
  conv1d_check_taps<T>(m, conv1d_constant_bytes / sizeof(T), "constant memory");
  CUDA_CHECK(cudaMemcpyToSymbolAsync(conv1d_constant_filter, filter, m * sizeof(T), 0,
                                     cudaMemcpyDeviceToDevice, stream));
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  conv1d_constant_kernel<<<grid, block, 0, stream>>>(in, out, n, m);
  // STUB // 1. Refuse more taps than conv1d_constant_filter holds: conv1d_check_taps.
  // STUB // 2. Copy the filter there, in the stream's order: cudaMemcpyToSymbolAsync.
  // STUB // 3. Launch.
  // STUB warplab::todo(
  // STUB     "conv1d_constant: copy the filter to constant memory on the stream, launch; then global's loop");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void conv1d_constant(const float*, const float*, float*, std::int64_t, int, dim3, cudaStream_t);
template void conv1d_constant(const double*, const double*, double*, std::int64_t, int, dim3, cudaStream_t);
