// A counter of the host that is atomic.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <atomic>

static std::atomic<int> calls{0};
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  ++calls;
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
