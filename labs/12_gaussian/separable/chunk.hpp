#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "gaussian.hpp"
#include "separable/planes.hpp"

/// Writes a chunk of finished outputs from shared memory, 16 bytes at a time where that can be.
/// @param from (chunk_rows, pitch) bytes, a row being (planes, pixels); pitch is a multiple of 16
/// @param to the filter's image  @param thread of `threads` that share the work
template <int planes, int pixels, int threads>
__device__ void write_chunk(const unsigned char* from, int pitch, unsigned char* to, const ImageShape& image,
                            int first_row, int first_col, int channel, bool aligned, int thread) {
  constexpr int step = 16 / planes, pieces = pixels / step;  // pixels a piece of 16 bytes
#pragma unroll
  for (int i = 0; i < (chunk_rows * pieces + threads - 1) / threads; ++i) {
    const int task = thread + i * threads;
    if (task >= chunk_rows * pieces) break;
    const int y = task / pieces, x = task % pieces * step, row = first_row + y, col = first_col + x;
    if (row >= image.height || col >= image.width) continue;
    uint4 levels;
    const unsigned char* const at = from + y * pitch + x;
    if constexpr (planes == 4) {
      const auto four = [&](int plane) { return *reinterpret_cast<const unsigned*>(at + plane * pixels); };
      const unsigned red = four(0), green = four(1), blue = four(2), alpha = four(3);
      const unsigned rg[2] = {__byte_perm(red, green, 0x5140), __byte_perm(red, green, 0x7362)};
      const unsigned ba[2] = {__byte_perm(blue, alpha, 0x5140), __byte_perm(blue, alpha, 0x7362)};
      levels = make_uint4(__byte_perm(rg[0], ba[0], 0x5410), __byte_perm(rg[0], ba[0], 0x7632),
                          __byte_perm(rg[1], ba[1], 0x5410), __byte_perm(rg[1], ba[1], 0x7632));
    } else {
      levels = *reinterpret_cast<const uint4*>(at);
    }
    unsigned char* const out = to + channel + col * image.channels +
                               std::uint64_t{static_cast<unsigned>(row)} * static_cast<unsigned>(image.row());
    if (aligned && col + step <= image.width) {
      *reinterpret_cast<uint4*>(out) = levels;
    } else {
#pragma unroll 1
      for (int k = 0; k < 16 && col + k / planes < image.width; ++k) {
        const unsigned word = k < 8 ? k < 4 ? levels.x : levels.y : k < 12 ? levels.z : levels.w;
        out[k / planes * image.channels + k % planes] = static_cast<unsigned char>(word >> 8 * (k % 4));
      }
    }
  }
}

/// Whether write_chunk may write 16 bytes at once.
template <int planes>
bool chunks_aligned(const void* out, const ImageShape& image) {
  return image.channels == planes && reinterpret_cast<std::uintptr_t>(out) % 16 == 0 && image.row() % 16 == 0;
}
