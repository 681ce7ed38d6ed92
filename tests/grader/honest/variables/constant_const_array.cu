// Weights in constant memory that the file itself keeps const.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

__constant__ const float ones[2] = {1.0f, 1.0f};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = T(ones[0]) * a[i] + T(ones[1]) * b[i];
