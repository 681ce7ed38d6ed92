#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "common/host/bad_input.hpp"
#include "common/io/filter_file.hpp"
#include "problem/case.hpp"
#include "problem/filter_quantiser.hpp"
#include "problem/filter_set.hpp"

// The filters of a case of lab 12: made from its numbers or read from files, and quantised.

namespace warplab {

/// The filters of a case that no file holds.
inline FilterSet filters_of(const Case& c, const GaussianShape& shape) {
  if (shape.kind == FilterKind::random) return random_filters(shape.filters, shape.side, c.seed + 23);
  FilterSet set{.count = shape.filters,
                .side = shape.side,
                .terms = shape.kind == FilterKind::mixed ? 2 : 1,
                .factors = {},
                .weights = {}};
  const auto append = [&](int i, double sigma, double share) {
    for (const double value : padded_factor(side_of(c, i), sigma, shape.side))
      set.factors.push_back(value * share);
  };
  for (int i = 0; i < shape.filters; ++i) {
    const double sigma = sigma_of(c, i);
    if (shape.kind == FilterKind::mixed) {  // broad and low, and high and narrow: a cross
      append(i, sigma / 3, 0.5);
      append(i, sigma, 1);
      append(i, sigma, 0.5);
      append(i, sigma / 3, 1);
    } else {
      append(i, sigma, 1);
      append(i, sigma, 1);
    }
  }
  return with_weights(std::move(set));
}

/// Inputs 1 to 3: weights (count, side, side) and factors (2, count, side; rows first) as halves, the latter
/// empty where there are none, and what they should be, for the oracle: factors (count, terms, 2, side) or
/// weights (count, side, side) in double.
inline std::vector<HostArray> arrays_of(const FilterSet& set) {
  const std::int64_t count = set.count, side = set.side;
  HostArray weights(DType::f16, {count, side, side});
  HostArray factors(DType::f16, {2, set.separable() ? count : 0, side});
  HostArray exact(DType::f64, set.terms ? std::vector<std::int64_t>{count, set.terms, 2, side}
                                        : std::vector<std::int64_t>{count, side, side});
  std::ranges::copy(set.terms ? set.factors : set.weights, exact.as<double>().begin());
  for (int i = 0; i < set.count; ++i) {
    std::ranges::copy(quantise(set.filter(i), set.taps() / 2), weights.as<Half>().begin() + i * side * side);
    if (!set.separable()) continue;
    for (const int which : {0, 1})
      std::ranges::copy(quantise(set.factor(i, 0, which), static_cast<std::size_t>(side) / 2),
                        factors.as<Half>().begin() + ((1 - which) * count + i) * side);
  }
  std::vector<HostArray> arrays;
  for (HostArray* array : {&weights, &factors, &exact}) arrays.push_back(std::move(*array));
  return arrays;
}

/// The largest error in grey levels that quantised weights make in any filter, and the largest sum of
/// |weights|.
struct FilterErrors {
  double dense = 0, separable = 0, gain = 0;

  explicit FilterErrors(const FilterSet& set) {
    for (int i = 0; i < set.count; ++i) {
      const auto weights = set.filter(i);
      double sum = 0;
      for (const double weight : weights) sum += std::fabs(weight);
      gain = std::max(gain, sum);
      dense = std::max(dense, quantisation_error(weights, quantise(weights, set.taps() / 2)));
      if (!set.separable()) continue;
      double both = 0;
      for (const int which : {0, 1}) {
        const auto factor = set.factor(i, 0, which);
        both += quantisation_error(factor, quantise(factor, factor.size() / 2));
      }
      separable = std::max(separable, both * std::max(1.0, sum));
    }
  }
};

/// "9" or "27,9,3" as numbers, each by `parse`.
template <class Parse>
auto parse_list(const std::string& text, Parse parse) {
  std::vector<decltype(parse(text))> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    values.push_back(parse(text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return values;
}

/// Takes the filters of a case from files, whose names are separated by commas. @throws BadInput
inline void use_filter_files(Case& c, const std::string& text, Replacements& inputs) {
  static constexpr FilterLimits file_limits{max_filter_side, 128, "files of numbers, separated by commas"};
  const std::vector<FilterFile> files = parse_list(text, [&](const std::string& path) {
    FilterFile file = read_filter(path, file_limits);
    const double sum = std::accumulate(file.coefficients.begin(), file.coefficients.end(), 0.0);
    if (std::fabs(sum - 1) > 1e-3)
      throw BadInput(
          fmt::format("--filter {} sums to {:.6g}; a filter here must sum to 1, so that an even surface "
                      "stays as it is",
                      path, sum));
    for (double& coefficient : file.coefficients) coefficient /= sum;
    return file;
  });
  if (files.size() > max_filters)
    throw BadInput(fmt::format("--filter names {} files; at most {}", files.size(), max_filters));
  FilterSet set{.count = static_cast<int>(files.size()), .side = 0, .terms = 1, .factors = {}, .weights = {}};
  for (const FilterFile& file : files) set.side = std::max(set.side, file.side);
  set.weights.assign(static_cast<std::size_t>(set.count) * set.taps(), 0.0);
  for (std::size_t i = 0; i < files.size(); ++i)
    for (int y = 0; y < files[i].side; ++y)
      std::copy_n(files[i].coefficients.begin() + y * files[i].side, files[i].side,
                  set.weights.begin() + static_cast<std::ptrdiff_t>(i * set.taps()) +
                      (y + (set.side - files[i].side) / 2) * set.side + (set.side - files[i].side) / 2);
  for (int i = 0; i < set.count && set.terms; ++i) {
    const auto factors = factors_of(set.filter(i), set.side);
    if (factors)
      set.factors.insert(set.factors.end(), factors->begin(), factors->end());
    else
      set.terms = 0;
  }
  const FilterErrors errors(set);
  c.set_param("kind", static_cast<int>(FilterKind::file), filter_label(text));
  c.set_param("side", set.side);
  c.set_param("filters", set.count);
  c.set_param("separable", set.separable());
  c.set_param("file_error", std::max(errors.dense, errors.separable));
  c.set_param("file_gain", errors.gain);
  std::size_t i = 1;
  for (HostArray& array : arrays_of(set)) inputs[i++] = std::move(array);
}

}  // namespace warplab
