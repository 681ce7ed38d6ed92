#include "warplab_emulator/math/table_functions.hpp"

#include <cmath>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/recorder/block_recorder.hpp"
#include "warplab_emulator/math/math_functions.hpp"

namespace warplab::emulator {
namespace {

/// Whether a number of quarter turns is odd; not where it is infinite.
bool is_odd(double quarters) { return std::isfinite(quarters) && std::remainder(quarters, 2) != 0; }

/// Quarter turns next to an angle, as many as matter: nvcc's code multiplies, and where that is not exact
/// enough it works with more digits of pi, as the C library does.
double quarters_in(double angle) {
  constexpr double most_multiplied = 2147483648.0;
  if (!std::isfinite(angle)) return 0;
  if (std::abs(angle) < most_multiplied) return std::nearbyint(angle * M_2_PI);
  return std::abs(std::sin(angle)) > std::abs(std::cos(angle)) ? 1 : 0;
}

/// Of graded code it is not counted: what points depend on is the accesses that it has itself.
inline void read_table(double quarters, const void* return_address) {
  lens::Lane* const lane = lens::current_lane;
  if (lane == nullptr || isolation::active()) return;
  const auto* const call = static_cast<const std::byte*>(return_address) - 1;
  lane->block->read_table(*lane, is_odd(quarters), call);
}

}  // namespace

namespace header_calls {
double lens_sin(double x) noexcept {
  read_table(quarters_in(x), __builtin_return_address(0));
  return std::sin(x);
}
double lens_cos(double x) noexcept {
  read_table(quarters_in(x) + 1, __builtin_return_address(0));
  return std::cos(x);
}
double lens_sinpi(double x) noexcept {
  read_table(std::nearbyint(2 * x), __builtin_return_address(0));
  return ::sinpi(x);
}
double lens_cospi(double x) noexcept {
  read_table(std::nearbyint(2 * x) + 1, __builtin_return_address(0));
  return ::cospi(x);
}
}  // namespace header_calls
}  // namespace warplab::emulator
