#include "emulator/src/block/named_barriers.hpp"

#include <cuda_runtime_api.h>

#include <bit>

namespace warplab::emulator {

void NamedBarriers::arrive(unsigned number, unsigned threads, unsigned warp, unsigned lane,
                           std::uint32_t live, const Site& site) {
  if (number >= count)
    device_fault_at(site, cudaErrorIllegalInstruction,
                    "%s at %s:%d: barrier %u; a block has barriers 0 to 15", site.what, site.file, site.line,
                    number);
  if (threads % 32 != 0 || threads > 1024)
    device_fault_at(site, cudaErrorIllegalInstruction,
                    "%s at %s:%d: %u threads; the number must be a multiple of 32, and at most 1024",
                    site.what, site.file, site.line, threads);
  Barrier& barrier = barriers_[number];
  if (barrier.is_open() && barrier.expected != threads)
    device_fault_at(
        site, cudaErrorLaunchFailure,
        "%s at %s:%d: barrier %u waits for %u threads here, and for %u at %s:%d; the number must be the same",
        site.what, site.file, site.line, number, threads, barrier.expected, barrier.site.file,
        barrier.site.line);
  if (barrier.lanes[warp] >> lane & 1)
    device_fault_at(
        site, cudaErrorLaunchFailure,
        "%s at %s:%d: the thread arrives a second time at barrier %u before the others have arrived",
        site.what, site.file, site.line, number);
  if (!barrier.is_open()) barrier.site = site;
  barrier.expected = threads;
  if (barrier.lanes[warp] == 0 && threads != 0) {
    barrier.arrived += 32 - static_cast<unsigned>(std::popcount(live));
    barrier.lanes[warp] = ~live;
  }
  barrier.lanes[warp] |= 1u << lane;
  ++barrier.arrived;
}

void NamedBarriers::leave(unsigned warp, unsigned lane) {
  for (Barrier& barrier : barriers_) {
    if (!barrier.is_open() || barrier.expected == 0 || barrier.lanes[warp] == 0) continue;
    if (barrier.lanes[warp] >> lane & 1) continue;
    barrier.lanes[warp] |= 1u << lane;
    ++barrier.arrived;
  }
}

bool NamedBarriers::is_complete(unsigned number, unsigned live) const {
  const Barrier& barrier = barriers_[number];
  return barrier.is_open() && barrier.arrived >= (barrier.expected != 0 ? barrier.expected : live);
}

}  // namespace warplab::emulator
