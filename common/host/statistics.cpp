#include "common/host/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace warplab {

double median_of(std::span<double> values) {
  const std::size_t half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + half, values.end());
  if (values.size() % 2) return values[half];
  return (values[half] + *std::max_element(values.begin(), values.begin() + half)) / 2;
}

Summary summarize(std::span<const double> samples) {
  if (samples.empty()) throw std::invalid_argument("no samples to summarise");
  if (!std::all_of(samples.begin(), samples.end(), [](double x) { return std::isfinite(x); }))
    throw std::invalid_argument("a sample is not finite");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  Summary s;
  s.samples = n;
  s.median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  s.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(n);
  s.min = sorted.front();
  s.max = sorted.back();
  if (n < samples_for_spread) return s;

  double squares = 0;
  std::vector<double> deviations(n);
  for (std::size_t i = 0; i < n; ++i) {
    squares += (sorted[i] - s.mean) * (sorted[i] - s.mean);
    deviations[i] = std::abs(sorted[i] - s.median);
  }
  s.stddev = std::sqrt(squares / static_cast<double>(n - 1));
  s.mad = median_of(deviations);
  if (const std::optional<Interval> interval = median_interval(sorted, 0.95)) {
    s.interval_low = interval->low;
    s.interval_high = interval->high;
  }
  return s;
}

std::optional<Interval> median_interval(std::span<const double> samples, double confidence) {
  if (!std::all_of(samples.begin(), samples.end(), [](double x) { return std::isfinite(x); }))
    throw std::invalid_argument("a sample is not finite");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  // The chance that at most `inside` samples lie below the median, for as long as both tails are small
  // enough. By logarithms, since 2^-n is too small for a double from 1075 samples on.
  double log_term = -static_cast<double>(n) * std::log(2.0), tail = std::exp(log_term);
  std::size_t inside = 0;
  while (inside < n / 2 && 2 * tail <= 1 - confidence) {
    ++inside;
    log_term += std::log(static_cast<double>(n - inside + 1) / static_cast<double>(inside));
    tail += std::exp(log_term);
  }
  if (inside == 0) return std::nullopt;
  return Interval{sorted[inside - 1], sorted[n - inside]};
}

Verdict compare_intervals(const Summary& a, const Summary& b) {
  if (!a.interval_low || !b.interval_low) return Verdict::cannot_tell;
  if (*a.interval_high < *b.interval_low) return Verdict::faster;
  if (*a.interval_low > *b.interval_high) return Verdict::slower;
  const double span =
      std::max(*a.interval_high, *b.interval_high) - std::min(*a.interval_low, *b.interval_low);
  return span <= 0.02 * std::min(a.median, b.median) ? Verdict::same : Verdict::cannot_tell;
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "faster";
    case Verdict::slower:
      return "slower";
    case Verdict::same:
      return "same";
    case Verdict::cannot_tell:
      break;
  }
  return "cannot tell";
}

}  // namespace warplab
