#include "common/host/statistics.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace warplab {
namespace {

TEST(Statistics, SummarisesByHand) {
  const std::vector<double> samples{9, 1, 2, 4, 4};
  const Summary s = summarize(samples);
  EXPECT_EQ(s.samples, 5u);
  EXPECT_DOUBLE_EQ(s.median, 4);
  EXPECT_DOUBLE_EQ(s.mean, 4);
  EXPECT_DOUBLE_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.max, 9);
  EXPECT_DOUBLE_EQ(s.mad.value(), 2);  // deviations 5 3 2 0 0
  EXPECT_NEAR(s.stddev.value(), 3.0822070014844885, 1e-15);
}

TEST(Statistics, MedianOfAnEvenNumberIsTheMiddle) {
  EXPECT_DOUBLE_EQ(summarize(std::vector<double>{4, 1, 3, 2}).median, 2.5);
  std::vector<double> values{7, 5};
  EXPECT_DOUBLE_EQ(median_of(values), 6);
}

TEST(Statistics, TooFewSamplesHaveNoSpread) {
  const Summary s = summarize(std::vector<double>{3, 3, 3, 3});
  EXPECT_DOUBLE_EQ(s.median, 3);
  EXPECT_FALSE(s.mad.has_value());
  EXPECT_FALSE(s.stddev.has_value());
  EXPECT_FALSE(s.interval_low.has_value());
  EXPECT_FALSE(s.interval_high.has_value());
}

TEST(Statistics, IntervalHoldsTheMedianAndNarrowsWithSamples) {
  std::vector<double> few, many;
  for (int i = 0; i < 10; ++i) few.push_back(i / 10.0);
  for (int i = 0; i < 1000; ++i) many.push_back(i / 1000.0);
  const Summary a = summarize(few), b = summarize(many);
  EXPECT_LE(a.interval_low.value(), a.median);
  EXPECT_GE(a.interval_high.value(), a.median);
  EXPECT_LT(*b.interval_high - *b.interval_low, *a.interval_high - *a.interval_low);
  EXPECT_NEAR(*b.interval_low, 0.469, 0.002);  // 500 - 1.96 * sqrt(1000) / 2 = 469
  EXPECT_NEAR(*b.interval_high, 0.531, 0.002);
}

TEST(Statistics, IntervalOfTheMedianIsThatOfTheBinomialDistribution) {
  const auto ranks = [](int n, double confidence) {
    std::vector<double> samples;
    for (int i = n; i > 0; --i) samples.push_back(i);
    return median_interval(samples, confidence);
  };
  EXPECT_FALSE(ranks(0, 0.5));
  EXPECT_FALSE(ranks(7, 0.99));  // 1 - 2 / 2^7 = 0.984
  ASSERT_TRUE(ranks(8, 0.99));   // 1 - 2 / 2^8 = 0.992
  EXPECT_EQ(ranks(8, 0.99)->low, 1);
  EXPECT_EQ(ranks(8, 0.99)->high, 8);
  // From tables of the sign test: the 6th of 20 is at 0.9586, the 7th at 0.8847.
  EXPECT_EQ(ranks(20, 0.95)->low, 6);
  EXPECT_EQ(ranks(20, 0.95)->high, 15);
  EXPECT_EQ(ranks(16, 0.99)->low, 3);  // 1 - 2 * 137 / 2^16 = 0.9958; the 4th is at 0.979
  EXPECT_EQ(ranks(16, 0.99)->high, 14);
  EXPECT_THROW((void)median_interval(std::vector<double>{std::numeric_limits<double>::infinity()}, 0.9),
               std::invalid_argument);
}

TEST(Statistics, RefusesNothingAndNaN) {
  EXPECT_THROW(summarize({}), std::invalid_argument);
  EXPECT_THROW(summarize(std::vector<double>{1, std::numeric_limits<double>::quiet_NaN()}),
               std::invalid_argument);
}

Summary of(double low, double median, double high) {
  Summary s;
  s.samples = 20;
  s.median = median;
  s.interval_low = low;
  s.interval_high = high;
  return s;
}

TEST(CompareIntervals, SaysFasterOnlyWhereIntervalsAreApart) {
  EXPECT_EQ(compare_intervals(of(1.0, 1.1, 1.2), of(1.3, 1.4, 1.5)), Verdict::faster);
  EXPECT_EQ(compare_intervals(of(1.3, 1.4, 1.5), of(1.0, 1.1, 1.2)), Verdict::slower);
  EXPECT_EQ(compare_intervals(of(1.000, 1.001, 1.002), of(1.001, 1.002, 1.003)), Verdict::same);
  EXPECT_EQ(compare_intervals(of(1.0, 1.2, 1.4), of(1.1, 1.3, 1.5)), Verdict::cannot_tell);
}

TEST(CompareIntervals, CannotTellWithoutASpread) {
  const Summary few = summarize(std::vector<double>{1, 1});
  EXPECT_EQ(compare_intervals(few, of(5, 5, 5)), Verdict::cannot_tell);
  EXPECT_STREQ(name_of(Verdict::cannot_tell), "cannot tell");
}

}  // namespace
}  // namespace warplab
