// Complex numbers.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cuComplex.h>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const cuFloatComplex x = cuCmulf(make_cuFloatComplex(0, 1), make_cuFloatComplex(0, -1));
  if (i < n) c[i] = T(cuCrealf(x)) * a[i] + b[i];
