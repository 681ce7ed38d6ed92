#pragma once

#include <cuda_runtime.h>

#include "common/row_vectors.hpp"

// What Sobel's rung of vectors does with the rows of common/row_vectors.hpp: boxes of 2x2 pixels.

/// The widest row of T that an access moves: 16 bytes.
template <class T>
struct RowOf16Bytes {
  using Type = warplab::ElementRow<T, 1, 4>;
};
template <>
struct RowOf16Bytes<unsigned char> {
  using Type = warplab::ByteRow<1>;
};

/// Boxes of 2x2 pixels: box[i] adds the pixels i - 1 and i of this row and of the one below.
template <class T, int V>
__device__ inline void add_boxes(const warplab::ElementRow<T, 1, V>& above,
                                 const warplab::ElementRow<T, 1, V>& below, float (&box)[V + 1]) {
  float pair[V + 2];
#pragma unroll
  for (int i = 0; i < V + 2; ++i)
    pair[i] = static_cast<float>(above.at(i - 1)) + static_cast<float>(below.at(i - 1));
#pragma unroll
  for (int i = 0; i < V + 1; ++i) box[i] = pair[i] + pair[i + 1];
}

/// 16 bytes stay bytes, four in a word: they are never converted one by one. A dot product of four bytes
/// with four weights, two of them 1, adds a pair of pixels to a number; and whole numbers added to the bits
/// of 2^23 as a float are added to the float, whose last bit is worth 1. So two instructions make a float of
/// four bytes. The 2^23 drops out of every difference of boxes.
__device__ inline void add_boxes(const warplab::ByteRow<1>& above, const warplab::ByteRow<1>& below,
                                 float (&box)[17]) {
  constexpr unsigned two_to_23 = 0x4B000000;  // as a float
  // Word i / 4 has the pixels from i on; where i is its first, a word across both has the pixel before too.
  const auto pixels = [](const warplab::ByteRow<1>& row, int i) {
    return i % 4 == 0 ? __funnelshift_r(row.word[i / 4], row.word[i / 4 + 1], 24) : row.word[1 + i / 4];
  };
#pragma unroll
  for (int i = 0; i < 17; ++i) {
    const unsigned pair = i % 4 == 0 ? 0x0101u : 0x0101u << 8 * (i % 4 - 1);
    box[i] = __uint_as_float(__dp4a(pixels(below, i), pair, __dp4a(pixels(above, i), pair, two_to_23)));
  }
}
