#include "report/results/number_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace warplab::report {

std::string digits(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size >= 999.5) return fmt::format("{:.0f}", value);
  if (size >= 99.95) return fmt::format("{:.1f}", value);
  if (size >= 0.001) return fmt::format("{:.3g}", value);
  return fmt::format("{:.2e}", value);
}

std::string digits(const std::optional<double>& value) { return value ? digits(*value) : "–"; }

std::string quantity(double value) {
  static constexpr std::array prefixes = {"", " k", " M", " G", " T"};
  std::size_t i = 0;
  while (std::abs(value) >= 9999.5 || (i > 0 && std::abs(value) >= 999.5)) {
    if (i + 1 == prefixes.size()) break;
    value /= 1000;
    ++i;
  }
  return (i == 0 ? fmt::format("{:.4g}", value) : fmt::format("{:.3g}", value)) + prefixes[i];
}

std::string time_text(double ms) {
  if (ms < 0.9995) return digits(ms * 1000) + " µs";
  if (ms < 9999.5) return digits(ms) + " ms";
  return digits(ms / 1000) + " s";
}

std::string percent(double fraction) { return fmt::format("{:.3g} %", fraction * 100); }

}  // namespace warplab::report
