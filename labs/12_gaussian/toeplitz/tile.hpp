#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "gaussian.hpp"

// A part of the image in shared memory, as Tensor Cores take it: in half, in blocks of `block` columns.
//
//   tile  (column blocks, lines, pitch) halves; a line is `block` neighbouring pixels of one channel
//
// The channels of a row are neighbouring lines, and so are the rows: line = row * depth + channel. So any 16
// or 64 or 256 lines in succession are a matrix, and the matrix one image row further down begins `depth`
// lines later. `depth` is 1 for images of one channel and 4 for all others; channels that are not there are
// copies of the last one, and their results are dropped.

/// How the bytes of an image may be read.
struct ImageReader {
  const unsigned char* in;  // (height, width, channels)
  ImageShape image;
  bool words;    ///< rows start at multiples of 4 bytes; a pixel of 4 channels is a word
  bool vectors;  ///< every 4 pixels of 4 channels start at a multiple of 16 bytes

  ImageReader(const unsigned char* bytes, ImageShape shape)
      : in(bytes),
        image(shape),
        words(reinterpret_cast<std::uintptr_t>(bytes) % 4 == 0 && shape.row() % 4 == 0),
        vectors(reinterpret_cast<std::uintptr_t>(bytes) % 16 == 0 && shape.row() % 16 == 0) {}
};

__device__ inline int clamp_index(std::int64_t i, int size) {
  return static_cast<int>(i < 0 ? 0 : i < size ? i : size - 1);
}

/// The bytes 0 and 2 of a word as halves. 0x6400 is 1024 in half, where the last bit counts 1.
__device__ inline __half2 halves_of_even_bytes(unsigned word) {
  const unsigned above_1024 = (word & 0x00ff00ff) | 0x64006400;
  return __hsub2(*reinterpret_cast<const __half2*>(&above_1024), __float2half2_rn(1024.0f));
}

/// Four channels of the pixel in column `col`, or of the one at the edge next to it.
__device__ inline unsigned load_pixel(const ImageReader& reader, const unsigned char* row, int col,
                                      int channel) {
  const int channels = reader.image.channels;
  const unsigned char* pixel = row + std::int64_t{clamp_index(col, reader.image.width)} * channels;
  if (channels == 4 && reader.words) return *reinterpret_cast<const unsigned*>(pixel);
  unsigned word = 0;
  for (int c = 0; c < 4; ++c)
    word |= static_cast<unsigned>(pixel[clamp_index(channel + c, channels)]) << (8 * c);
  return word;
}

/// Eight neighbouring pixels of four channels: two of them make each of the 16 words stored.
/// @param line where the first channel goes; the next one goes `pitch` halves further
template <int pitch>
__device__ inline void stage_pixels_of_4(const ImageReader& reader, const unsigned char* row, int col,
                                         int channel, __half* line) {
  unsigned pixel[8];
  if (reader.vectors && reader.image.channels == 4 && col >= 0 && col + 8 <= reader.image.width) {
    const uint4* from = reinterpret_cast<const uint4*>(row + std::int64_t{col} * 4);
    const uint4 low = from[0], high = from[1];
    pixel[0] = low.x, pixel[1] = low.y, pixel[2] = low.z, pixel[3] = low.w;
    pixel[4] = high.x, pixel[5] = high.y, pixel[6] = high.z, pixel[7] = high.w;
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i) pixel[i] = load_pixel(reader, row, col + i, channel);
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    __align__(16) __half2 of_channel[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      of_channel[i] = halves_of_even_bytes(__byte_perm(pixel[2 * i], pixel[2 * i + 1], c | (c + 4) << 8));
    *reinterpret_cast<uint4*>(line + c * pitch) = *reinterpret_cast<const uint4*>(of_channel);
  }
}

/// Eight neighbouring pixels of the only channel.
__device__ inline void stage_pixels_of_1(const ImageReader& reader, const unsigned char* row, int col,
                                         __half* line) {
  unsigned word[2] = {0, 0};
  if (reader.words && col >= 0 && col + 8 <= reader.image.width) {
    word[0] = reinterpret_cast<const unsigned*>(row + col)[0];
    word[1] = reinterpret_cast<const unsigned*>(row + col)[1];
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i)
      word[i / 4] |= static_cast<unsigned>(row[clamp_index(col + i, reader.image.width)]) << (8 * (i % 4));
  }
  __align__(16) __half2 pixels[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    pixels[i] = halves_of_even_bytes(__byte_perm(word[i / 2], 0, i % 2 ? 0x4342 : 0x4140));
  *reinterpret_cast<uint4*>(line) = *reinterpret_cast<const uint4*>(pixels);
}

/// All threads of a block copy `rows` rows of `blocks` column blocks from (first_row, first_col) on into the
/// tile, whose column blocks have `lines` lines. The caller waits before it is read.
template <int block, int depth, int pitch = block>
__device__ inline void stage_tile(const ImageReader& reader, std::int64_t first_row, int first_col,
                                  int channel, int rows, int blocks, int lines, __half* tile) {
  static_assert(block % 8 == 0 && pitch % 8 == 0 && (depth == 1 || depth == 4));
  const int eights = blocks * (block / 8);
  for (int i = threadIdx.x; i < rows * eights; i += blockDim.x) {
    const int y = i / eights, eight = i % eights, col = first_col + eight * 8;
    const unsigned char* row =
        reader.in + std::int64_t{clamp_index(first_row + y, reader.image.height)} * reader.image.row();
    __half* line = tile + (static_cast<std::int64_t>(eight / (block / 8)) * lines + y * depth) * pitch +
                   eight % (block / 8) * 8;
    if constexpr (depth == 4)
      stage_pixels_of_4<pitch>(reader, row, col, channel, line);
    else
      stage_pixels_of_1(reader, row, col, line);
  }
}
