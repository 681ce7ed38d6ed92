#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warplab::test {

/// A 16-bit float format by its definition, computed in double without any bit tricks.
struct Float16Reference {
  int fraction_bits;    ///< 10 for half, 7 for bfloat16
  int lowest_exponent;  ///< of a subnormal's last bit: -24, -133

  int exponent_bits() const { return 15 - fraction_bits; }

  /// The value of a bit pattern.
  double value(std::uint16_t bits) const {
    const int fraction = bits % (1 << fraction_bits);
    const int exponent = (bits >> fraction_bits) % (1 << exponent_bits());
    const double sign = bits >= 0x8000 ? -1 : 1;
    if (exponent == (1 << exponent_bits()) - 1)
      return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
    if (exponent == 0) return sign * std::ldexp(fraction, lowest_exponent);
    return sign * std::ldexp(fraction + (1 << fraction_bits), lowest_exponent + exponent - 1);
  }

  double largest() const {
    return value(static_cast<std::uint16_t>((((1 << exponent_bits()) - 1) << fraction_bits) - 1));
  }

  /// The format's number nearest to x, ties to even; infinite from half a step beyond the largest.
  double nearest(double x) const {
    if (std::isnan(x) || std::isinf(x) || x == 0) return x;
    int exponent;
    std::frexp(x, &exponent);
    const int step = std::max(exponent - 1 - fraction_bits, lowest_exponent);
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -step)), step);
    return std::fabs(rounded) > largest() ? std::copysign(std::numeric_limits<double>::infinity(), x)
                                          : rounded;
  }
};

inline constexpr Float16Reference half_reference{10, -24}, bfloat16_reference{7, -133};

/// Equal as a test wants it: NaN equals NaN, and -0 is not +0.
inline bool same_number(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace warplab::test
