// A printf that was left in the kernel.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cstdio>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i == 0) printf("first %d of %lld: %f %s\n", int(threadIdx.x), static_cast<long long>(n), 1.0, "yes");
  if (i < n) c[i] = a[i] + b[i];
