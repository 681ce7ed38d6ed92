// A function called print and a struct called Result.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

template <class T>
__device__ T print(T x) { return x; }
template <class T>
struct Result {
  T value;
};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = print(a[i]) + Result<T>{b[i]}.value;
