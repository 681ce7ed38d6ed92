#include "warplab_emulator/block/warp_exchange.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/block/faults.hpp"

namespace warplab::emulator {
namespace {

constexpr unsigned all_lanes = ~0u;

/// The lanes that `lane` exchanges with. @return 0 if not all of them have come, or not for the same
unsigned members_of(const Brought* warp, int lane, const Lanes& lanes) {
  const unsigned mask = warp[lane].mask, members = mask & lanes.live;
  if ((mask >> lane & 1) == 0 || (members & ~lanes.here) != 0) return 0;
  for (unsigned rest = members; rest != 0; rest &= rest - 1)
    if (warp[std::countr_zero(rest)].mask != mask) return 0;
  return members;
}

/// Whether all 32 lanes are here and exchange with all.
bool is_whole(const Brought* warp, const Lanes& lanes) {
  if (lanes.here != all_lanes) return false;
  unsigned common = all_lanes;
  for (int i = 0; i < warpSize; ++i) common &= warp[i].mask;
  return common == all_lanes;
}

unsigned votes_of(const Brought* warp, unsigned members) {
  unsigned votes = 0;
  for (unsigned rest = members; rest != 0; rest &= rest - 1)
    votes |= static_cast<unsigned>(warp[std::countr_zero(rest)].value) << std::countr_zero(rest);
  return votes;
}

void exchange_among(Brought* warp, unsigned members, Collective collective) {
  if (collective >= Collective::ballot) {
    const unsigned votes = collective == Collective::active ? members : votes_of(warp, members);
    const unsigned result = collective == Collective::any   ? votes != 0
                            : collective == Collective::all ? votes == members
                                                            : votes;
    for (unsigned rest = members; rest != 0; rest &= rest - 1) warp[std::countr_zero(rest)].value = result;
    return;
  }
  std::array<unsigned long long, warpSize> values;
  values.fill(poison_bits);
  if (members == all_lanes) {
    for (int i = 0; i < warpSize; ++i) values[static_cast<std::size_t>(i)] = warp[i].value;
    for (int i = 0; i < warpSize; ++i) warp[i].value = values[static_cast<std::size_t>(warp[i].source)];
    return;
  }
  for (unsigned rest = members; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    values[static_cast<std::size_t>(lane)] = warp[lane].value;
  }
  for (unsigned rest = members; rest != 0; rest &= rest - 1) {
    Brought& mine = warp[std::countr_zero(rest)];
    mine.value = values[static_cast<std::size_t>(mine.source)];
  }
}

}  // namespace

void exchange_brought(Brought* all, unsigned threads, const Lanes* lanes, Collective collective,
                      const Site& site) {
  for (unsigned first = 0; first < threads; first += warpSize, ++lanes) {
    Brought* const warp = all + first;
    if (is_whole(warp, *lanes)) {
      exchange_among(warp, all_lanes, collective);
      continue;
    }
    // Lanes of a warp may exchange in groups.
    for (unsigned rest = lanes->here; rest != 0;) {
      const unsigned members = members_of(warp, std::countr_zero(rest), *lanes);
      if (members == 0)
        device_fault(cudaErrorLaunchFailure, "lanes of a warp call %s at %s:%d with masks that do not agree",
                     site.what, site.file, site.line);
      exchange_among(warp, members, collective);
      rest &= ~members;
    }
  }
}

}  // namespace warplab::emulator
