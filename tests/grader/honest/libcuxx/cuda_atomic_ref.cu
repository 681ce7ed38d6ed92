// A counter by cuda::atomic_ref.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cuda/atomic>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  __shared__ int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> counter(done);
  counter.fetch_add(1, cuda::memory_order_relaxed);
  if (i < n) c[i] = a[i] + b[i];
