// bfloat16 on the host: every one of them, and the rounding between them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "common/host/bfloat16.hpp"

namespace warplab {
namespace {

Bfloat16 from_bits(int bits) { return std::bit_cast<Bfloat16>(static_cast<std::uint16_t>(bits)); }
int bits_of(Bfloat16 value) { return std::bit_cast<std::uint16_t>(value); }

TEST(Bfloat16, HoldsWhatTheFormatSays) {
  EXPECT_EQ(float{from_bits(0x3f80)}, 1.0f);
  EXPECT_EQ(float{from_bits(0xc000)}, -2.0f);
  EXPECT_EQ(float{from_bits(0x7f7f)}, 0x1.FEp127f);
  EXPECT_EQ(float{from_bits(0x0001)}, 0x1p-133f);
  EXPECT_TRUE(std::isinf(float{from_bits(0xff80)}));
  EXPECT_TRUE(std::isnan(float{from_bits(0x7f81)}));
}

TEST(Bfloat16, EveryOneComesBackFromAFloat) {
  for (int bits = 0; bits < 65536; ++bits) {
    const Bfloat16 value = from_bits(bits);
    if (std::isnan(float{value})) continue;
    EXPECT_EQ(bits_of(Bfloat16(float{value})), bits);
  }
  EXPECT_TRUE(std::isnan(float{Bfloat16(std::numeric_limits<double>::quiet_NaN())}));
}

TEST(Bfloat16, RoundsToTheNearestAndTiesToEven) {
  for (int bits = 0; bits < 0x7f7f; ++bits) {
    const double middle = (double{float{from_bits(bits)}} + double{float{from_bits(bits + 1)}}) / 2;
    EXPECT_EQ(bits_of(Bfloat16(middle)), bits % 2 ? bits + 1 : bits);
    EXPECT_EQ(bits_of(Bfloat16(std::nextafter(middle, 0.0))), bits);
    EXPECT_EQ(bits_of(Bfloat16(std::nextafter(middle, 1e39))), bits + 1);
  }
  EXPECT_EQ(float{Bfloat16(0x1.FEFFp127)}, 0x1.FEp127f);
  EXPECT_TRUE(std::isinf(float{Bfloat16(0x1.FFp127)}));
  EXPECT_EQ(float{Bfloat16(-1e300)}, -std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace warplab
