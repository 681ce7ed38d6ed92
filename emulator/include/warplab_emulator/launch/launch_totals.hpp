#pragma once

namespace warplab::emulator {

/// What has run since the program started. Barriers are those of blocks: `__syncthreads()`.
struct LaunchTotals {
  unsigned long long launches, blocks, threads, barriers;
};
LaunchTotals launch_totals();

}  // namespace warplab::emulator
