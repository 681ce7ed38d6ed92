#pragma once

#include <cuda_runtime.h>

#include "common/border.hpp"
#include "common/vector16.hpp"

// Strips: V neighbouring pixels of a row in a thread's registers, with the pixel before and the pixel after.
// The 32 lanes of a warp hold strips side by side, so both come from the lanes beside, by a shuffle. Only the
// outermost lanes have to load theirs, `edge`.

/// What V pixels are moved as.
template <class T, int V>
struct Moved {
  using Type = T;
};
template <>
struct Moved<float, 4> {
  using Type = float4;
};
template <>
struct Moved<unsigned char, 16> {
  using Type = uint4;
};

/// How many pixels 16 bytes are.
template <class T>
constexpr int pixels_in_16_bytes = 16 / sizeof(T);

/// Whether every row of both images starts at a multiple of 16 bytes.
template <class T>
bool rows_start_at_16_bytes(const T* in, const T* out, int width) {
  return warplab::starts_at_16_bytes(in) && warplab::starts_at_16_bytes(out) &&
         width % pixels_in_16_bytes<T> == 0;
}

template <class T, int V>
struct Strip {
  float level[V + 2];  ///< of the pixels -1 to V

  /// @param edge the pixel before, in lane 0; the pixel after, in lane 31  @param ends the image's row ends
  /// with these pixels: what is beyond is up to `border`.  @pre all lanes of the warp come here
  __device__ Strip(const typename Moved<T, V>::Type& pixels, T edge, bool ends, warplab::Border border) {
#pragma unroll
    for (int i = 0; i < V; ++i) level[1 + i] = static_cast<float>(reinterpret_cast<const T*>(&pixels)[i]);
    level[0] = __shfl_up_sync(~0u, level[V], 1);
    level[V + 1] = __shfl_down_sync(~0u, level[1], 1);
    if (threadIdx.x % 32 == 0) level[0] = edge;
    if (threadIdx.x % 32 == 31) level[V + 1] = edge;
    if (ends) {
      using enum warplab::Border;
      level[V + 1] = border == zero ? 0.0f : level[border == reflect ? V - 1 : V];
    }
  }
};

/// Boxes of 2x2 pixels: box[i] adds the pixels i - 1 and i of this strip and of the one below.
template <class T, int V>
__device__ inline void add_boxes(const Strip<T, V>& above, const Strip<T, V>& below, float (&box)[V + 1]) {
  float pair[V + 2];
#pragma unroll
  for (int i = 0; i < V + 2; ++i) pair[i] = above.level[i] + below.level[i];
#pragma unroll
  for (int i = 0; i < V + 1; ++i) box[i] = pair[i] + pair[i + 1];
}

/// 16 bytes stay bytes, four in a word: they are never converted one by one.
template <>
struct Strip<unsigned char, 16> {
  unsigned word[4];     ///< pixels 4i to 4i + 3
  unsigned between[5];  ///< pixels 4i - 1 to 4i + 2

  __device__ Strip(const uint4& pixels, unsigned char edge, bool ends, warplab::Border border)
      : word{pixels.x, pixels.y, pixels.z, pixels.w} {
    unsigned before = __shfl_up_sync(~0u, word[3], 1);   // its last byte counts
    unsigned after = __shfl_down_sync(~0u, word[0], 1);  // its first
    if (threadIdx.x % 32 == 0) before = unsigned{edge} << 24;
    if (threadIdx.x % 32 == 31) after = edge;
    if (ends) {
      using enum warplab::Border;
      after = border == zero ? 0 : word[3] >> (border == reflect ? 16 : 24);
    }
    between[0] = __funnelshift_r(before, word[0], 24);
#pragma unroll
    for (int i = 1; i < 4; ++i) between[i] = __funnelshift_r(word[i - 1], word[i], 24);
    between[4] = __funnelshift_r(word[3], after, 24);
  }
};

/// As above, plus 2^23. A dot product of four bytes with four weights, two of them 1, adds a pair
/// of pixels to a number; and whole numbers added to the bits of 2^23 as a float are added to the
/// float, whose last bit is worth 1. So two instructions make a float of four bytes. The 2^23
/// drops out of every difference of boxes.
__device__ inline void add_boxes(const Strip<unsigned char, 16>& above, const Strip<unsigned char, 16>& below,
                                 float (&box)[17]) {
  constexpr unsigned two_to_23 = 0x4B000000;  // as a float
#pragma unroll
  for (int i = 0; i < 17; ++i) {
    const unsigned a = i % 4 == 0 ? above.between[i / 4] : above.word[i / 4];
    const unsigned b = i % 4 == 0 ? below.between[i / 4] : below.word[i / 4];
    const unsigned pair = i % 4 == 0 ? 0x0101u : 0x0101u << 8 * (i % 4 - 1);
    box[i] = __uint_as_float(__dp4a(b, pair, __dp4a(a, pair, two_to_23)));
  }
}
