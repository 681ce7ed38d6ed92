// Bits by a union, by memcpy and by reinterpret_cast.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cstring>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  union {
    float f;
    unsigned u;
  } bits;
  bits.f = 1.0f;
  unsigned copied;
  memcpy(&copied, &bits.f, sizeof copied);
  if (i < n && bits.u == copied && __float_as_uint(1.0f) == copied && __int_as_float(copied) == 1.0f)
      c[i] = a[i] + b[i];
