#pragma once

namespace warplab::emulator {

/// What has run since the program started. Barriers are those of blocks: `__syncthreads()`. Transfers are
/// what the host asked for: copies from device memory, and fillings.
struct LaunchTotals {
  unsigned long long launches, blocks, threads, barriers, transfers;
};
LaunchTotals launch_totals();

}  // namespace warplab::emulator
