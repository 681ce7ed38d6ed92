#pragma once

#include <cstdint>

namespace warplab::emulator::lens {

/// Where a launch is among those that the lens has recorded since it was started.
struct Lineage {
  std::uint64_t number = 0;  ///< its own place, from 1; 0: it is not recorded
  std::uint64_t parent = 0;  ///< who launched it; 0: the host, or somebody who is not recorded
  std::uint32_t depth = 0;   ///< launches between it and the host
};

}  // namespace warplab::emulator::lens
