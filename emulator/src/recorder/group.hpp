#pragma once

#include <cstdint>

#include "emulator/src/recorder/cost.hpp"
#include "emulator/src/recorder/lane.hpp"

namespace warplab::emulator::lens {

/// Lanes of a warp that did the same thing together: one instruction of one warp.
struct Group {
  std::uint64_t key = 0;
  WarpRequest request;
  std::uint32_t code = 0;
  EventKind kind = EventKind::branch;
  std::uint8_t depth = 0;    ///< of the event
  std::uint16_t detail = 0;  ///< of the event
};

}  // namespace warplab::emulator::lens
