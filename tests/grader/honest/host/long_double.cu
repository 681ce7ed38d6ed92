// A long double on the host.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cmath>
//! of
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
//! becomes
  const long double x = std::sqrt(static_cast<long double>(n));
  if (x < 0) return;
  vector_add_one_per_thread_kernel<<<blocks, block, 0, stream>>>(a, b, c, n);
