#include "harness/launch_counts.hpp"

#ifdef WARPLAB_BACKEND_EMULATOR
#include "emulator/src/block/executor.hpp"
#endif

namespace warplab {

std::optional<LaunchCounts> launch_counts() {
#ifdef WARPLAB_BACKEND_EMULATOR
  const emulator::Totals totals = emulator::totals();
  return LaunchCounts{totals.launches, totals.blocks, totals.threads, totals.barriers};
#else
  return std::nullopt;
#endif
}

}  // namespace warplab
