#include "harness/rung/launch_counts.hpp"

#ifdef WARPLAB_BACKEND_EMULATOR
#include "warplab_emulator/launch/launch_totals.hpp"
#endif

namespace warplab {

std::optional<LaunchCounts> launch_counts() {
#ifdef WARPLAB_BACKEND_EMULATOR
  const emulator::LaunchTotals totals = emulator::launch_totals();
  return LaunchCounts{totals.launches, totals.blocks, totals.threads, totals.barriers, totals.transfers};
#else
  return std::nullopt;
#endif
}

}  // namespace warplab
