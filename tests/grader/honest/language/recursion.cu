// A device function that calls itself.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

__host__ __device__ int power(int x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = a[i] + T(power(2, 0)) * b[i];
