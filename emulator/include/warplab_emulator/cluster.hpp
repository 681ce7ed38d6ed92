#pragma once

#include "warplab_emulator/thread.hpp"

// Thread block clusters: blocks that run side by side and reach each other's shared memory.

namespace warplab::emulator {

/// The place that an address of shared memory has in the block of this rank.
void* shared_of_rank(const void* address, unsigned rank, const Site& site);

}  // namespace warplab::emulator
