#pragma once

#include "emulator/src/block/child_launches.hpp"
#include "warplab_emulator/launch/launch.hpp"

namespace warplab::emulator {

/// Runs all blocks of a launch on all cores, in an order shuffled by the seed; `children` gets what they
/// launch.
cudaError_t execute_grid(const Launch& launch, Children& children);

/// Adds one to the transfers of launch_totals(). The caller holds the device lock.
void count_transfer();

}  // namespace warplab::emulator
