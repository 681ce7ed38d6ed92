#include "emulator/src/block/active_lanes.hpp"

#include <cstring>
#include <vector>

#include "emulator/src/block/worker.hpp"
#include "warplab_emulator/ptx/ptx_warp.hpp"

namespace warplab::emulator {
namespace {

using Arrival = WarpArrivals::Arrival;

/// The warps of the running block, by their number in the block.
WarpArrivals& arrivals_of_warp() {
  std::vector<WarpArrivals>& warps = running_worker()->warp_arrivals;
  if (warps.empty()) warps.resize(1024 / warpSize);
  WarpArrivals& warp = warps.at(ptx::thread_rank() / warpSize);
  const uint3& block = current_indices.block;
  if (std::memcmp(&warp.block, &block, sizeof block) != 0) {
    warp = {};
    warp.block = block;
  }
  return warp;
}

unsigned waiting_with(const WarpArrivals& warp, const Arrival& arrival) {
  unsigned lanes = 0;
  for (int i = 0; i < warpSize; ++i) {
    const Arrival& other = warp.of_lane[i];
    if (other.state == Arrival::State::waiting && other.line == arrival.line && other.file == arrival.file)
      lanes |= 1u << i;
  }
  return lanes;
}

}  // namespace

// A GPU's lanes run together, the emulator's one after another. So the first lane that comes
// lets all others run until they come here too, wait or end; when none has joined for a turn,
// those that came are the active ones.
unsigned active_lanes(const Site& site) {
  WarpArrivals& warp = arrivals_of_warp();
  Arrival& mine = warp.of_lane[lane()];
  mine = {Arrival::State::waiting, site.file, site.line, 0};
  const bool leads = waiting_with(warp, mine) == 1u << lane();
  if (leads) {
    unsigned before, now = 1u << lane();
    do {
      before = now;
      yield();
      now = waiting_with(warp, mine);
    } while (now != before);
    for (int i = 0; i < warpSize; ++i) {
      if (((now >> i) & 1u) == 0) continue;
      warp.of_lane[i].lanes = now;
      warp.of_lane[i].state = Arrival::State::answered;
    }
  }
  while (mine.state != Arrival::State::answered) yield();
  mine.state = Arrival::State::none;
  return mine.lanes;
}

}  // namespace warplab::emulator
