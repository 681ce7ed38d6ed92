// An operation that is a type of its own.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

struct Add {
  template <class T>
  __device__ __forceinline__ T operator()(const T& x, const T& y) const { return x + y; }
};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = Add{}(a[i], b[i]);
