#pragma once

#include <algorithm>

#include "toeplitz/tables.hpp"

// How a block of the wgmma rung shares out its work and its shared memory: a ring of tables, then the tile.
// See wgmma_small.hpp for small filters.

inline constexpr int warpgroup_threads = 128;
inline constexpr int wgmma_rows = 64;                         ///< of a product: filters times outputs
inline constexpr int wgmma_block_bytes = wgmma_rows * 8 * 2;  ///< a table's part for 8 columns of the image

/// Outputs side by side that the rows of a product are, for each filter.
inline int wgmma_outputs(const FilterBank& bank) { return wgmma_rows / toeplitz_filters(bank.count); }

/// Whether sums are so long that what Tensor Cores cut off them would show; see longest_side_of_one_sum.
inline bool wgmma_sums_are_long(const FilterBank& bank) { return bank.side > longest_side_of_one_sum; }

/// Products that take the columns of a filter: 1 to 7 at a time, in as few parts as that allows.
inline int wgmma_products(const FilterBank& bank) {
  if (wgmma_sums_are_long(bank)) return 6;
  const int needed = toeplitz_columns(bank.side, wgmma_outputs(bank)) / 16, parts = (needed + 6) / 7;
  return (needed + parts - 1) / parts;
}

/// Lines of the tile that a product takes: fewer where a thread keeps totals beside its sums.
template <bool long_sums>
inline constexpr int wgmma_lines = long_sums ? 128 : 256;

/// Calls run<products, depth, long_sums>(). @pre the filters are not small: those have two products or more
template <class Run>
void with_wgmma_variant(const FilterBank& bank, const ImageShape& image, Run&& run) {
  const auto with_depth = [&]<int products, bool long_sums>() {
    if (image.channels == 1)
      run.template operator()<products, 1, long_sums>();
    else
      run.template operator()<products, 4, long_sums>();
  };
  if (wgmma_sums_are_long(bank)) return with_depth.template operator()<6, true>();
  switch (wgmma_products(bank)) {
    case 2:
      return with_depth.template operator()<2, false>();
    case 3:
      return with_depth.template operator()<3, false>();
    case 4:
      return with_depth.template operator()<4, false>();
    case 5:
      return with_depth.template operator()<5, false>();
    case 6:
      return with_depth.template operator()<6, false>();
    default:
      return with_depth.template operator()<7, false>();
  }
}

/// How a block divides its filters and its part of the image.
struct WgmmaPlan {
  static constexpr int max_stages = 8;
  ToeplitzTables tables;
  int column_parts;  ///< of the filters: their columns are in shared memory one part after the other
  int rows;          ///< of the filters that one tile serves
  int x_tiles;       ///< that a block makes one after the other, from one tile
  int tile_blocks;   ///< of 8 columns
  int lines;         ///< of the tile's column blocks
  int stages;        ///< of the ring
  int bytes;         ///< of shared memory

  WgmmaPlan(const FilterBank& bank, int products, int tile_rows, int depth)
      : tables(
            bank, 8, 8, wgmma_outputs(bank),
            (toeplitz_columns(bank.side, wgmma_outputs(bank)) / 16 + products - 1) / products * products * 2),
        column_parts(tables.blocks / (2 * products)) {
    const int most = 225 * 1024;  // of 227 KB: there are barriers, too
    const int stage_bytes = 2 * products * wgmma_block_bytes;
    stages = std::clamp(48 * 1024 / stage_bytes, 4, 8);
    const auto fits = [&](int rows_of_filter, int across) {
      x_tiles = across, rows = rows_of_filter;
      tile_blocks = 2 * products + (x_tiles - 1) * tables.outputs / 8;
      // An odd number: the same line of neighbouring column blocks lies in different banks.
      lines = (tile_rows + rows - 1) * depth | 1;
      bytes = stages * stage_bytes + lines * tile_blocks * 16;
      return bytes <= most;
    };
    if (column_parts == 1)
      for (int across = 8; across > 0; across /= 2)
        if (fits(bank.side, across)) return;
    const int parts_at_least = (bank.side + longest_side_of_one_sum - 1) / longest_side_of_one_sum;
    for (stages = std::min(stages, 4); stages > 2; --stages)
      for (int parts = parts_at_least; parts <= std::max(parts_at_least, bank.side / 16); ++parts)
        if (fits((bank.side + parts - 1) / parts, 1)) return;
    while (!fits(rows, 1) && rows > 1) --rows;
  }
};
