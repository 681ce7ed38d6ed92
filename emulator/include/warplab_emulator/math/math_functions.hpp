#pragma once

#include <math.h>

#include <cmath>

#include "warplab_emulator/math/inverse_error_function.hpp"
#include "warplab_emulator/math/table_functions.hpp"

// Newer C libraries have taken over some of CUDA's names, with CUDA's meaning.
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 41)
#define WARPLAB_LIBC_HAS_SINPI
#endif
#if __GLIBC_PREREQ(2, 42)
#define WARPLAB_LIBC_HAS_RSQRT
#endif
#endif

namespace warplab::emulator {

/// sin(pi x) and cos(pi x). The argument is reduced exactly, so that multiples of 1/2 give exact results.
inline void sine_cosine_of_pi_times(double x, double* sine, double* cosine) noexcept {
  const double reduced = std::remainder(x, 2.0);  // -1 to 1
  const double halves = std::nearbyint(2 * reduced);
  const double angle = (reduced - halves / 2) * M_PI;
  const double s = __builtin_sin(angle), c = __builtin_cos(angle);  // which the lens does not count
  switch (static_cast<int>(halves) & 3) {
    case 0:
      *sine = s, *cosine = c;
      break;
    case 1:
      *sine = c, *cosine = 0.0 - s;
      break;
    case 2:
      *sine = 0.0 - s, *cosine = -c;
      break;
    default:
      *sine = -c, *cosine = s;
      break;
  }
  if (std::isinf(x) || std::isnan(x))
    *sine = *cosine = NAN;
  else if (*sine == 0)
    *sine = std::copysign(0.0, x);  // of an integer: a zero with the argument's sign
}

inline double sine_of_pi_times(double x) noexcept {
  double sine, cosine;
  sine_cosine_of_pi_times(x, &sine, &cosine);
  return sine;
}

inline double cosine_of_pi_times(double x) noexcept {
  double sine, cosine;
  sine_cosine_of_pi_times(x, &sine, &cosine);
  return cosine;
}

/// exp(x^2) erfc(x), without its factors' overflow and underflow.
inline double scaled_erfc(double x) noexcept {
  if (x < 10) {
    const double square = x * x;
    return std::exp(square) * (1 + std::fma(x, x, -square)) * std::erfc(x);
  }
  double fraction = x;
  for (int k = 24; k >= 1; --k) fraction = x + 0.5 * k / fraction;
  return M_2_SQRTPI / 2 / fraction;
}

/// The Euclidean norm of n numbers, scaled against overflow and underflow.
template <class T>
T norm_of(int n, const T* values) noexcept {
  T norm = 0;
  for (int i = 0; i < n; ++i) norm = std::hypot(norm, values[i]);
  return norm;
}

}  // namespace warplab::emulator

/// A function of one argument under its three names: name(double), name##f(float)
/// and the overload name(float).
#define WARPLAB_FUNCTION_BUT_DOUBLE(name, expression) \
  inline float name##f(float argument) noexcept {     \
    const double x = argument;                        \
    return static_cast<float>(expression);            \
  }                                                   \
  inline float name(float argument) noexcept { return name##f(argument); }
#define WARPLAB_FUNCTION(name, expression)                     \
  inline double name(double x) noexcept { return expression; } \
  WARPLAB_FUNCTION_BUT_DOUBLE(name, expression)

#ifndef WARPLAB_LIBC_HAS_RSQRT
inline double rsqrt(double x) noexcept { return 1.0 / std::sqrt(x); }
inline float rsqrtf(float x) noexcept { return 1.0f / std::sqrt(x); }
#endif
inline float rsqrt(float x) noexcept { return 1.0f / std::sqrt(x); }

#if defined(WARPLAB_INSTRUMENTED)
#ifndef WARPLAB_LIBC_HAS_SINPI
#undef WARPLAB_INSTEAD_OF_LIBC
#define WARPLAB_INSTEAD_OF_LIBC inline
#endif
WARPLAB_INSTEAD_OF_LIBC double sinpi(double x) noexcept {
  return warplab::emulator::header_calls::lens_sinpi(x);
}
WARPLAB_INSTEAD_OF_LIBC double cospi(double x) noexcept {
  return warplab::emulator::header_calls::lens_cospi(x);
}
#elif !defined(WARPLAB_LIBC_HAS_SINPI)
inline double sinpi(double x) noexcept { return warplab::emulator::sine_of_pi_times(x); }
inline double cospi(double x) noexcept { return warplab::emulator::cosine_of_pi_times(x); }
#endif
#ifndef WARPLAB_LIBC_HAS_SINPI
inline float sinpif(float x) noexcept { return static_cast<float>(warplab::emulator::sine_of_pi_times(x)); }
inline float cospif(float x) noexcept { return static_cast<float>(warplab::emulator::cosine_of_pi_times(x)); }
#endif
inline float sinpi(float x) noexcept { return sinpif(x); }
inline float cospi(float x) noexcept { return cospif(x); }

#ifndef __GLIBC__
inline double exp10(double x) noexcept { return std::pow(10.0, x); }
inline float exp10f(float x) noexcept { return std::pow(10.0f, x); }
inline void sincos(double x, double* sptr, double* cptr) noexcept {
  *sptr = std::sin(x), *cptr = std::cos(x);
}
inline void sincosf(float x, float* sptr, float* cptr) noexcept { *sptr = std::sin(x), *cptr = std::cos(x); }
#endif
inline float exp10(float x) noexcept { return exp10f(x); }
inline void sincos(float x, float* sptr, float* cptr) noexcept { sincosf(x, sptr, cptr); }

inline void sincospi(double x, double* sptr, double* cptr) noexcept {
  warplab::emulator::sine_cosine_of_pi_times(x, sptr, cptr);
}
inline void sincospif(float x, float* sptr, float* cptr) noexcept {
  double sine, cosine;
  sincospi(static_cast<double>(x), &sine, &cosine);
  *sptr = static_cast<float>(sine);
  *cptr = static_cast<float>(cosine);
}
inline void sincospi(float x, float* sptr, float* cptr) noexcept { sincospif(x, sptr, cptr); }

WARPLAB_FUNCTION(rcbrt, 1 / std::cbrt(x))
WARPLAB_FUNCTION(erfinv, warplab::emulator::inverse_erf(x))
WARPLAB_FUNCTION(erfcinv, warplab::emulator::inverse_erfc(x))
WARPLAB_FUNCTION(erfcx, warplab::emulator::scaled_erfc(x))
WARPLAB_FUNCTION(normcdf, 0.5 * std::erfc(-x * M_SQRT1_2))
WARPLAB_FUNCTION(normcdfinv, -M_SQRT2* warplab::emulator::inverse_erfc(2 * x))
double cyl_bessel_i0(double x) noexcept;
double cyl_bessel_i1(double x) noexcept;
WARPLAB_FUNCTION_BUT_DOUBLE(cyl_bessel_i0, cyl_bessel_i0(x))
WARPLAB_FUNCTION_BUT_DOUBLE(cyl_bessel_i1, cyl_bessel_i1(x))
#undef WARPLAB_FUNCTION
#undef WARPLAB_FUNCTION_BUT_DOUBLE

// --- Norms and their reciprocals ---

#define WARPLAB_NORMS(T, f)                                                                                  \
  inline T norm3d##f(T a, T b, T c) noexcept { return std::hypot(std::hypot(a, b), c); }                     \
  inline T norm4d##f(T a, T b, T c, T d) noexcept { return std::hypot(std::hypot(a, b), std::hypot(c, d)); } \
  inline T norm##f(int dim, const T* p) noexcept { return warplab::emulator::norm_of(dim, p); }              \
  inline T rhypot##f(T a, T b) noexcept { return 1 / std::hypot(a, b); }                                     \
  inline T rnorm3d##f(T a, T b, T c) noexcept { return 1 / norm3d##f(a, b, c); }                             \
  inline T rnorm4d##f(T a, T b, T c, T d) noexcept { return 1 / norm4d##f(a, b, c, d); }                     \
  inline T rnorm##f(int dim, const T* p) noexcept { return 1 / norm##f(dim, p); }

WARPLAB_NORMS(double, )
WARPLAB_NORMS(float, f)
#undef WARPLAB_NORMS
