#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/launch_shape.hpp"
#include "matmul.hpp"
#include "matmul_launch.hpp"
#include "matmul_workspace.hpp"

// What the rung wgmma_tma decides before it launches. Host code.

/// A block's tile of D is 128 rows by `cols`, made by two warpgroups in steps of 64 along k. `cluster` blocks
/// lie below one another and share the tiles of B. `stages` pairs of tiles are in shared memory at a time.
template <int tile_cols, int blocks, int ring>
struct WgmmaTile {
  static constexpr int rows = 128, cols = tile_cols, depth = 64, cluster = blocks, stages = ring;
  static constexpr unsigned a_bytes = rows * depth * 2, b_bytes = cols * depth * 2,
                            stage_bytes = a_bytes + b_bytes;
  static constexpr unsigned box_bytes = 64 * depth * 2;  ///< B comes in boxes of 64 columns
  static constexpr unsigned shared_bytes =
      stages * stage_bytes + 1024;  ///< the ring starts at a multiple of 1024
};
using WideTile = WgmmaTile<256, 2, 4>;
using MiddleTile = WgmmaTile<128, 1, 6>;
using NarrowTile = WgmmaTile<64, 1, 8>;

/// How a product is shared among blocks: tiles down (of whole clusters) and across,
/// and slices of the sum over k.
struct WgmmaPlan {
  int down, across, slices, steps;  ///< `steps` of 64 along k per slice
  double microseconds;              ///< a guess, for comparing plans
  __host__ __device__ std::int64_t tiles() const { return std::int64_t{down} * across * slices; }
};

/// The best number of slices for a tile. Times are rough figures of an H100: what a step and a tile's
/// beginning and end take, and what it costs to add the slices up.
/// @param processors of the device @param part_bytes workspace for the slices' sums
template <class Tile>
WgmmaPlan wgmma_plan(std::int64_t m, std::int64_t n, std::int64_t k, int processors, std::size_t part_bytes) {
  constexpr double step_us = Tile::cols == 256 ? 0.79 : Tile::cols == 128 ? 0.50 : 0.45;
  constexpr double tile_us = Tile::cols == 256 ? 5 : Tile::cols == 128 ? 3 : 1.5;
  constexpr double join_us = 4, join_bytes_per_us = 1.25e6;
  const auto down = static_cast<int>(warplab::ceil_div(m, Tile::rows * Tile::cluster));
  const auto across = static_cast<int>(warplab::ceil_div(n, Tile::cols));
  const auto all_steps = static_cast<int>(warplab::ceil_div(k, Tile::depth));
  const double part = static_cast<double>(m) * static_cast<double>(n) * sizeof(float);
  WgmmaPlan best{down, across, 1, all_steps, 1e30};
  for (int slices = 1; slices <= std::min(all_steps, matmul_max_slices); ++slices) {
    WgmmaPlan plan{down, across, slices, static_cast<int>(warplab::ceil_div(all_steps, slices)), 0};
    plan.slices = static_cast<int>(warplab::ceil_div(all_steps, plan.steps));
    if (slices > 1 && (plan.slices != slices || slices * part > static_cast<double>(part_bytes))) continue;
    const std::int64_t waves = warplab::ceil_div(plan.tiles() * Tile::cluster, processors);
    plan.microseconds = static_cast<double>(waves) * (plan.steps * step_us + tile_us) +
                        (slices > 1 ? join_us + slices * part / join_bytes_per_us : 0);
    if (plan.microseconds < best.microseconds) best = plan;
  }
  return best;
}
