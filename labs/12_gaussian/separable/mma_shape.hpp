#pragma once

#include <cuda_fp16.h>

#include <cstddef>

#include "gaussian.hpp"
#include "separable/band.hpp"
#include "separable/planes.hpp"

/// Warps of a block, side by side and by filters, and blocks on a multiprocessor.
struct MmaTeam {
  int across, filters, blocks;
};

/// How a block is divided: `planes` channels by team.across strips of 16 `strips` columns by filters.
template <int planes_, int tiles_, int strips_, bool shared_bands_, MmaTeam team>
struct MmaShape {
  static constexpr int planes = planes_, tiles = tiles_, strips = strips_, blocks = team.blocks,
                       warps_across = team.across, filters = team.filters;
  static constexpr int threads = 32 * planes * warps_across * filters;
  static constexpr int pixels = 16 * strips * warps_across;  ///< a block's columns
  static constexpr int quads = (pixels + 16 * (tiles - 1)) / 4;
  static constexpr int pitch = 8 * (quads / 2 | 1);       ///< halves: an odd number of 16 bytes, no conflicts
  static constexpr int out_pitch = pixels * planes + 16;  ///< bytes: 4 words further a row, no conflicts
  static constexpr int plane_halves = planes * chunk_rows * pitch;
  static constexpr int tasks = (chunk_rows * quads + threads - 1) / threads;
  static constexpr bool shared_bands = shared_bands_;  ///< T in shared memory: its registers are taken
  static constexpr int band_bytes = shared_bands ? 2 * SharedBand<tiles, 2>::bytes : 0;  ///< of a filter
  static constexpr int slot_bytes = 2 * plane_halves + filters * chunk_rows * out_pitch;
  static constexpr int slots = 3;  ///< of rows staged and of outputs finished; see the kernel
  static constexpr std::size_t shared_bytes = slots * slot_bytes + filters * band_bytes;
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

/// Calls `use` with the shape for filters of so many tiles, as measured on an H100: with few tiles a warp has
/// two strips and they share T; the filters of a block share the rows, where there are `several`. @throws
/// std::invalid_argument beyond 17 tiles
template <class Use>
void with_mma_shape(int tiles, bool four_channels, bool several, const Use& use) {
  const auto pick = [&]<int most, int strips, bool shared, MmaTeam alone, MmaTeam many>() {
    const auto with_team = [&]<MmaTeam team>() {
      // For one channel, as many warps as four channels have.
      constexpr MmaTeam wide{4 * team.across, team.filters, team.blocks};
      if (four_channels)
        use.template operator()<MmaShape<4, most, strips, shared, team>>();
      else
        use.template operator()<MmaShape<1, most, strips, shared, wide>>();
    };
    several ? with_team.template operator()<many>() : with_team.template operator()<alone>();
  };
  if (tiles <= 2)
    pick.template operator()<2, 2, false, MmaTeam{1, 1, 5}, MmaTeam{1, 2, 3}>();
  else if (tiles <= 3)
    pick.template operator()<3, 2, false, MmaTeam{1, 1, 4}, MmaTeam{1, 4, 1}>();
  else if (tiles <= 4)
    pick.template operator()<4, 2, false, MmaTeam{4, 1, 1}, MmaTeam{1, 4, 1}>();
  else if (tiles <= 6)
    pick.template operator()<6, 2, true, MmaTeam{4, 1, 1}, MmaTeam{1, 4, 1}>();
  else if (tiles <= 11)
    pick.template operator()<11, 2, true, MmaTeam{3, 1, 1}, MmaTeam{3, 1, 1}>();
  else if (tiles <= 17)
    pick.template operator()<17, 1, true, MmaTeam{3, 1, 1}, MmaTeam{3, 1, 1}>();
  else
    warplab::refuse(
        "filters of this size: sums fit the registers up to a side of 257; take "
        "separable_wmma");
}
