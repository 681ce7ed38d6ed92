// The sum in a register: out is written once per element instead of once per tap.
//
// A local variable has no address that anything else could read, so the sum stays in a register from the
// first tap to the last. That takes m - 1 stores per element off global_stored (and, as its source is
// written, m loads), which all had to pass through the L1 cache to L2.
// Cost per tap: 2 loads for one multiply-add: the warp's elements of the input (4 or 5 sectors) and one tap,
// the same for all of its threads (1 sector). Both mostly come from the L1 cache.
// Stops being good: every thread of a warp asks for the same tap, and the cache looks it up once more for
// every tap and warp. A memory made for that is next.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "conv1d.hpp"

template <class T>
__global__ void conv1d_global_kernel(const T* __restrict__ in,      // (n)
                                     const T* __restrict__ filter,  // (m)
                                     T* __restrict__ out,           // (n)
                                     std::int64_t n, int m) {
  // BEGIN SOLUTION
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= n) return;
  const int taps = static_cast<int>(n - j < m ? n - j : m);  // those beyond the end would be times 0

  T sum = 0;
  for (int i = 0; i < taps; ++i) sum += filter[i] * in[j + i];
  out[j] = sum;
  // STUB // As in global_stored, but where does the sum grow?
  // END SOLUTION
}

template <class T>
void conv1d_global(const T* in, const T* filter, T* out, std::int64_t n, int m, dim3 block,
                   cudaStream_t stream) {
  warplab::check_block(block, 1);
  if (!conv1d_has_work(in, filter, out, n, m)) return;
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  // BEGIN SOLUTION
  conv1d_global_kernel<<<grid, block, 0, stream>>>(in, filter, out, n, m);
  // STUB (void)grid;
  // STUB warplab::todo("conv1d_global: global_stored with the sum in a local variable, stored once; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void conv1d_global(const float*, const float*, float*, std::int64_t, int, dim3, cudaStream_t);
template void conv1d_global(const double*, const double*, double*, std::int64_t, int, dim3, cudaStream_t);
