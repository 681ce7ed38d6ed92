#include "common/host/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace warplab {
namespace {

TEST(Random, BitsAreTheSameOnEveryMachine) {
  EXPECT_EQ(random_bits(1, 0), random_bits(1, 0));
  EXPECT_NE(random_bits(1, 0), random_bits(1, 1));
  EXPECT_NE(random_bits(1, 0), random_bits(2, 0));
  static_assert(random_unit(7, 9) >= 0 && random_unit(7, 9) < 1);
  // SplitMix64's published first output for the state 0, which the mixing function must reproduce.
  EXPECT_EQ(random_bits(std::uint64_t{0} - 0x9E3779B97F4A7C15u, 0), 0xE220A8397B1DCDAFu);
}

TEST(Random, AFillIsReproducibleAndDependsOnSeedAndStream) {
  const auto fill = [](std::uint64_t seed, unsigned stream) {
    HostArray a(DType::f32, {300'000});
    fill_random(a, seed, stream);
    return std::vector<std::byte>(a.bytes().begin(), a.bytes().end());
  };
  EXPECT_EQ(fill(5, 0), fill(5, 0));
  EXPECT_NE(fill(5, 0), fill(6, 0));
  EXPECT_NE(fill(5, 0), fill(5, 1));
}

TEST(Random, AnElementDoesNotDependOnTheArraysSize) {
  HostArray small(DType::i32, {10}), large(DType::i32, {1'000'000});
  fill_random(small, 3);
  fill_random(large, 3);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(small.as<int>()[i], large.as<int>()[i]);
}

TEST(Random, RealsFillTheRangeEvenly) {
  HostArray a(DType::f64, {100'000});
  fill_random(a, 11, 2.0, 4.0);
  double sum = 0;
  for (double x : a.as<double>()) {
    ASSERT_GE(x, 2.0);
    ASSERT_LT(x, 4.0);
    sum += x;
  }
  EXPECT_NEAR(sum / 100'000, 3.0, 0.01);
}

TEST(Random, IntegersReachBothEnds) {
  HostArray a(DType::u8, {5000});
  fill_random(a, 1, 250, 255);
  std::set<int> seen;
  for (std::uint8_t x : a.as<std::uint8_t>()) seen.insert(x);
  EXPECT_EQ(seen, (std::set<int>{250, 251, 252, 253, 254, 255}));
}

TEST(Random, IsNeverConstant) {
  for (DType dtype : all_dtypes)
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      HostArray a(dtype, {2});
      fill_random(a, seed, 0, 1);
      const auto bytes = a.bytes();
      const std::size_t half = bytes.size() / 2;
      ASSERT_FALSE(std::equal(bytes.begin(), bytes.begin() + half, bytes.begin() + half))
          << name_of(dtype) << " " << seed;
    }
}

TEST(Random, RefusesARangeThatDoesNotFit) {
  HostArray bytes(DType::u8, {4}), reals(DType::f32, {4});
  EXPECT_THROW(fill_random(bytes, 1, 0, 256), std::invalid_argument);
  EXPECT_THROW(fill_random(bytes, 1, 5, 4), std::invalid_argument);
  EXPECT_THROW(fill_random(reals, 1, 0, 1e300), std::invalid_argument);
}

TEST(Random, AnEmptyArrayStaysEmpty) {
  HostArray a(DType::f32, {0});
  fill_random(a, 1);
  EXPECT_EQ(a.count(), 0);
}

}  // namespace
}  // namespace warplab
