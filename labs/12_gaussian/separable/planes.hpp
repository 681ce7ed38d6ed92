#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "gaussian.hpp"

// 16 rows of the image as halves, channel by channel, in shared memory: what Tensor Cores load. A byte
// becomes a half without arithmetic: bits 0x6400 are 1024, whose last bit is worth 1, so 0x64 before a byte
// is 1024 plus that byte. Sums of products start at -1024, and the 1024 is gone: weights add up to 1.

inline constexpr int chunk_rows = 16;
inline constexpr float byte_offset = 1024.0f;

/// Where a block finds its rows: `planes` channels from `channel` on.
struct PlaneSource {
  const unsigned char* in;  ///< (height, width, channels)
  ImageShape image;
  int channel;    ///< the first
  int first_col;  ///< of what is staged; columns and rows beyond the image are those at its edge
  bool aligned;   ///< every fourth pixel of a row starts at a multiple of 4 * channels bytes

  /// The first channel of a row; the nearest one if there is no such row.
  __device__ const unsigned char* row(int y) const {
    const auto inside = static_cast<unsigned>(min(max(y, 0), image.height - 1));
    return in + channel + std::uint64_t{inside} * static_cast<unsigned>(image.row());  // one instruction
  }
};

/// Two bytes of `pair` as halves plus 1024: the low two, or the high two.
__device__ inline unsigned low_halves(unsigned pair) { return __byte_perm(pair, 0x64646464, 0x4140); }
__device__ inline unsigned high_halves(unsigned pair) { return __byte_perm(pair, 0x64646464, 0x4342); }

/// What a thread carries of 16 rows: `tasks` times 4 neighbouring pixels. Loading and storing are apart, so
/// that the way through global memory passes while Tensor Cores work on the rows before.
template <int planes, int tasks>
struct PlaneRows {
  static_assert(planes == 1 || planes == 4);
  unsigned words[tasks][planes];  ///< planes 4: one word per pixel; 1: four pixels per word

  /// @param quads columns staged / 4  @param first the block's first task of these
  /// @param ahead called with where the same pixels of the next chunk but one are in global memory
  template <class Ahead>
  __device__ void load(const PlaneSource& source, int first_row, int quads, int first, const Ahead& ahead) {
    const ImageShape& image = source.image;
#pragma unroll
    for (int i = 0; i < tasks; ++i) {
      const int task = first + static_cast<int>(threadIdx.x + i * blockDim.x);
      if (task >= chunk_rows * quads) break;
      const int col = source.first_col + task % quads * 4;
      const auto row_at = [&](int row) { return source.row(first_row + row + task / quads); };
      if (source.aligned && col >= 0 && col + 4 <= image.width) {
        const unsigned char* const from = row_at(0) + col * planes;
        if constexpr (planes == 4) {
          const uint4 pixels = *reinterpret_cast<const uint4*>(from);
          words[i][0] = pixels.x, words[i][1] = pixels.y, words[i][2] = pixels.z, words[i][3] = pixels.w;
        } else {
          words[i][0] = *reinterpret_cast<const unsigned*>(from);
        }
        ahead(row_at(2 * chunk_rows) + col * planes);
      } else {
        const unsigned char* const from = row_at(0);
#pragma unroll 1  // few threads come here, so save registers
        for (int pixel = 0; pixel < 4; ++pixel) {
          const int x = min(max(col + pixel, 0), image.width - 1);
#pragma unroll
          for (int plane = 0; plane < planes; ++plane) {
            const unsigned byte = from[x * image.channels + plane];
            if (planes == 1) words[i][0] = pixel == 0 ? byte : words[i][0] | byte << 8 * pixel;
#pragma unroll
            for (int k = 0; planes == 4 && k < planes; ++k)
              if (k == pixel) words[i][k] = plane == 0 ? byte : words[i][k] | byte << 8 * plane;
          }
        }
      }
    }
  }

  /// @param to (planes, chunk_rows, pitch) in shared memory; pitch counts halves, a multiple of 8
  __device__ void store(__half* to, int quads, int pitch, int first) const {
#pragma unroll
    for (int i = 0; i < tasks; ++i) {
      const int task = first + static_cast<int>(threadIdx.x + i * blockDim.x);
      if (task >= chunk_rows * quads) break;
      __half* const at = to + task / quads * pitch + task % quads * 4;
      const auto put = [&](int plane, unsigned low, unsigned high) {
        *reinterpret_cast<uint2*>(at + plane * chunk_rows * pitch) = make_uint2(low, high);
      };
      if constexpr (planes == 4) {
        const unsigned(&w)[planes] = words[i];
        const unsigned red_green[2] = {__byte_perm(w[0], w[1], 0x5140), __byte_perm(w[2], w[3], 0x5140)};
        const unsigned blue_alpha[2] = {__byte_perm(w[0], w[1], 0x7362), __byte_perm(w[2], w[3], 0x7362)};
        put(0, low_halves(red_green[0]), low_halves(red_green[1]));
        put(1, high_halves(red_green[0]), high_halves(red_green[1]));
        put(2, low_halves(blue_alpha[0]), low_halves(blue_alpha[1]));
        put(3, high_halves(blue_alpha[0]), high_halves(blue_alpha[1]));
      } else {
        put(0, low_halves(words[i][0]), high_halves(words[i][0]));
      }
    }
  }
};

/// Whether PlaneSource::aligned holds for an image: its vectors are of 4 * channels bytes.
template <int planes>
bool planes_aligned(const void* in, const ImageShape& image) {
  constexpr unsigned unit = 4 * planes;
  return image.channels == planes && reinterpret_cast<std::uintptr_t>(in) % unit == 0 &&
         static_cast<unsigned>(image.row()) % unit == 0;
}

/// How many columns before a strip are staged: a filter's radius, rounded up to whole vectors of 4 pixels.
__host__ __device__ inline int staged_before(int radius) { return (radius + 3) / 4 * 4; }
