#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace warplab {

/// A bfloat16 on the host: the upper half of a float, with 8 bits of precision. It is what __nv_bfloat16 is
/// in kernels, without a dependency on CUDA. It only stores: arithmetic is done in float or double.
class Bfloat16 {
 public:
  constexpr Bfloat16() = default;
  /// Rounded to nearest, ties to even; what rounds beyond the largest becomes infinite.
  explicit Bfloat16(double value) : bits_(to_bits(value)) {}

  constexpr operator float() const { return std::bit_cast<float>(std::uint32_t{bits_} << 16); }

  static constexpr double largest = 0x1.FEp127;

 private:
  static std::uint16_t to_bits(double value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) return 0x7fc0;
    if (magnitude >= 0x1.FFp127) return sign | 0x7f80;
    // A multiple of 2^-133 below 2^-126. A carry out of the fraction goes where it belongs, here and below.
    if (magnitude < 0x1p-126)
      return static_cast<std::uint16_t>(sign | static_cast<int>(std::nearbyint(std::ldexp(magnitude, 133))));
    const int exponent = std::ilogb(magnitude);
    const int fraction = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 7 - exponent)));
    return static_cast<std::uint16_t>(sign | (((exponent + 127) << 7) + fraction - 128));
  }

  std::uint16_t bits_ = 0;
};
static_assert(sizeof(Bfloat16) == 2);

}  // namespace warplab
