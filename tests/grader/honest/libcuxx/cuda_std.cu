// The standard library of the device.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cuda/std/limits>
#include <cuda/std/cstdint>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const cuda::std::int64_t last = cuda::std::numeric_limits<int>::max();
  if (i < n && i < last) c[i] = a[i] + b[i];
