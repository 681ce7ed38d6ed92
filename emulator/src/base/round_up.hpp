#pragma once

#include <cstddef>

namespace warplab::emulator {

/// The first multiple of the unit that is not below.
constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace warplab::emulator
