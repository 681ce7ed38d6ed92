#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: complex numbers in single and double precision, in place of the CUDA Toolkit's header of
// this name. A complex number is a float2 or a double2: x is the real part, y the imaginary part.

#include <cmath>

#include "vector_types.h"

// NOLINTBEGIN: the names are CUDA's.
using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

// f is the letter that the single-precision functions end with, T their real type.
#define WARPLAB_COMPLEX(Complex, T, f)                                                     \
  inline Complex make_##Complex(T re, T im) { return Complex{re, im}; }                    \
  inline T cuCreal##f(Complex a) { return a.x; }                                           \
  inline T cuCimag##f(Complex a) { return a.y; }                                           \
  inline Complex cuConj##f(Complex a) { return Complex{a.x, -a.y}; }                       \
  inline Complex cuCadd##f(Complex a, Complex b) { return Complex{a.x + b.x, a.y + b.y}; } \
  inline Complex cuCsub##f(Complex a, Complex b) { return Complex{a.x - b.x, a.y - b.y}; } \
  inline Complex cuCmul##f(Complex a, Complex b) {                                         \
    return Complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                          \
  }                                                                                        \
  /* R. L. Smith, CACM 5(8), 1962: no square of a part of b can overflow. */               \
  inline Complex cuCdiv##f(Complex a, Complex b) {                                         \
    if (std::fabs(b.x) >= std::fabs(b.y)) {                                                \
      const T ratio = b.y / b.x, scale = T{1} / (b.x + b.y * ratio);                       \
      return Complex{(a.x + a.y * ratio) * scale, (a.y - a.x * ratio) * scale};            \
    }                                                                                      \
    const T ratio = b.x / b.y, scale = T{1} / (b.x * ratio + b.y);                         \
    return Complex{(a.x * ratio + a.y) * scale, (a.y * ratio - a.x) * scale};              \
  }                                                                                        \
  inline T cuCabs##f(Complex a) { return std::hypot(a.x, a.y); }                           \
  inline Complex cuCfma##f(Complex a, Complex b, Complex c) {                              \
    return Complex{std::fma(-a.y, b.y, std::fma(a.x, b.x, c.x)),                           \
                   std::fma(a.y, b.x, std::fma(a.x, b.y, c.y))};                           \
  }                                                                                        \
  static_assert(true, "needs a semicolon")

WARPLAB_COMPLEX(cuFloatComplex, float, f);
WARPLAB_COMPLEX(cuDoubleComplex, double, );
#undef WARPLAB_COMPLEX

inline cuComplex make_cuComplex(float re, float im) { return cuComplex{re, im}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return cuDoubleComplex{a.x, a.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return cuFloatComplex{static_cast<float>(a.x), static_cast<float>(a.y)};
}
// NOLINTEND

#include "warplab_emulator/user_macros_back.inc"
