// Weights in constant memory, constexpr.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

__constant__ constexpr float ones[2] = {1.0f, 1.0f};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = T(ones[i % 2]) * a[i] + T(ones[1]) * b[i];
