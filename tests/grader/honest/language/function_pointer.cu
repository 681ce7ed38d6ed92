// A function by its pointer.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

template <class T>
__device__ T add_two(T x, T y) { return x + y; }
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  T (*const f)(T, T) = add_two<T>;
  if (i < n) c[i] = f(a[i], b[i]);
