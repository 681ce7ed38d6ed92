#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace warplab {

/// Samples in a nutshell, in the samples' own unit. A spread needs `samples_for_spread` samples; with fewer
/// it is empty ("unavailable"), never 0.
struct Summary {
  std::size_t samples = 0;
  double median = 0;
  double mean = 0;
  double min = 0;
  double max = 0;
  std::optional<double> mad;           ///< median of |x - median|
  std::optional<double> stddev;        ///< with n - 1
  std::optional<double> interval_low;  ///< median_interval() of 95 %: from 6 samples on
  std::optional<double> interval_high;
};

inline constexpr std::size_t samples_for_spread = 5;

/// @throws std::invalid_argument if there are no samples or one is not finite.
Summary summarize(std::span<const double> samples);

/// The median of values, which are reordered. @pre not empty
double median_of(std::span<double> values);

/// From `low` to `high`, both included, in the samples' unit.
struct Interval {
  double low = 0, high = 0;
};

/// An interval that holds the true median with at least this confidence, whatever the distribution: from the
/// order statistic as far inside as the binomial distribution of the number of samples below the median
/// allows. Nothing where there are too few samples: 0.95 takes 6, 0.99 takes 8. @param confidence of both
/// sides, below 1
/// @throws std::invalid_argument if one is not finite
std::optional<Interval> median_interval(std::span<const double> samples, double confidence);

/// How one set of times compares with another.
enum class Verdict { faster, slower, same, cannot_tell };

/// How `a` compares with `b`, both of times. Faster or slower if the intervals are apart; the same if they
/// overlap and together span at most 2 % of the median; otherwise, or without a spread, one cannot tell.
Verdict compare_intervals(const Summary& a, const Summary& b);

/// "faster", "slower", "same", "cannot tell".
const char* name_of(Verdict verdict);

}  // namespace warplab
