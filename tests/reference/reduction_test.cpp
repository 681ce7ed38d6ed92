// The oracle of the reduction on numbers few enough to check by hand.
#include "reference/reduction.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace warplab::reference {
namespace {

TEST(ReductionReference, AddsAFewNumbers) {
  const std::vector<double> x{0.5, -2.0, 3.25};
  EXPECT_EQ(compensated_sum(x.data(), 3), 1.75);
  EXPECT_EQ(compensated_sum(x.data(), 0), 0.0);
  const std::vector<int> i{3, -1, 4, 1, -5};
  EXPECT_EQ(exact_sum(i.data(), 5), 2);
  EXPECT_EQ(exact_sum(i.data(), 0), 0);
}

TEST(ReductionReference, KeepsWhatRoundingTakesAway) {
  // 1 is lost beside 10^100 in double, whichever comes first.
  const std::vector<double> first{1e100, 1.0, -1e100}, later{1.0, 1e100, 1.0, -1e100};
  EXPECT_EQ(compensated_sum(first.data(), 3), 1.0);
  EXPECT_EQ(compensated_sum(later.data(), 4), 2.0);
  // 2^24 + 1 is not a float: a plain sum of floats stays at 2^24.
  const std::vector<float> many{16777216.0f, 1.0f, 1.0f, 1.0f};
  EXPECT_EQ(compensated_sum(many.data(), 4), 16777219.0);
  // Ten times the double next to 0.1 is not 1, but rounds to it.
  const std::vector<double> tenths(10, 0.1);
  EXPECT_EQ(compensated_sum(tenths.data(), 10), 1.0);
}

TEST(ReductionReference, AddsIntegersBeyond32Bits) {
  const std::vector<int> x(5, std::numeric_limits<int>::max());
  EXPECT_EQ(exact_sum(x.data(), 5), 10737418235);
}

TEST(ReductionReference, FindsTheSmallestAndTheLargest) {
  const std::vector<int> x{-3, 7, -8, 7, 2};
  EXPECT_EQ(minimum(x.data(), 5), -8);
  EXPECT_EQ(maximum(x.data(), 5), 7);
  const std::vector<float> negative{-2.5f, -1.5f, -3.5f};
  EXPECT_EQ(minimum(negative.data(), 3), -3.5f);
  EXPECT_EQ(maximum(negative.data(), 3), -1.5f);
  EXPECT_EQ(maximum(negative.data(), 1), -2.5f);
}

/// The baseline's result, on so many threads; nothing where there is no OpenMP.
template <class R, class T>
std::vector<R> baseline(Reduction reduction, const std::vector<T>& x, int threads) {
  R out = -77;
  const bool ran =
      reduction_baseline(reduction, x.data(), &out, static_cast<std::int64_t>(x.size()), threads);
  EXPECT_EQ(!ran, out == R(-77)) << "untouched where it did not run, and only there";
  return ran ? std::vector{out} : std::vector<R>{};
}

TEST(ReductionReference, TheBaselineAgreesOnOneThreadAndOnThree) {
  std::vector<int> x;
  for (int i = 1; i <= 1000; ++i) x.push_back(i % 2 ? i : -3 * i);
  for (const int threads : {1, 3}) {
    const auto check = [&](auto result, auto expected) {
      if (result.empty()) {
        EXPECT_GT(threads, 1);
      } else {
        EXPECT_EQ(result[0], expected) << threads << " threads";
      }
    };
    check(baseline<int>(Reduction::sum, x, threads), 250000 - 3 * 250500);
    check(baseline<int>(Reduction::min, x, threads), -3000);
    check(baseline<int>(Reduction::max, x, threads), 999);
    check(baseline<double>(Reduction::mean, x, threads), -501.5);
    const std::vector<float> halves{0.5f, 1.5f, 2.5f, -0.5f};
    check(baseline<float>(Reduction::sum, halves, threads), 4.0f);
    check(baseline<float>(Reduction::max, halves, threads), 2.5f);
    check(baseline<double>(Reduction::mean, halves, threads), 1.0);
  }
}

TEST(ReductionReference, TheBaselinesSumOfIntsWrapsAroundAndItsMeanDoesNot) {
  const std::vector<int> x{2147483647, 2147483647, 3};
  EXPECT_EQ(baseline<int>(Reduction::sum, x, 1), std::vector{1});  // 2^32 + 1
  EXPECT_EQ(baseline<double>(Reduction::mean, x, 1), std::vector{4294967297.0 / 3});
  EXPECT_EQ(baseline<int>(Reduction::sum, std::vector<int>{}, 1), std::vector{0});
}

}  // namespace
}  // namespace warplab::reference
