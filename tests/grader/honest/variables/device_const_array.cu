// A table of the device that is const.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

__device__ const int ones[2] = {1, 1};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = T(ones[i % 2]) * a[i] + b[i];
