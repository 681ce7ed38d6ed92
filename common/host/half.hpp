#pragma once

#include <bit>
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
    const unsigned magnitude = bits_ & 0x7fffu, sign = (bits_ & 0x8000u) << 16;
    // Infinity and NaN keep their fraction. For the others the product moves the exponent, also where there
    // is no leading one.
    const float value = magnitude >= 0x7c00 ? std::bit_cast<float>(magnitude << 13 | 0x7f800000u)
                                            : std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    return std::bit_cast<float>(std::bit_cast<unsigned>(value) | sign);
  }

  static constexpr double largest = 65504;

 private:
  static std::uint16_t to_bits(double value) {
    constexpr std::uint64_t one = std::uint64_t{1} << 52;  // the leading one of a double's fraction
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
    if (exponent > 15) return std::isnan(value) ? 0x7e00 : sign | 0x7c00;
    if (exponent < -25) return sign;  // below half of the smallest
    // A multiple of the last place that there is: 2^(exponent - 10), or 2^-24 below 2^-14.
    const int dropped = exponent < -14 ? 28 - exponent : 42;
    const std::uint64_t fraction = (bits & (one - 1)) | one, place = std::uint64_t{1} << dropped;
    std::uint64_t rounded = fraction >> dropped;
    const std::uint64_t rest = fraction & (place - 1);
    if (rest > place / 2 || (rest == place / 2 && rounded % 2 != 0)) ++rounded;
    // A carry out of the fraction goes where it belongs, to infinity as well.
    const std::uint64_t below = exponent < -14 ? 0 : static_cast<std::uint64_t>(exponent + 14) << 10;
    return static_cast<std::uint16_t>(sign | (below + rounded));
  }

  std::uint16_t bits_ = 0;
};
static_assert(sizeof(Half) == 2);

}  // namespace warplab
