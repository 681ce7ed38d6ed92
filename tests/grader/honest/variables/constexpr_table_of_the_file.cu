// A constexpr table at namespace scope that a kernel reads by a constant index.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

constexpr int ones[2] = {1, 1};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = T(ones[1]) * a[i] + b[i];
