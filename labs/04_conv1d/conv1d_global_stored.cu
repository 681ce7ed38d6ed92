// The definition: one output per thread, and the output itself is the running sum.
//
// Thread j walks along the filter and adds each product to out[j], in global memory. All threads of a warp
// read the same tap, which is one sector per request; their elements of the input are neighbours, 4 sectors,
// or 5 where they do not start at a multiple of 32 bytes. The source reads and writes out[j] at every tap. A
// compiler keeps the last sum in a register, but must store it each time: for all that it knows, out may
// overlap in or filter, and the next load would have to see it. Two bounds keep it safe: the guard
// of j, and the end of the input, past which the taps of the last outputs would lie.
// Cost per tap: 2 loads and a store (as written, also a load of out[j]) for one multiply-add.
// Stops being good: at once. The next rung keeps the sum in a register.
// Source: NVIDIA, CUDA C++ Programming Guide, Kernels.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "conv1d.hpp"

template <class T>
__global__ void conv1d_global_stored_kernel(const T* in,      // (n)
                                            const T* filter,  // (m)
                                            T* out,           // (n)
                                            std::int64_t n, int m) {
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= n) return;
  const int taps = static_cast<int>(n - j < m ? n - j : m);  // without it, up to in[n + m - 2] is read

  out[j] = 0;
  for (int i = 0; i < taps; ++i) out[j] += filter[i] * in[j + i];
}

template <class T>
void conv1d_global_stored(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                          cudaStream_t stream) {
  warplab::check_block(block, 1);
  if (!conv1d_has_work(in, filter, out, n, m)) return;
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  conv1d_global_stored_kernel<<<grid, block, 0, stream>>>(in, filter, out, n, m);
  CUDA_CHECK_LAUNCH();
}

template void conv1d_global_stored(const float*, const float*, float*, std::int64_t, int, dim3, cudaStream_t);
template void conv1d_global_stored(const double*, const double*, double*, std::int64_t, int, dim3,
                                   cudaStream_t);
