// A counter of the device by cuda::atomic.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cuda/atomic>

__device__ cuda::atomic<int, cuda::thread_scope_device> calls{0};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i == 0) calls.fetch_add(1, cuda::memory_order_relaxed);
  if (i < n) c[i] = a[i] + b[i];
