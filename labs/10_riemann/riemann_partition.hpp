#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Where in each interval a rule evaluates the integrand.
enum class Rule : int { left, right, midpoint, trapezoid };

/// What a launcher is asked for: the sum of a rule over n equal intervals of [from, to].
struct Integral {
  double from, to;
  std::int64_t n;
  Rule rule;
};

/// The same as kernels use it; riemann_partition() makes it. The trapezoid rule is the left rule, to which
/// half of f(to) - f(from) is added.
struct Partition {
  double from, to;
  std::int64_t n;
  double width;      ///< of one interval
  double width_low;  ///< what that division rounded off
  double place;      ///< of the point in its interval: 0, 0.5 or 1 widths from its left end
  bool trapezoid;

  /// The point that lies so many widths after `from`. It is computed from that number, in double: a sum `x +=
  /// width` would collect the roundings of all points before it, and a float does not hold each number beyond
  /// 2^24. Without width_low all points would move to one side.
  __device__ double at(double widths) const { return fma(widths, width, fma(widths, width_low, from)); }
  /// Where interval i is evaluated.
  __device__ double point(std::int64_t i) const { return at(static_cast<double>(i) + place); }

  /// What the trapezoid rule adds to the sum of the left rule, before the width multiplies it; else 0.
  template <class F>
  __device__ typename F::Value ends(F f) const {
    using T = typename F::Value;
    return trapezoid ? (f(static_cast<T>(to)) - f(static_cast<T>(from))) / 2 : T{0};
  }
};
