#include "emulator/src/block/active_lanes.hpp"

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
  return warps.at(ptx::thread_rank() / warpSize);
}

unsigned waiting_at_any_call(const WarpArrivals& warp) {
  unsigned lanes = 0;
  for (int i = 0; i < warpSize; ++i)
    if (warp.of_lane[i].state == Arrival::State::waiting) lanes |= 1u << i;
  return lanes;
}

unsigned waiting_with(const WarpArrivals& warp, const Arrival& arrival) {
  unsigned lanes = 0;
  for (int i = 0; i < warpSize; ++i) {
    const Arrival& other = warp.of_lane[i];
    if (other.state == Arrival::State::waiting && same_place(other.site, arrival.site)) lanes |= 1u << i;
  }
  return lanes;
}

}  // namespace

// A GPU's lanes run together, the emulator's one after another. So the first lane that comes lets all others
// run until they come here too, wait or end; those that came are the active ones. A lane that polls may take
// many turns to come. It may also poll for what those here do next, so patience has a limit.
unsigned active_lanes(const Site& site) {
  WarpArrivals& warp = arrivals_of_warp();
  Arrival& mine = warp.of_lane[lane()];
  mine = {Arrival::State::waiting, site, 0};
  const bool leads = waiting_with(warp, mine) == 1u << lane();
  if (leads) {
    constexpr int patience = 64;  // turns without another lane
    unsigned now = 1u << lane();
    for (int in_vain = 0; in_vain < patience; ++in_vain) {
      const unsigned before = now;
      yield();
      now = waiting_with(warp, mine);
      if (now != before)
        in_vain = -1;
      else if ((running_worker()->scheduler.ready_lanes() & ~waiting_at_any_call(warp)) == 0)
        break;
    }
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
