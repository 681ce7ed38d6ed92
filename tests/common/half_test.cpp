// Halves on the host: every one of them, and the rounding between them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "common/host/half.hpp"

namespace warplab {
namespace {

Half from_bits(int bits) { return std::bit_cast<Half>(static_cast<std::uint16_t>(bits)); }
int bits_of(Half half) { return std::bit_cast<std::uint16_t>(half); }

TEST(Half, HoldsWhatTheFormatSays) {
  EXPECT_EQ(float{from_bits(0x3c00)}, 1.0f);
  EXPECT_EQ(float{from_bits(0xc000)}, -2.0f);
  EXPECT_EQ(float{from_bits(0x7bff)}, 65504.0f);
  EXPECT_EQ(float{from_bits(0x0001)}, 0x1p-24f);
  EXPECT_EQ(float{from_bits(0x0400)}, 0x1p-14f);
  EXPECT_TRUE(std::isinf(float{from_bits(0xfc00)}));
  EXPECT_TRUE(std::isnan(float{from_bits(0x7c01)}));
}

TEST(Half, EveryOneComesBackFromAFloat) {
  for (int bits = 0; bits < 65536; ++bits) {
    const Half half = from_bits(bits);
    if (std::isnan(float{half})) continue;
    EXPECT_EQ(bits_of(Half(float{half})), bits);
  }
  EXPECT_TRUE(std::isnan(float{Half(std::numeric_limits<double>::quiet_NaN())}));
}

// Between two neighbours lies a number that goes to the even one; a little to either side it goes there.
TEST(Half, RoundsToTheNearestAndTiesToEven) {
  for (int bits = 0; bits < 0x7bff; ++bits) {
    const double below = float{from_bits(bits)}, above = float{from_bits(bits + 1)};
    const double middle = (below + above) / 2;
    EXPECT_EQ(bits_of(Half(middle)), bits % 2 ? bits + 1 : bits);
    EXPECT_EQ(bits_of(Half(std::nextafter(middle, 0.0))), bits);
    EXPECT_EQ(bits_of(Half(std::nextafter(middle, 1e9))), bits + 1);
  }
  EXPECT_EQ(float{Half(65519.99)}, 65504.0f);
  EXPECT_TRUE(std::isinf(float{Half(65520.0)}));
  EXPECT_EQ(float{Half(-1e300)}, -std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace warplab
