// A kernel that takes a lambda.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

template <class F>
__global__ void each(std::int64_t n, F f) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  each<<<blocks, block, 0, stream>>>(n, [=] __device__(std::int64_t i) { c[i] = a[i] + b[i]; });
