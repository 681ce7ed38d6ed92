#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/host/random.hpp"
#include "reference/gaussian.hpp"

namespace warplab {

/// Filters of one size in double, as the oracle has them: sums of outer products,
/// or weights without structure.
struct FilterSet {
  int count = 0, side = 0;
  int terms = 0;                ///< outer products in a filter; 0: weights without structure
  std::vector<double> factors;  ///< (count, terms, 2, side): the columns' factor, then the rows'
  std::vector<double> weights;  ///< (count, side, side)

  bool separable() const { return terms == 1; }
  std::size_t taps() const { return static_cast<std::size_t>(side) * static_cast<std::size_t>(side); }
  std::span<const double> filter(int i) const {
    return std::span(weights).subspan(static_cast<std::size_t>(i) * taps(), taps());
  }
  /// @param which 0 for the columns' factor, 1 for the rows'
  std::span<const double> factor(int i, int term, int which) const {
    const auto side_of = static_cast<std::size_t>(side);
    return std::span(factors).subspan(((static_cast<std::size_t>(i) * terms + term) * 2 + which) * side_of,
                                      side_of);
  }
};

/// Fills in the weights that the factors make.
inline FilterSet with_weights(FilterSet set) {
  set.weights.assign(static_cast<std::size_t>(set.count) * set.taps(), 0.0);
  const auto side = static_cast<std::size_t>(set.side);
  for (int i = 0; i < set.count; ++i)
    for (int term = 0; term < set.terms; ++term) {
      const std::span<const double> down = set.factor(i, term, 0), across = set.factor(i, term, 1);
      double* to = set.weights.data() + static_cast<std::size_t>(i) * set.taps();
      for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x) *to++ += down[y] * across[x];
    }
  return set;
}

/// A Gaussian's factor of its own size in the middle of `side` numbers.
inline std::vector<double> padded_factor(int own_side, double sigma, int side) {
  const std::vector<double> own = reference::gaussian_factor(own_side, sigma);
  std::vector<double> padded(static_cast<std::size_t>(side), 0.0);
  std::copy(own.begin(), own.end(), padded.begin() + (side - own_side) / 2);
  return padded;
}

/// The sigma that goes with a size where none is given: the rule of OpenCV's getGaussianKernel.
inline double usual_sigma(int side) { return 0.3 * ((side - 1) * 0.5 - 1) + 0.8; }

/// Random weights of both signs that sum to 1, without structure.
inline FilterSet random_filters(int count, int side, std::uint64_t seed) {
  FilterSet set{.count = count, .side = side, .terms = 0, .factors = {}, .weights = {}};
  set.weights.resize(static_cast<std::size_t>(count) * set.taps());
  for (int i = 0; i < count; ++i) {
    double* const filter = set.weights.data() + static_cast<std::size_t>(i) * set.taps();
    double sum = 0;
    for (std::size_t t = 0; t < set.taps(); ++t)
      sum += filter[t] = random_unit(seed + static_cast<std::uint64_t>(i), t) - 0.2;
    for (std::size_t t = 0; t < set.taps(); ++t) filter[t] /= sum;
  }
  return set;
}

/// The factors of weights that are one outer product up to 2^-40 of their largest, for a filter from a file.
inline std::optional<std::vector<double>> factors_of(std::span<const double> weights, int side) {
  const auto n = static_cast<std::size_t>(side);
  std::size_t pivot = 0;
  for (std::size_t t = 0; t < weights.size(); ++t)
    if (std::fabs(weights[t]) > std::fabs(weights[pivot])) pivot = t;
  // Its row, made to sum to 1; then its column takes what the whole filter sums to.
  double row_sum = 0;
  for (std::size_t x = 0; x < n; ++x) row_sum += weights[pivot / n * n + x];
  if (std::fabs(row_sum) < 1e-6 * std::fabs(weights[pivot])) return std::nullopt;
  std::vector<double> factors(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    factors[i] = weights[i * n + pivot % n] / weights[pivot] * row_sum;
    factors[n + i] = weights[pivot / n * n + i] / row_sum;
  }
  for (std::size_t t = 0; t < weights.size(); ++t)
    if (std::fabs(factors[t / n] * factors[n + t % n] - weights[t]) > 0x1p-40 * std::fabs(weights[pivot]))
      return std::nullopt;
  return factors;
}

}  // namespace warplab
