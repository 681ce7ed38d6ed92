// An assertion in the kernel.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cassert>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  assert(n > 0);
  assert(blockDim.x > 0 && "threads");
  if (i < n) c[i] = a[i] + b[i];
