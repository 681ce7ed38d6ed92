// Multiply-adds at the rate of the arithmetic units: every thread has `chains` sums that do not depend on one
// another, so that the units' latency is covered, and no operand comes from memory.
#include "common/arithmetic_kernel.hpp"
#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"

namespace warplab {
namespace {

constexpr int threads = 256;
constexpr int blocks_per_processor = 8;
constexpr int min_blocks = 4;  // every architecture has room for 1024 threads, not all for 2048
constexpr int chains = 8;
constexpr int steps = 4096;

template <class T>
__global__ void __launch_bounds__(threads, min_blocks) multiply_add_kernel(T* sink, T factor, T addend) {
  T sums[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c) sums[c] = static_cast<T>(threadIdx.x + c);
#pragma unroll 16
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int c = 0; c < chains; ++c) sums[c] = sums[c] * factor + addend;
  T total = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c) total += sums[c];
  if (total == static_cast<T>(-1)) *sink = total;  // never: all terms are positive
}

}  // namespace

template <class T>
double multiply_add_everywhere(T* sink, cudaStream_t stream) {
  const int blocks = multiprocessors() * blocks_per_processor;
  multiply_add_kernel<<<blocks, threads, 0, stream>>>(sink, T{0.5}, T{0.25});
  CUDA_CHECK_LAUNCH();
  return 2.0 * chains * steps * threads * blocks;
}

template double multiply_add_everywhere(float*, cudaStream_t);
template double multiply_add_everywhere(double*, cudaStream_t);

}  // namespace warplab
