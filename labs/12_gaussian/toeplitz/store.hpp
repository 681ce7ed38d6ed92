#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "gaussian.hpp"
#include "level_bits.hpp"

/// A warpgroup's sums of 64 / outputs filters to memory.
/// @param sums see multiply_add: a row is a filter and an output, a line a row of the image and a channel
template <int lines, int depth>
__device__ inline void store_sums(const float (&sums)[lines / 2], unsigned char* out, ImageShape image,
                                  int filters, int outputs, std::int64_t first_row, int first_col,
                                  int channel, float gain) {
  // Else the compiler would work out all addresses before the products, and hold them in registers meanwhile.
  asm volatile(""
               : "+r"(image.width), "+r"(image.height), "+r"(image.channels), "+l"(first_row), "+r"(outputs));
  static_assert(lines % 8 == 0);
  const int lane = threadIdx.x % 32, warp = threadIdx.x % 128 / 32;
  const bool words = depth == 4 && image.channels == 4 && reinterpret_cast<std::uintptr_t>(out) % 4 == 0;
  if (words) {
    // A thread has two channels of a pixel for two rows of sums, its neighbour the other two: they swap.
    const bool odd = lane % 2 != 0;
    const unsigned of_both = odd ? 0x3276 : 0x5410;
    const int sum_row = warp * 16 + odd * 8 + lane / 4;
    const int filter = sum_row / outputs, col = first_col + sum_row % outputs;
    const std::int64_t row = first_row + lane % 4 / 2, two_rows = std::int64_t{image.row()} * 2;
    unsigned char* to = out + ((filter * std::int64_t{image.height} + row) * image.width + col) * 4;
    const bool inside = filter < filters && col < image.width;
    const int rows_left = inside ? static_cast<int>(image.height - row) : 0;
#pragma unroll
    for (int i = 0; i < lines / 8; ++i, to += two_rows) {
      const unsigned upper =
          __byte_perm(level_bits(sums[4 * i], gain), level_bits(sums[4 * i + 1], gain), 0x0040);
      const unsigned lower =
          __byte_perm(level_bits(sums[4 * i + 2], gain), level_bits(sums[4 * i + 3], gain), 0x0040);
      const unsigned mine = __byte_perm(upper, lower, 0x5410);
      const unsigned theirs = __shfl_xor_sync(~0u, mine, 1);
      const unsigned word = __byte_perm(mine, theirs, of_both);
      if (2 * i < rows_left) *reinterpret_cast<unsigned*>(to) = word;
    }
    return;
  }
  // Bytes one by one: a thread has two lines of two rows of sums.
  const int sum_row = warp * 16 + lane / 4;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int filter = (sum_row + 8 * h) / outputs, col = first_col + (sum_row + 8 * h) % outputs;
    if (filter >= filters || col >= image.width) continue;
    const std::int64_t pixel = std::int64_t{filter} * image.height * image.width + col;
#pragma unroll
    for (int i = 0; i < lines / 4; ++i) {
      const int line = i / 2 * 8 + lane % 4 * 2 + i % 2, c = channel + line % depth;
      const std::int64_t row = first_row + line / depth;
      if (row < image.height && c < image.channels)
        out[(pixel + row * image.width) * image.channels + c] =
            static_cast<unsigned char>(level_bits(sums[i / 2 * 4 + 2 * h + i % 2], gain));
    }
  }
}
