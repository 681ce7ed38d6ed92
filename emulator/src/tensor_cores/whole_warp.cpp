#include "emulator/src/tensor_cores/whole_warp.hpp"

#include "emulator/src/block/worker.hpp"

namespace warplab::emulator {

void require_whole_warp(const Site& site) {
  if (live_lanes() != ~0u)
    device_fault(illegal_instruction, "%s at %s:%d needs all 32 lanes of a warp; here are %d", site.what,
                 site.file, site.line, __builtin_popcount(live_lanes()));
}

}  // namespace warplab::emulator
