// Device functions with names that the emulator has for other things.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

template <class T>
__device__ T named_kernel(T x) { return x; }
template <class T>
__device__ T device_fault(T x) { return x; }
template <class T>
__device__ T call_with(T x, T y) { return x + y; }
struct TensorMap {
  int x;
};
struct Launch {
  int lens_begin, lens_end;
};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = call_with(named_kernel(a[i]), device_fault(b[i]));
