#include "common/host/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "common/host/poison.hpp"

namespace warplab {
namespace {

template <class T>
HostArray array_of(std::vector<std::int64_t> shape, const std::vector<T>& values) {
  HostArray array(dtype_of<T>(), std::move(shape));
  std::copy(values.begin(), values.end(), array.as<T>().begin());
  return array;
}

TEST(Compare, AcceptsWithinTheBound) {
  const auto expected = array_of<float>({3}, {1, 100, 0});
  EXPECT_TRUE(compare(array_of<float>({3}, {1.001f, 100.1f, 0.0005f}), expected, {1e-3, 1e-3}).accepted);
  EXPECT_FALSE(compare(array_of<float>({3}, {1, 100.3f, 0}), expected, {1e-3, 1e-3}).accepted);
}

TEST(Compare, ReportsTheErrorsOfWhatItAccepts) {
  const Comparison c = compare(array_of<double>({2}, {1.5, 2}), array_of<double>({2}, {1, 2}), {1, 0});
  EXPECT_TRUE(c.accepted);
  EXPECT_EQ(c.count, 2);
  EXPECT_DOUBLE_EQ(c.max_abs_error, 0.5);
  EXPECT_DOUBLE_EQ(c.max_rel_error, 0.5);
  EXPECT_EQ(c.report, "");
}

TEST(Compare, NaNAndInfinityFailWhateverTheBound) {
  const auto expected = array_of<float>({2}, {1, 1});
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(compare(array_of<float>({2}, {1, NAN}), expected, {1e30, 1e30}).accepted);
  EXPECT_FALSE(compare(array_of<float>({2}, {1, infinity}), expected, {1e30, 1e30}).accepted);
  EXPECT_FALSE(compare(array_of<float>({1}, {infinity}), array_of<float>({1}, {infinity}), {1, 1}).accepted);
  EXPECT_FALSE(compare(array_of<float>({1}, {1}), array_of<float>({1}, {NAN}), {1, 1}).accepted);
  EXPECT_FALSE(compare(array_of<float>({1}, {5}), array_of<float>({1}, {infinity}), {1, 1}).accepted);
  EXPECT_FALSE(compare(array_of<float>({1}, {5}), array_of<float>({1}, {-infinity}), {1, 1e-6}).accepted);
}

TEST(Compare, IntegersAreExactEvenAt64Bits) {
  const std::int64_t big = std::int64_t{1} << 62;
  EXPECT_TRUE(compare(array_of<std::int64_t>({1}, {big}), array_of<std::int64_t>({1}, {big}), {}).accepted);
  EXPECT_FALSE(
      compare(array_of<std::int64_t>({1}, {big + 1}), array_of<std::int64_t>({1}, {big}), {}).accepted);
  EXPECT_FALSE(compare(array_of<std::int64_t>({1}, {std::numeric_limits<std::int64_t>::min()}),
                       array_of<std::int64_t>({1}, {std::numeric_limits<std::int64_t>::max()}), {})
                   .accepted);
}

TEST(Compare, ReportNamesCountWorstAndTheFirstFive) {
  std::vector<int> expected(24), actual(24);
  for (int i = 0; i < 24; ++i) expected[i] = actual[i] = i;
  for (int i : {1, 5, 6, 11, 12, 13, 23}) actual[i] += i == 13 ? 100 : 1;
  const Comparison c = compare(array_of<int>({2, 3, 4}, actual), array_of<int>({2, 3, 4}, expected), {});
  EXPECT_EQ(c.mismatches, 7);
  EXPECT_DOUBLE_EQ(c.max_abs_error, 100);
  EXPECT_EQ(c.report,
            "7 of 24 elements differ from the expected values (exact comparison)\n"
            "  worst: [1, 0, 1] expected 13, got 113\n"
            "  first: [0, 0, 1] expected 1, got 2\n"
            "         [0, 1, 1] expected 5, got 6\n"
            "         [0, 1, 2] expected 6, got 7\n"
            "         [0, 2, 3] expected 11, got 12\n"
            "         [1, 0, 0] expected 12, got 13");
}

TEST(Compare, SaysWhatWasNeverWritten) {
  HostArray actual(DType::f32, {4}), expected(DType::f32, {4});
  fill_poison(actual.bytes());
  actual.as<float>()[0] = 0;
  EXPECT_NE(compare(actual, expected, {}).report.find("they hold the poison"), std::string::npos);
  actual.as<float>()[1] = 5;
  EXPECT_NE(compare(actual, expected, {}).report.find("2 of them hold the poison"), std::string::npos);
  EXPECT_EQ(compare(array_of<float>({1}, {2}), array_of<float>({1}, {1}), {}).report.find("never"),
            std::string::npos);
}

TEST(Compare, OneByteThatLooksLikePoisonIsNoProof) {
  const auto actual = array_of<std::uint8_t>({4}, {0xFB, 0, 0, 0});
  EXPECT_EQ(compare(actual, array_of<std::uint8_t>({4}, {0, 0, 0, 0}), {}).report.find("never"),
            std::string::npos);
  HostArray untouched(DType::u8, {64});
  fill_poison(untouched.bytes());
  EXPECT_NE(compare(untouched, HostArray(DType::u8, {64}), {}).report.find("never written"),
            std::string::npos);
}

TEST(Compare, LargeArraysAreSplitAndMergedInOrder) {
  constexpr std::int64_t n = 1'000'003;
  HostArray actual(DType::f32, {n}), expected(DType::f32, {n});
  for (std::int64_t i : {std::int64_t{7}, n / 2 + 1, n - 1})
    actual.as<float>()[static_cast<std::size_t>(i)] = static_cast<float>(i);
  const Comparison c = compare(actual, expected, {});
  EXPECT_EQ(c.mismatches, 3);
  EXPECT_NE(c.report.find("worst: [1000002]"), std::string::npos) << c.report;
  EXPECT_NE(c.report.find("first: [7] expected 0, got 7\n         [500002]"), std::string::npos) << c.report;
}

TEST(Compare, MeansTellABiasFromNoise) {
  const auto expected = array_of<std::uint8_t>({4}, {10, 20, 30, 40});
  const Comparison low = compare(array_of<std::uint8_t>({4}, {9, 19, 30, 39}), expected, {1, 0});
  EXPECT_TRUE(low.accepted);
  EXPECT_DOUBLE_EQ(low.mean_abs_error, 0.75);
  EXPECT_DOUBLE_EQ(low.mean_error, -0.75);
  const Comparison noise = compare(array_of<std::uint8_t>({4}, {11, 19, 31, 39}), expected, {1, 0});
  EXPECT_DOUBLE_EQ(noise.mean_abs_error, 1);
  EXPECT_DOUBLE_EQ(noise.mean_error, 0);
}

TEST(Compare, HalvesAreComparedAsNumbers) {
  const auto expected = array_of<Half>({2}, {Half(1), Half(-0.0)});
  EXPECT_TRUE(compare(array_of<Half>({2}, {Half(1 + 0x1p-10), Half(0.0)}), expected, {0x1p-10, 0}).accepted);
  const Comparison wrong = compare(array_of<Half>({2}, {Half(1), Half(1e9)}), expected, {100, 0});
  EXPECT_NE(wrong.report.find("[1] expected -0, got inf"), std::string::npos) << wrong.report;
}

TEST(Compare, EmptyArraysAreEqualAndShapesMustAgree) {
  EXPECT_TRUE(compare(HostArray(DType::f32, {0, 5}), HostArray(DType::f32, {0, 5}), {}).accepted);
  EXPECT_THROW(compare(HostArray(DType::f32, {2, 3}), HostArray(DType::f32, {3, 2}), {}),
               std::invalid_argument);
  EXPECT_THROW(compare(HostArray(DType::f32, {2}), HostArray(DType::i32, {2}), {}), std::invalid_argument);
}

}  // namespace
}  // namespace warplab
