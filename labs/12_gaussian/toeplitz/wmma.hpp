#pragma once

#include <cuda_runtime.h>
#include <mma.h>

#include <algorithm>
#include <cstdint>

#include "toeplitz/tables.hpp"
#include "toeplitz/tile.hpp"

// What the WMMA rungs of the Toeplitz family share: products of 16x16x16, whose
// rows are 16 lines of the tile.

using LinesMatrix =
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major>;
using TableMatrix =
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::col_major>;
using SumsMatrix = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>;

inline constexpr int wmma_warps = 8;           ///< of a block, one below the other
inline constexpr int lines_per_warp = 2 * 16;  ///< two products deep: each table is used twice
inline constexpr int lines_per_block = wmma_warps * lines_per_warp;

inline constexpr int scratch_pitch = 20;  ///< floats: 16 and some that keep columns in different banks
inline constexpr int scratch_floats = 16 * scratch_pitch;

/// How a block shares out its shared memory: tables of a row of the filters, then the tile.
struct WmmaPlan {
  ToeplitzTables tables;
  int x_tiles;       ///< of 16 outputs, side by side in a block
  int part_blocks;   ///< of a filter's columns that are in shared memory at a time
  int part_rows;     ///< of the filters that one tile serves
  int tile_blocks;   ///< of 16 columns
  int lines;         ///< of the tile's column blocks
  int table_halves;  ///< of a part's row
  std::size_t bytes;

  WmmaPlan(const FilterBank& bank, int depth, int tile_pitch, int table_pitch, int table_stages,
           int tiles_across)
      : tables(bank, 16, table_pitch, 16, toeplitz_columns(bank.side, 16) / 16), x_tiles(tiles_across) {
    const int table_parts = (tables.blocks + 5) / 6;
    part_blocks = (tables.blocks + table_parts - 1) / table_parts;
    tile_blocks = part_blocks + x_tiles - 1;
    table_halves = part_blocks * tables.block_halves();
    const int table_bytes = table_stages * table_halves * 2, line_bytes = tile_blocks * tile_pitch * 2;
    const int rows_fit = (226 * 1024 - table_bytes) / line_bytes / depth - lines_per_block / depth;
    // Long sums are added up tile by tile; see long_sums.
    const int max_rows = std::clamp(rows_fit, 1, 128), row_parts = (bank.side + max_rows - 1) / max_rows;
    part_rows = (bank.side + row_parts - 1) / row_parts;
    lines = lines_per_block + (part_rows - 1) * depth;
    bytes = std::max<std::size_t>(table_bytes + std::size_t{1} * lines * line_bytes,
                                  wmma_warps * scratch_floats * sizeof(float));
  }

  dim3 grid(const ImageShape& image, int depth) const {
    return warplab::grid_in_layers(
        warplab::ceil_div(image.width, 16 * x_tiles) * warplab::ceil_div(image.channels, depth),
        warplab::ceil_div(image.height, lines_per_block / depth));
  }
};

template <int columns>
__device__ inline void clear(SumsMatrix (&sums)[2][columns]) {
#pragma unroll
  for (int j = 0; j < 2 * columns; ++j) nvcuda::wmma::fill_fragment(sums[j / columns][j % columns], 0.0f);
}

/// totals += sums, and sums start again from 0.
template <int columns>
__device__ inline void add_up(SumsMatrix (&totals)[2][columns], SumsMatrix (&sums)[2][columns]) {
#pragma unroll
  for (int j = 0; j < 2 * columns; ++j)
#pragma unroll
    for (int i = 0; i < SumsMatrix::num_elements; ++i)
      totals[j / columns][j % columns].x[i] += sums[j / columns][j % columns].x[i];
  clear(sums);
}

/// Calls run<filters held, depth, long_sums>(bank, first filter) once or, where sums are long and take twice
/// the registers, for at most 4 filters at a time.
template <class Run>
void with_wmma_variant(const FilterBank& bank, const ImageShape& image, Run&& run) {
  const auto with_depth = [&]<int filters, bool long_sums>(const FilterBank& part, int first) {
    if (image.channels == 1)
      run.template operator()<filters, 1, long_sums>(part, first);
    else
      run.template operator()<filters, 4, long_sums>(part, first);
  };
  if (bank.side > longest_side_of_one_sum) {
    for (int first = 0; first < bank.count; first += 4) {
      FilterBank part = bank;
      part.weights += first * bank.taps();
      part.count = std::min(4, bank.count - first);
      if (part.count == 1)
        with_depth.template operator()<1, true>(part, first);
      else if (part.count == 2)
        with_depth.template operator()<2, true>(part, first);
      else
        with_depth.template operator()<4, true>(part, first);
    }
    return;
  }
  switch (toeplitz_filters(bank.count)) {
    case 1:
      return with_depth.template operator()<1, false>(bank, 0);
    case 2:
      return with_depth.template operator()<2, false>(bank, 0);
    case 4:
      return with_depth.template operator()<4, false>(bank, 0);
    default:
      return with_depth.template operator()<8, false>(bank, 0);
  }
}

/// A warp's matrix of sums to memory: 16 lines of 16 outputs of one filter.
/// @param scratch the warp's own  @param row, col the first output's
template <int depth>
__device__ inline void store_lines(const SumsMatrix& sums, float* scratch, unsigned char* out,  // a filter's
                                   const ImageShape& image, std::int64_t row, int col, int channel,
                                   float gain) {
  __syncwarp();  // waits until the warp has read what was here before
  nvcuda::wmma::store_matrix_sync(scratch, sums, scratch_pitch, nvcuda::wmma::mem_col_major);
  __syncwarp();  // waits for the whole matrix
  const int x = threadIdx.x % 16;
  if (col + x >= image.width) return;
  for (int line = threadIdx.x % 32 / 16 * depth; line < 16; line += 2 * depth) {
    if (row + line / depth >= image.height) return;
    unsigned char* to = out + ((row + line / depth) * image.width + col + x) * image.channels + channel;
    const float* from = scratch + x * scratch_pitch + line;
    if (depth == 4 && image.channels == 4 && reinterpret_cast<std::uintptr_t>(out) % 4 == 0) {
      const float4 s = *reinterpret_cast<const float4*>(from);
      *reinterpret_cast<uchar4*>(to) = make_uchar4(gaussian_level(s.x * gain), gaussian_level(s.y * gain),
                                                   gaussian_level(s.z * gain), gaussian_level(s.w * gain));
    } else {
      for (int c = 0; c < min(depth, image.channels - channel); ++c) to[c] = gaussian_level(from[c] * gain);
    }
  }
}
