// A std::function and a lambda on the host.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <functional>
#include <memory>
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  const std::function<std::int64_t(std::int64_t)> twice = [&](std::int64_t x) { return x + n; };
  const auto kept = std::make_unique<std::int64_t>(twice(n));
  if (*kept != 2 * n) return;
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
