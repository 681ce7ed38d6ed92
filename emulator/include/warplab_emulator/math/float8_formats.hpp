#pragma once

#include <cstdint>

#include "warplab_emulator/math/float16_formats.hpp"

namespace warplab::emulator {

/// The code of a float in a format of 8 bits: the nearest, of two the even one. A NaN is 0x7f.
/// @param largest the code of the largest finite number
/// @param beyond the code of what is larger
template <unsigned fraction_bits, unsigned bias, std::uint8_t largest, std::uint8_t beyond>
std::uint8_t encode_in_8_bits(float x) noexcept {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return 0x7f;
  constexpr unsigned dropped = 23 - fraction_bits;
  constexpr std::uint32_t smallest_normal = (128 - bias) << 23;
  std::uint32_t code = 0;
  if (size < smallest_normal) {
    // Adding a number whose last bit is worth as much as that of a subnormal rounds to it.
    constexpr std::uint32_t aligning = (128 - bias + dropped) << 23;
    const float sum = __builtin_bit_cast(float, size) + __builtin_bit_cast(float, aligning);
    code = __builtin_bit_cast(std::uint32_t, sum) - aligning;
  } else {
    const std::uint32_t half = (1u << (dropped - 1)) - 1 + ((size >> dropped) & 1u);
    code = ((size + half) >> dropped) - ((127 - bias) << fraction_bits);
  }
  if (code > largest) code = beyond;
  return static_cast<std::uint8_t>(code | bits >> 31 << 7);
}

/// Four bits of exponent and three of fraction, without infinities: up to 448.
struct E4m3Format {
  static constexpr std::uint8_t largest = 0x7e, nan = 0x7f;

  /// @param saturates what is too large becomes the largest number instead of a NaN
  static std::uint8_t encode(float x, bool saturates) noexcept {
    return saturates ? encode_in_8_bits<3, 7, largest, largest>(x) : encode_in_8_bits<3, 7, largest, nan>(x);
  }
  static float decode(std::uint8_t code) noexcept {
    const unsigned size = code & 0x7fu, exponent = size >> 3, fraction = size & 7u;
    float x = exponent == 0 ? static_cast<float>(fraction) * 0x1p-9f
                            : __builtin_bit_cast(float, (exponent + 120u) << 23 | fraction << 20);
    if (size == nan) x = __builtin_nanf("");
    return (code & 0x80u) != 0 ? -x : x;
  }
};

/// Five bits of exponent and two of fraction, the upper byte of a half: up to 57344.
struct E5m2Format {
  static constexpr std::uint8_t largest = 0x7b, infinity = 0x7c;

  /// @param saturates what is too large becomes the largest number instead of an infinity
  static std::uint8_t encode(float x, bool saturates) noexcept {
    return saturates ? encode_in_8_bits<2, 15, largest, largest>(x)
                     : encode_in_8_bits<2, 15, largest, infinity>(x);
  }
  static float decode(std::uint8_t code) noexcept {
    return HalfFormat::decode(static_cast<std::uint16_t>(code << 8));
  }
};

/// Powers of two only, from 2^-127 to 2^127, without a sign.
struct E8m0Format {
  static constexpr std::uint8_t largest = 0xfe, nan = 0xff;

  /// @param upwards to the next power of two instead of the one below
  static std::uint8_t encode(float x, bool saturates, bool upwards = true) noexcept {
    const std::uint32_t size = __builtin_bit_cast(std::uint32_t, x) & 0x7fffffffu;
    if (size > 0x7f800000u) return nan;
    const std::uint32_t fraction = size & 0x7fffffu;
    std::uint32_t code = size >> 23;
    if (upwards && fraction > (code == 0 ? 0x400000u : 0)) ++code;  // 2^-127 is a subnormal float
    if (code > largest) code = saturates ? largest : nan;
    return static_cast<std::uint8_t>(code);
  }
  static float decode(std::uint8_t code) noexcept {
    if (code == nan) return __builtin_nanf("");
    return __builtin_bit_cast(float, code == 0 ? 0x400000u : static_cast<std::uint32_t>(code) << 23);
  }
};

}  // namespace warplab::emulator
