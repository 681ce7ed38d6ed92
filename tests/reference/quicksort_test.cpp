// The oracle of lab 11: its order on literals, against bits and against a sort by hand; and its adversaries.
#include "reference/quicksort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

namespace warplab::reference {
namespace {

using limits = std::numeric_limits<float>;

template <class T>
std::vector<T> in_order(std::vector<T> keys) {
  sort_keys(keys.data(), static_cast<std::int64_t>(keys.size()));
  return keys;
}

TEST(QuicksortReference, SortsALiteral) {
  EXPECT_EQ(in_order<int>({3, 5, 1}), (std::vector<int>{1, 3, 5}));
  EXPECT_EQ(in_order<int>({}), std::vector<int>{});
  EXPECT_EQ(in_order<double>({2.5, -1, 2.5, 0}), (std::vector<double>{-1, 0, 2.5, 2.5}));
  EXPECT_EQ(in_order<int>({0, std::numeric_limits<int>::max(), std::numeric_limits<int>::min(), -1}),
            (std::vector<int>{std::numeric_limits<int>::min(), -1, 0, std::numeric_limits<int>::max()}));
}

TEST(QuicksortReference, MinusZeroComesBeforePlusZeroAndNansComeLast) {
  const float nan = limits::quiet_NaN(), infinity = limits::infinity();
  const std::vector<float> sorted = in_order<float>({nan, 0.0f, -infinity, -nan, 1.0f, -0.0f, infinity,
                                                     limits::denorm_min(), -limits::denorm_min(), -1.0f});
  const std::vector<float> expected = {
      -infinity, -1.0f, -limits::denorm_min(), -0.0f, 0.0f, limits::denorm_min(), 1.0f, infinity, nan, -nan};
  EXPECT_EQ(std::memcmp(sorted.data(), expected.data(), sizeof(float) * expected.size()), 0);
}

TEST(QuicksortReference, AgreesWithTheOrderOfBits) {
  std::mt19937 random(7);
  std::vector<float> keys(2000);
  for (float& key : keys) key = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  keys.insert(keys.end(), {0.0f, -0.0f, limits::infinity(), -limits::infinity(), limits::quiet_NaN()});
  const std::vector<float> sorted = in_order(keys);
  // Groups by sign and kind, each in the order of its bits, or in the opposite one.
  const auto group = [](float x) { return std::isnan(x) ? 2 : std::signbit(x) ? 0 : 1; };
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const float a = sorted[i - 1], b = sorted[i];
    ASSERT_LE(group(a), group(b)) << i;
    if (group(a) != group(b)) continue;
    const auto x = std::bit_cast<std::uint32_t>(a), y = std::bit_cast<std::uint32_t>(b);
    ASSERT_TRUE(group(a) == 0 ? x >= y : x <= y) << i;
  }
}

TEST(QuicksortReference, IsBeforeIsAStrictOrderInWhichOnlyEqualBitsAreEqual) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double keys[] = {-nan, nan, 0.0, -0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL};
  for (const double a : keys)
    for (const double b : keys) {
      const bool same = std::memcmp(&a, &b, sizeof a) == 0;
      EXPECT_EQ(is_before(a, b) + is_before(b, a), same ? 0 : 1) << a << " " << b;
    }
}

TEST(QuicksortReference, KillersArePermutationsThatTakeQuadraticWork) {
  constexpr int n = 2000;
  for (const PivotRule rule :
       {PivotRule::first, PivotRule::middle, PivotRule::median_of_three, PivotRule::ninther}) {
    std::vector<int> killer = killer_sequence(rule, n);
    const QuicksortWork work = quicksort_work(rule, killer, 16);
    // Each level cuts off the pivot and, with a median, a few more: n / 10 levels or more.
    EXPECT_GT(work.levels, n / 10) << static_cast<int>(rule);
    EXPECT_GT(work.comparisons, std::int64_t{n} * n / 20) << static_cast<int>(rule);
    std::ranges::sort(killer);
    for (int i = 0; i < n; ++i) ASSERT_EQ(killer[static_cast<std::size_t>(i)], i);
  }
  EXPECT_TRUE(killer_sequence(PivotRule::ninther, 0).empty());
  EXPECT_EQ(killer_sequence(PivotRule::first, 1), std::vector<int>{0});
}

// Knuth: 2 (n + 1) H(n) - 4 n comparisons in all with one pivot, which is 1.39 n log2 n minus terms in n.
TEST(QuicksortReference, RandomKeysTakeThePredictedComparisons) {
  constexpr int n = 10'000;
  std::vector<int> keys(n);
  std::iota(keys.begin(), keys.end(), 0);
  double sum = 0;
  constexpr int runs = 20;
  for (unsigned run = 0; run < runs; ++run) {
    std::shuffle(keys.begin(), keys.end(), std::mt19937(run));
    const QuicksortWork work = quicksort_work(PivotRule::first, keys, 0);
    sum += static_cast<double>(work.comparisons) - n;  // it compares pivots with themselves too
    EXPECT_LT(work.levels, 60);
  }
  double harmonic = 0;
  for (int i = 1; i <= n; ++i) harmonic += 1.0 / i;
  const double expected = 2 * (n + 1) * harmonic - 4.0 * n;  // 155,772; the deviation is 0.65 n, over 20 runs
  EXPECT_NEAR(sum / runs, expected, 4 * 0.65 * n / std::sqrt(runs));
}

}  // namespace
}  // namespace warplab::reference
