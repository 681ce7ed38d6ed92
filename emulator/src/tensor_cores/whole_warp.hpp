#pragma once

#include "warplab_emulator/block/thread.hpp"

namespace warplab::emulator {

/// Ends the kernel unless all lanes of the calling thread's warp are there, as matrix instructions need.
void require_whole_warp(const Site& site);

}  // namespace warplab::emulator
