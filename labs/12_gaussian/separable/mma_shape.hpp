#pragma once

#include <cuda_fp16.h>

#include <cstddef>

#include "gaussian.hpp"
#include "separable/planes.hpp"

/// How a block is divided: `planes` channels by warps_across strips of 16 `strips` columns by filters.
template <int planes_, int tiles_, int strips_, int warps_across_, int warps_filters_, int blocks_,
          bool shared_bands_>
struct MmaShape {
  static constexpr int planes = planes_, tiles = tiles_, strips = strips_, blocks = blocks_,
                       warps_across = warps_across_, filters = warps_filters_;
  static constexpr int threads = 32 * planes * warps_across * filters;
  static constexpr int pixels = 16 * strips * warps_across;  ///< a block's columns
  static constexpr int quads = (pixels + 16 * (tiles - 1)) / 4;
  static constexpr int pitch = 8 * (quads / 2 | 1);       ///< halves: an odd number of 16 bytes, no conflicts
  static constexpr int out_pitch = pixels * planes + 16;  ///< bytes: 4 words further a row, no conflicts
  static constexpr int plane_halves = planes * chunk_rows * pitch;
  static constexpr int tasks = (chunk_rows * quads + threads - 1) / threads;
  static constexpr bool shared_bands = shared_bands_;  ///< T in shared memory: its registers are taken
  static constexpr std::size_t shared_bytes =
      (shared_bands ? 2 * 512 * tiles * filters : 0) +
      2 * (sizeof(__half) * plane_halves + filters * chunk_rows * out_pitch);
};

/// A thread's place in such a block.
template <class Shape>
struct MmaLane {
  int lane = threadIdx.x % 32, group = lane / 4, quad = lane % 4;
  int warp = threadIdx.x / 32, plane = warp % Shape::planes,
      strip = warp / Shape::planes % Shape::warps_across;
  int filter = warp / Shape::planes / Shape::warps_across;  ///< of the block's
  bool first_of_filter = warp % (Shape::planes * Shape::warps_across) == 0;

  /// Which x the lane's row of T is for. Column 2q of what is between is x = 4q, or 4q + 2 in the second
  /// tile, and column 2q + 1 is its neighbour: so a lane will have results of four neighbours.
  __device__ int spread() const { return group / 2 * 4 + group % 2; }
  /// What load_matrices wants of the lane: rows 0 to 7, columns 0 to 7 and 8 to 15; then rows 8 to 15.
  __device__ int first_pixel() const {
    return (plane * chunk_rows + lane / 16 * 8 + lane % 8) * Shape::pitch + strip * Shape::strips * 16 +
           lane / 8 % 2 * 8;
  }
  __device__ int first_level() const { return plane * Shape::pixels + strip * Shape::strips * 16 + quad * 4; }
};

/// Columns and rows that a tile of 16 outputs needs, in tiles of 16.
inline int separable_mma_tiles(const FilterBank& filters) {
  return (staged_before(filters.radius()) + filters.radius() + 16 + 15) / 16;
}

/// Calls `use` with the shape for filters of so many tiles, as measured: with few tiles a warp
/// has two strips and they share T; with two filters per block, these share the rows. @throws
/// std::invalid_argument beyond them
template <class Use>
void with_mma_shape(int tiles, bool four_channels, bool several, const Use& use) {
  const auto pick = [&]<int most, int strips, int across, int alone, int pairs, bool shared>() {
    if constexpr (pairs > 0)
      if (four_channels && several)
        return use.template operator()<MmaShape<4, most, strips, across, 2, pairs, shared>>();
    if (four_channels) return use.template operator()<MmaShape<4, most, strips, across, 1, alone, shared>>();
    // One channel: as many warps as four have, side by side.
    use.template operator()<MmaShape<1, most, strips, 4 * across, 1, alone, shared>>();
  };
  if (tiles <= 2)
    pick.template operator()<2, 2, 1, 5, 3, false>();
  else if (tiles <= 3)
    pick.template operator()<3, 2, 1, 4, 2, false>();
  else if (tiles <= 4)
    pick.template operator()<4, 2, 1, 3, 1, false>();
  else if (tiles <= 6)
    pick.template operator()<6, 2, 1, 2, 1, false>();
  else if (tiles <= 11)
    pick.template operator()<11, 1, 2, 1, 0, false>();
  else if (tiles <= 17)
    pick.template operator()<17, 1, 2, 1, 0, true>();
  else
    warplab::refuse(
        "filters of this size: sums fit the registers up to a side of 257; take "
        "separable_wmma");
}
