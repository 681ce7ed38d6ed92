#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

// How much each thread and block of lab 10 gets: for launchers, and for the bound on their rounding errors.
// Knows nothing of CUDA.

/// Threads per block where nobody asks for others.
inline constexpr unsigned riemann_block = 256;

/// Evaluations that a thread should have before more blocks are launched. The grid of
/// a GPU lies within these bounds.
inline constexpr std::int64_t riemann_evaluations_per_thread = 16, riemann_min_blocks = 256,
                              riemann_max_blocks = 4096;

/// The most intervals that a launcher takes: beyond, a double does not hold each i + 1/2. For romberg,
/// whose points are 1/16 apart, that is so from 2^49 intervals on.
inline constexpr std::int64_t riemann_max_intervals = std::int64_t{1} << 52;

/// The ends of an interval lie within these bounds, where no integrand overflows a float.
inline constexpr double riemann_min_end = -50, riemann_max_end = 50;

/// romberg halves the intervals so many times.
inline constexpr int riemann_halvings = 4;

/// Bytes of the workspace for a grid: 16 for each block, two doubles.
constexpr std::size_t riemann_workspace(std::int64_t blocks) { return 16 * static_cast<std::size_t>(blocks); }

/// Bytes at the beginning of a call's workspace that the harness keeps for itself.
inline constexpr std::size_t riemann_reserved_bytes = 256;

/// The most numbers that one of `parts` gets of `n`: n / parts, rounded up.
constexpr std::int64_t riemann_share(std::int64_t n, std::int64_t parts) {
  return n / parts + (n % parts != 0 ? 1 : 0);
}

/// How many blocks each rung launches by itself. @param most as many as suit the device
constexpr std::int64_t riemann_blocks(std::int64_t evaluations, unsigned block, std::int64_t most) {
  const std::int64_t useful =
      riemann_share(evaluations, riemann_evaluations_per_thread * static_cast<std::int64_t>(block));
  return std::max<std::int64_t>(1,
                                std::min(useful, std::clamp(most, riemann_min_blocks, riemann_max_blocks)));
}
