// The time on the host.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <chrono>
#include <ctime>
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  const auto begin = std::chrono::steady_clock::now();
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
  const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (s < 0) return;
