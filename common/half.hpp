#pragma once

#include <cmath>
#include <cstdint>

namespace warplab {

/// A number of IEEE 754's 16-bit format on the host: what __half is in kernels, without a dependency on CUDA.
/// It only stores: arithmetic is done in float or double.
class Half {
 public:
  constexpr Half() = default;
  /// Rounded to nearest, ties to even; 65520 and beyond become infinite.
  explicit Half(double value) : bits_(to_bits(value)) {}

  operator float() const {
    const int exponent = bits_ >> 10 & 31, fraction = bits_ & 1023;
    float magnitude = 0;
    if (exponent == 31)
      magnitude = fraction ? NAN : INFINITY;
    else if (exponent == 0)
      magnitude = std::ldexp(static_cast<float>(fraction), -24);
    else
      magnitude = std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
    return bits_ & 0x8000 ? -magnitude : magnitude;
  }

  static constexpr double largest = 65504;

 private:
  static std::uint16_t to_bits(double value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) return 0x7e00;
    if (magnitude >= 65520) return sign | 0x7c00;
    // A multiple of 2^-24 below 2^-14. A carry out of the fraction goes where it belongs, here and below.
    if (magnitude < 0x1p-14)
      return static_cast<std::uint16_t>(sign | static_cast<int>(std::nearbyint(magnitude * 0x1p24)));
    const int exponent = std::ilogb(magnitude);
    const int fraction = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
    return static_cast<std::uint16_t>(sign | (((exponent + 15) << 10) + fraction - 1024));
  }

  std::uint16_t bits_ = 0;
};
static_assert(sizeof(Half) == 2);

}  // namespace warplab
