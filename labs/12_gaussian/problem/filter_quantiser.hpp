#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "common/host/half.hpp"

namespace warplab {

/// What weights are multiplied by before they become halves, which lose digits below 2^-14: as much as leaves
/// a sum of bytes times weights below a half's largest number, 65504.
inline constexpr float filter_scale = 256;

/// A filter's weights times filter_scale as halves whose sum is exactly that. What rounding adds or takes
/// away goes to the tap at `centre`; what is finer than the last bit of that one, to the next smaller taps.
/// @pre the weights' sum is 1 up to rounding
inline std::vector<Half> quantise(std::span<const double> weights, std::size_t centre) {
  constexpr double scale = filter_scale;
  std::vector<Half> taps(weights.size());
  std::ranges::transform(weights, taps.begin(), [&](double weight) { return Half(weight * scale); });
  // Halves are multiples of 2^-24 and their sum is below 2^20: exact in double.
  double residue = scale - std::accumulate(taps.begin(), taps.end(), 0.0,
                                           [](double sum, Half tap) { return sum + double{float{tap}}; });
  const auto take = [&](Half& tap) {
    const double before = float{tap};
    tap = Half(before + residue);
    residue -= float{tap} - before;
  };
  take(taps.at(centre));
  if (residue == 0) return taps;
  std::vector<std::size_t> by_size(taps.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::ranges::stable_sort(by_size, std::greater<>(),
                           [&](std::size_t i) { return std::fabs(float{taps[i]}); });
  for (const std::size_t i : by_size)
    if (residue != 0 && float{taps[i]} != 0) take(taps[i]);
  if (residue != 0) throw std::logic_error("the weights' sum is not 1");
  return taps;
}

/// The sum of |tap / filter_scale - weight|: the largest error that quantisation makes, of an image of ones.
inline double quantisation_error(std::span<const double> weights, std::span<const Half> taps) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += std::fabs(float{taps[i]} / double{filter_scale} - weights[i]);
  return sum;
}

}  // namespace warplab
