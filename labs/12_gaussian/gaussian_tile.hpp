#pragma once

#include <cuda_runtime.h>

#include "gaussian.hpp"
#include "level_bits.hpp"

// What gaussian_tiled does with a tile: its shape, the bytes that go into it, what a thread makes of one of
// its columns, and the levels that come of that.

/// Outputs per thread below one another, and blocks per multiprocessor: the best of what was tried on an
/// H100, for 1, 4 and 8 filters at a time (down) and 3, 5, 7 and 9 rows of them at a time (across).
inline constexpr int tiled_outputs[3][4] = {{22, 28, 26, 32}, {18, 16, 18, 24}, {8, 8, 10, 12}};
inline constexpr int tiled_blocks[3][4] = {{7, 6, 6, 5}, {4, 4, 4, 3}, {4, 4, 3, 3}};

/// For FILTERS at a time, 1, 4 or 8, and FILTER_ROWS of their rows at a time, 3, 5, 7 or 9.
template <int FILTERS, int FILTER_ROWS>
struct TiledShape {
  static constexpr int filters = FILTERS, filter_rows = FILTER_ROWS, threads = 128;
  static constexpr int rows = tiled_outputs[filters / 4][(filter_rows - 3) / 2];  // of outputs
  static constexpr int blocks = tiled_blocks[filters / 4][(filter_rows - 3) / 2];
  static constexpr int quads = (rows + filter_rows - 1 + 3) / 4;  // of rows in the tile
  static constexpr int stride = quads | 1;                        // odd: eight lanes' quads meet all 32 banks
  static constexpr int weights = (filters * filter_rows + 3) / 4;  // quads of them in a column of the filters
  static constexpr int shared = 227 * 1024 / blocks - 1024;        // bytes per block
};

/// Calls f.template operator()<rows>() with the rows of a filter to take at a time: 3, 5, 7 or 9, so that the
/// last turn has the fewest rows too many.
template <class F>
void with_filter_rows(int side, F&& f) {
  int best = 9;
  for (const int rows : {7, 5, 3})
    if (warplab::ceil_div(side, rows) * rows < warplab::ceil_div(side, best) * best) best = rows;
  if (best == 9) return f.template operator()<9>();
  if (best == 7) return f.template operator()<7>();
  if (best == 5) return f.template operator()<5>();
  f.template operator()<3>();
}

/// A byte of a row of the image, wherever it is: beyond the edge, the same channel of the pixel at the edge.
__device__ inline int clamped_byte(int byte, const ImageShape& image) {
  if (byte < 0) return (byte % image.channels + image.channels) % image.channels;
  return byte < image.row() ? byte : image.row() - image.channels + byte % image.channels;
}

/// Adds what a column of the filters makes of a column of pixels.
template <class Shape>
__device__ inline void accumulate(const float4* pixels,   // (quads)
                                  const float4* weights,  // (filter_rows, filters), in quads
                                  float (&sums)[Shape::filters][Shape::rows]) {
  float pixel[4 * Shape::quads];
#pragma unroll
  for (int i = 0; i < Shape::quads; ++i) {
    const float4 quad = pixels[i];
    pixel[4 * i] = quad.x, pixel[4 * i + 1] = quad.y, pixel[4 * i + 2] = quad.z, pixel[4 * i + 3] = quad.w;
  }
#pragma unroll
  for (int i = 0; i < Shape::weights; ++i) {
    const float4 quad = weights[i];
    const float weight[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int k = (4 * i + e) / Shape::filters;
      const int filter = (4 * i + e) % Shape::filters;
      if (k >= Shape::filter_rows) continue;
#pragma unroll
      for (int r = 0; r < Shape::rows; ++r) sums[filter][r] = fmaf(pixel[r + k], weight[e], sums[filter][r]);
    }
  }
}

/// Writes a thread's outputs where there is such a row. @param to the first filter's first one
template <class Shape, class IsThere>
__device__ inline void write_levels(const float (&sums)[Shape::filters][Shape::rows], unsigned char* to,
                                    const ImageShape& image, IsThere&& is_there) {
#pragma unroll
  for (int filter = 0; filter < Shape::filters; ++filter) {
#pragma unroll
    for (int row = 0; row < Shape::rows; ++row)
      if (is_there(row))
        to[std::int64_t{row} * image.row()] = level_bits(sums[filter][row]);  // its lowest byte
    to += image.bytes();
  }
}
