#pragma once

// Conversions with a stated rounding (rn: to nearest even, rz: to zero, ru: up, rd:
// down), and reinterpretations.

#include <cmath>
#include <limits>

#include "warplab_emulator/math/rounding.hpp"

namespace warplab::emulator {

/// A float as an integer. What does not fit becomes the nearest limit; a NaN becomes what PTX's cvt gives.
template <class Integer, Rounding rounding, class Float>
Integer to_integer(Float x) noexcept {
  using Limits = std::numeric_limits<Integer>;
  if (x != x) {
    if constexpr (sizeof(Float) == 4 && sizeof(Integer) <= 4) return 0;
    return static_cast<Integer>(1ull << (8 * sizeof(Integer) - 1));
  }
  Float whole;
  if constexpr (rounding == Rounding::nearest)
    whole = std::nearbyint(x);
  else if constexpr (rounding == Rounding::to_zero)
    whole = std::trunc(x);
  else if constexpr (rounding == Rounding::up)
    whole = std::ceil(x);
  else
    whole = std::floor(x);
  const Float limit = std::ldexp(Float{1}, Limits::digits);  // the maximum itself may not be a Float
  if (whole >= limit) return Limits::max();
  if (whole <= (Limits::is_signed ? -limit : Float{0})) return Limits::min();
  return static_cast<Integer>(whole);
}

/// An integer as a float.
template <class Float, Rounding rounding, class Integer>
Float to_float(Integer x) noexcept {
  return with_rounding<rounding>(x, [](Integer value) { return static_cast<Float>(value); });
}

}  // namespace warplab::emulator

#define WARPLAB_CONVERSIONS_ROUNDED(F, f, I, i, mode, rounding)                        \
  template <class...>                                                                  \
  inline I __##f##2##i##_##mode(F x) noexcept {                                        \
    return warplab::emulator::to_integer<I, warplab::emulator::Rounding::rounding>(x); \
  }                                                                                    \
  template <class...>                                                                  \
  inline F __##i##2##f##_##mode(I x) noexcept {                                        \
    return warplab::emulator::to_float<F, warplab::emulator::Rounding::rounding>(x);   \
  }
#define WARPLAB_CONVERSIONS(F, f, I, i)                \
  WARPLAB_CONVERSIONS_ROUNDED(F, f, I, i, rn, nearest) \
  WARPLAB_CONVERSIONS_ROUNDED(F, f, I, i, rz, to_zero) \
  WARPLAB_CONVERSIONS_ROUNDED(F, f, I, i, ru, up)      \
  WARPLAB_CONVERSIONS_ROUNDED(F, f, I, i, rd, down)

WARPLAB_CONVERSIONS(float, float, int, int)
WARPLAB_CONVERSIONS(float, float, unsigned, uint)
WARPLAB_CONVERSIONS(float, float, long long, ll)
WARPLAB_CONVERSIONS(float, float, unsigned long long, ull)
WARPLAB_CONVERSIONS(double, double, int, int)
WARPLAB_CONVERSIONS(double, double, unsigned, uint)
WARPLAB_CONVERSIONS(double, double, long long, ll)
WARPLAB_CONVERSIONS(double, double, unsigned long long, ull)
#undef WARPLAB_CONVERSIONS
#undef WARPLAB_CONVERSIONS_ROUNDED

inline float __double2float_rn(double x) noexcept { return static_cast<float>(x); }
template <class...>
inline float __double2float_rz(double x) noexcept {
  return warplab::emulator::to_float<float, warplab::emulator::Rounding::to_zero>(x);
}
template <class...>
inline float __double2float_ru(double x) noexcept {
  return warplab::emulator::to_float<float, warplab::emulator::Rounding::up>(x);
}
template <class...>
inline float __double2float_rd(double x) noexcept {
  return warplab::emulator::to_float<float, warplab::emulator::Rounding::down>(x);
}

inline int __float_as_int(float x) noexcept { return __builtin_bit_cast(int, x); }
inline unsigned __float_as_uint(float x) noexcept { return __builtin_bit_cast(unsigned, x); }
inline float __int_as_float(int x) noexcept { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned x) noexcept { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) noexcept { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) noexcept { return __builtin_bit_cast(double, x); }
inline int __double2hiint(double x) noexcept { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) noexcept { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int hi, int lo) noexcept {
  const unsigned long long bits =
      static_cast<unsigned long long>(static_cast<unsigned>(hi)) << 32 | static_cast<unsigned>(lo);
  return __builtin_bit_cast(double, bits);
}
