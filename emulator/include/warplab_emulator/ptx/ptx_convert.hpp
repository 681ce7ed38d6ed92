#pragma once

#include <limits>

#include "warplab_emulator/math/conversions.hpp"
#include "warplab_emulator/ptx/ptx_arithmetic.hpp"

// PTX's cvt.

namespace warplab::emulator::ptx {

/// A number as a float that any 16-bit format rounds as the number itself, or as it is.
template <class T>
WARPLAB_PTX auto widened(T x) {
  return x;
}
template <class Format>
WARPLAB_PTX float widened(Float16<Format> x) {
  return Format::decode(x.bits);
}

/// Whether a type is a float of 16 bits, and of which format.
template <class To>
struct FormatOf {
  static constexpr bool is_float16 = false;
};
template <class F>
struct FormatOf<Float16<F>> {
  static constexpr bool is_float16 = true;
  using Format = F;
};

/// @param whole the result is a whole number: .rni and its kin
template <class To, Rounding rounding, bool saturated, bool whole, class From>
WARPLAB_PTX To cvt(From from) {
  auto x = widened(from);
  using X = decltype(x);
  if constexpr (FormatOf<To>::is_float16) {
    if constexpr (saturated) x = x > X{1} ? X{1} : x > X{0} ? x : X{0};  // a NaN becomes 0
    return {encode<typename FormatOf<To>::Format, rounding>(to_odd(x))};
  } else if constexpr (std::is_integral_v<To> && is_float<X>) {
    return to_integer<To, rounding>(x);
  } else if constexpr (std::is_integral_v<To>) {
    if constexpr (saturated) {
      using Limits = std::numeric_limits<To>;
      if (x > 0 && static_cast<unsigned long long>(x) > static_cast<unsigned long long>(Limits::max()))
        return Limits::max();
      if (x < 0 && (!Limits::is_signed || static_cast<long long>(x) < static_cast<long long>(Limits::min())))
        return Limits::min();
    }
    return static_cast<To>(x);
  } else if constexpr (whole) {
    const X result = rounding == Rounding::nearest   ? std::nearbyint(x)
                     : rounding == Rounding::to_zero ? std::trunc(x)
                     : rounding == Rounding::up      ? std::ceil(x)
                                                     : std::floor(x);
    return static_cast<To>(saturated ? saturate(result) : result);
  } else {
    const To result = to_float<To, rounding>(x);
    return saturated ? saturate(result) : result;
  }
}

/// Two floats as a pair; PTX gives the upper half first. @param relu what is below 0 becomes 0
template <class Format, Rounding rounding, bool relu>
WARPLAB_PTX Float16Pair<Format> cvt_pair(float upper, float lower) {
  const auto half = [](float x) {
    return Float16<Format>{encode<Format, rounding>(relu && x < 0.0f ? 0.0f : x)};
  };
  return {half(lower), half(upper)};
}

/// A float with tf32's 10 bits of fraction: to nearest, ties away from zero.
WARPLAB_PTX unsigned cvt_tf32(float x) {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  return ((bits & 0x7f800000u) != 0x7f800000u ? bits + 0x1000u : bits) & 0xffffe000u;
}

}  // namespace warplab::emulator::ptx
