#pragma once

#include "warplab_emulator/block/thread.hpp"
#include "warplab_emulator/block/warp.hpp"

namespace warplab::emulator {

/// The lanes of a warp that have come to a call which asks who else is here.
struct WarpArrivals {
  struct Arrival {
    enum class State { none, waiting, answered } state = State::none;
    Site site{};         ///< of the call
    unsigned lanes = 0;  ///< the answer
  };
  Arrival of_lane[warpSize];
};

}  // namespace warplab::emulator
