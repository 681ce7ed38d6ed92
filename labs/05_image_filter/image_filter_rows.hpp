#pragma once

#include "common/packed_bytes.hpp"
#include "common/row_vectors.hpp"
#include "image_filter_pixels.hpp"

// The rows of common/row_vectors.hpp, with what filters ask of them: numbers, rounded sums, alpha.

/// 16 bytes, with the words before and after.
template <int channels>
struct ByteRow : warplab::ByteRow<channels> {
  using warplab::ByteRow<channels>::ByteRow, warplab::ByteRow<channels>::word;
  using typename warplab::ByteRow<channels>::Vector;
  static constexpr int width = 16;
  static constexpr unsigned two_to_23 = 0x4b000000;  // as a float

  /// Element i as a float: 2^23 + b has b as its lowest byte. Two cheap
  /// instructions in place of a conversion.
  __device__ float number(int i) const {
    return __uint_as_float(__byte_perm(word[(i + 4) / 4], two_to_23, 0x7440 + (i + 4) % 4)) - 0x1p23f;
  }
  /// What a sum of 1 is of a byte. Sums are kept between 0 and 1, since an addition saturates there at no
  /// cost.
  static constexpr float unit = 1.0f / 255;

  /// The nearest bytes to sums of such units: an addition of 2^23 rounds to a whole number, half to even.
  __device__ static Vector to_vector(const float (&sum)[width]) {
    unsigned bits[width], w[4];
#pragma unroll
    for (int i = 0; i < width; ++i) bits[i] = __float_as_uint(fmaf(__saturatef(sum[i]), 255.0f, 0x1p23f));
#pragma unroll
    for (int k = 0; k < 4; ++k)
      w[k] = __byte_perm(__byte_perm(bits[4 * k], bits[4 * k + 1], 0x0040),
                         __byte_perm(bits[4 * k + 2], bits[4 * k + 3], 0x0040), 0x5410);
    return make_uint4(w[0], w[1], w[2], w[3]);
  }
  /// `filtered`, with this row's alpha.
  __device__ Vector with_alpha_of_this(Vector filtered) const {
    if (channels % 2) return filtered;
    constexpr unsigned alpha = channels == 2 ? 0xff00ff00u : 0xff000000u;
    const auto pick = [&](unsigned f, unsigned own) { return (f & ~alpha) | (own & alpha); };
    return make_uint4(pick(filtered.x, word[1]), pick(filtered.y, word[2]), pick(filtered.z, word[3]),
                      pick(filtered.w, word[4]));
  }
};

/// 4 floats, with the pixels before and after.
template <int channels>
struct FloatRow : warplab::ElementRow<float, channels, 4> {
  using warplab::ElementRow<float, channels, 4>::ElementRow, warplab::ElementRow<float, channels, 4>::at;
  using typename warplab::ElementRow<float, channels, 4>::Vector;
  static constexpr int width = 4;
  static constexpr float unit = 1;

  __device__ float number(int i) const { return at(i); }
  __device__ static Vector to_vector(const float (&sum)[width]) {
    return make_float4(sum[0], sum[1], sum[2], sum[3]);
  }
  __device__ Vector with_alpha_of_this(Vector filtered) const {
    if (channels == 2) filtered.y = at(1);
    if (channels % 2 == 0) filtered.w = at(3);
    return filtered;
  }
};

/// Calls `f.template operator()<channels>()`.
template <class F>
void with_channels(int channels, F&& f) {
  switch (channels) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
  }
}
