// A constexpr table of the device, indexed when it runs.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

static __device__ constexpr float ones[4] = {1, 1, 1, 1};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = T(ones[i % 4]) * a[i] + b[i];
