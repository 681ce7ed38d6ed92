#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

// How much each thread and block of lab 08 is given: for launchers, and for the bound on their rounding
// errors. Knows nothing of CUDA.

/// A rung whose threads stride chooses as many blocks as the device holds at a time, but within these bounds:
/// fewer would make long chains of additions in each thread, more a long chain of blocks.
inline constexpr std::int64_t reduction_min_blocks = 256, reduction_max_blocks = 4096;

/// Threads per block where nobody asks for others: those of the published experiments, and for
/// single_pass what was measured best.
inline constexpr unsigned reduction_block = 128, reduction_single_pass_block = 1024;

/// What single_pass needs for a grid: a ticket, and from the next sector on a result
/// of up to 8 bytes for each block.
inline constexpr std::size_t reduction_results_offset = 32;
constexpr std::size_t reduction_single_pass_workspace(std::int64_t blocks) {
  return reduction_results_offset + 8 * static_cast<std::size_t>(blocks);
}

/// The most numbers that one of `parts` gets of `n`: n / parts, rounded up.
constexpr std::int64_t reduction_share(std::int64_t n, std::int64_t parts) {
  return n / parts + (n % parts != 0 ? 1 : 0);
}
