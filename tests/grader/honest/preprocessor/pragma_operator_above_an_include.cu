// A macro for the operator _Pragma, above the headers.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#define UNROLL _Pragma("unroll")
#include <cstdint>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  UNROLL for (int k = 0; k < 1; ++k)
    if (i < n) c[i] = a[i] + b[i];
