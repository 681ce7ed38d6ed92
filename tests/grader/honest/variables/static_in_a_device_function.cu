// A static variable in a device function, which CUDA places in device memory.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

template <class T>
__device__ T scale() {
  static int known = 1;
  if (known != 1) known = 1;
  return T(known);
}
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = scale<T>() * a[i] + b[i];
