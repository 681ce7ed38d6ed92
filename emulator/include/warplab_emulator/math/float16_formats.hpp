#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "warplab_emulator/math/rounding.hpp"

namespace warplab::emulator {

/// A number as a float that rounds to any format of at most 22 bits as the number itself does: truncated to
/// 24 bits, the last of which is set if anything was lost ("rounding to odd").
inline float to_odd(double x) noexcept {
  const auto nearest = static_cast<float>(x);
  const double back = nearest;
  if (back == x || std::isnan(x)) return nearest;
  auto bits = __builtin_bit_cast(std::uint32_t, nearest);
  if (std::fabs(back) > std::fabs(x)) --bits;
  return __builtin_bit_cast(float, bits | 1u);
}

template <class Integer>
requires std::is_integral_v<Integer>
float to_odd(Integer x) noexcept {
  if constexpr (sizeof(Integer) <= 4) {
    return to_odd(static_cast<double>(x));
  } else {
    // To odd at 53 bits first: twice to odd is once to odd.
    const bool negative = x < 0;
    auto size = static_cast<unsigned long long>(x);
    if (negative) size = 0 - size;
    if (size >> 53 != 0)
      size = (size & ~0x7ffull) | static_cast<unsigned long long>((size & 0x7ffull) != 0) << 11;
    const auto exact = static_cast<double>(size);
    return to_odd(negative ? -exact : exact);
  }
}
inline float to_odd(float x) noexcept { return x; }

/// a * b + c to odd. @pre the product fits a double exactly
inline float fused_to_odd(double a, double b, double c) noexcept {
  const double product = a * b;
  const double sum = product + c;
  const double c_in_sum = sum - product;
  const double lost = (product - (sum - c_in_sum)) + (c - c_in_sum);
  if (!std::isfinite(sum) || lost == 0 || lost != lost) return to_odd(sum);
  auto bits = __builtin_bit_cast(std::uint64_t, sum);
  if ((lost < 0) == (sum > 0)) --bits;
  return to_odd(__builtin_bit_cast(double, bits | 1u));
}

/// IEEE's binary16. Portable integer code, which compilers vectorise; a NaN is
/// canonical (0x7fff), as from a GPU.
struct HalfFormat {
  static constexpr std::uint16_t infinity = 0x7c00, nan = 0x7fff;

  static float decode(std::uint16_t half) noexcept {
    const std::uint32_t size = (half & 0x7fffu) << 13;
    const std::uint32_t exponent = size & 0x0f800000u;
    // A subnormal's fraction counts units of 2^-24: read it above a leading one, and take that away.
    const float subnormal = __builtin_bit_cast(float, size + 0x38800000u) - 0x1p-14f;
    const std::uint32_t rebias = exponent == 0x0f800000u ? 0x70000000u : 0x38000000u;
    const std::uint32_t normal = size + rebias;
    const std::uint32_t bits = exponent == 0 ? __builtin_bit_cast(std::uint32_t, subnormal) : normal;
    return __builtin_bit_cast(float, bits | (half & 0x8000u) << 16);
  }

  static std::uint16_t encode(float x) noexcept {
    const auto bits = __builtin_bit_cast(std::uint32_t, x);
    const std::uint32_t size = bits & 0x7fffffffu;
    // Below 2^-14 adding 1/2 leaves a float whose last bit is worth 2^-24: the hardware rounds the subnormal.
    const float aligned = __builtin_bit_cast(float, size) + 0.5f;
    const std::uint32_t subnormal = __builtin_bit_cast(std::uint32_t, aligned) - 0x3f000000u;
    const std::uint32_t normal = (size + 0xc8000fffu + ((size >> 13) & 1u)) >> 13;
    const std::uint32_t finite = size < 0x38800000u ? subnormal : normal;
    const std::uint32_t half = size >= 0x47800000u ? infinity : finite;
    const std::uint32_t signed_half = half | (bits >> 31) << 15;
    return static_cast<std::uint16_t>(size > 0x7f800000u ? nan : signed_half);
  }
};

/// bfloat16: the upper half of a float.
struct Bfloat16Format {
  static constexpr std::uint16_t infinity = 0x7f80, nan = 0x7fff;

  static float decode(std::uint16_t bfloat16) noexcept {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bfloat16) << 16);
  }

  static std::uint16_t encode(float x) noexcept {
    const auto bits = __builtin_bit_cast(std::uint32_t, x);
    const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
  }
};

/// A float in a format, under a rounding: the nearest, or from there one step to the side where the number
/// must not be.
template <class Format, Rounding rounding = Rounding::nearest>
std::uint16_t encode(float x) noexcept {
  const std::uint16_t nearest = Format::encode(x);
  if constexpr (rounding == Rounding::nearest) return nearest;
  const float back = Format::decode(nearest);
  const bool negative = (nearest & 0x8000u) != 0;
  const auto away_from_zero = static_cast<std::uint16_t>(nearest + 1);
  const auto towards_zero = static_cast<std::uint16_t>(nearest - 1);
  const bool inwards = rounding == Rounding::to_zero || (rounding == Rounding::down) != negative;
  if (inwards) return std::fabs(back) > std::fabs(x) ? towards_zero : nearest;
  return std::fabs(back) < std::fabs(x) ? away_from_zero : nearest;
}

}  // namespace warplab::emulator
