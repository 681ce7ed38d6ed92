#pragma once

#include <cmath>
#include <limits>

namespace warplab::emulator {

/// erf's inverse: Halley's iteration (third order) from two terms of the series, which meet in 4 steps.
/// @pre |x| <= 0.5
inline double inverse_erf_near_zero(double x) noexcept {
  const double slope = 2 / std::sqrt(M_PI);
  double y = x / slope * (1 + M_PI / 12 * x * x);
  for (int i = 0; i < 4; ++i) {
    const double newton = (std::erf(y) - x) / (slope * std::exp(-y * y));
    y -= newton / (1 + newton * y);
  }
  return x == 0 ? x : y;
}

/// erfc's inverse in its tail, where erf's is ill-conditioned: Halley's iteration from the asymptote.
/// @pre 0 < z <= 0.5
inline double inverse_erfc_tail(double z) noexcept {
  const double slope = 2 / std::sqrt(M_PI);
  const double log = -std::log(z * std::sqrt(M_PI));
  double y = std::sqrt(std::fmax(log - 0.5 * std::log(std::fmax(log, 0.25)), 0.2));
  for (int i = 0; i < 8; ++i) {
    const double newton = (std::erfc(y) - z) / (-slope * std::exp(-y * y));
    const double step = newton / (1 + newton * y);
    y -= step;
    if (std::fabs(step) < 1e-17 * y) break;
  }
  return y;
}

inline double inverse_erf(double x) noexcept {
  const double size = std::fabs(x);
  if (!(size < 1)) return size == 1 ? std::copysign(std::numeric_limits<double>::infinity(), x) : NAN;
  if (size <= 0.5) return inverse_erf_near_zero(x);
  return std::copysign(inverse_erfc_tail(1 - size), x);
}

inline double inverse_erfc(double z) noexcept {
  if (!(z > 0 && z < 2)) return z == 0 ? INFINITY : z == 2 ? -INFINITY : NAN;
  if (z < 0.5) return inverse_erfc_tail(z);
  if (z > 1.5) return -inverse_erfc_tail(2 - z);
  return inverse_erf_near_zero(1 - z);
}

}  // namespace warplab::emulator
