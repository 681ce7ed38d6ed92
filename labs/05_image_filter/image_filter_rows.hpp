#pragma once

#include <cstdint>

#include "common/packed_bytes.hpp"
#include "image_filter_pixels.hpp"

// Rows of an image in registers: `width` elements per thread (16 bytes), and the `channels` elements before
// and after them, which a 3x3 filter needs too. Element i of a row is i places from the thread's first one,
// -channels <= i < width + channels; all i are known at compile time. The 32 lanes of a warp hold
// neighbouring vectors, so that almost every neighbour is in the next lane, a shuffle away.

/// 16 bytes, with the words before and after.
template <int channels_>
struct ByteRow {
  using Element = unsigned char;
  using Vector = uint4;
  static constexpr int channels = channels_, width = 16;

  /// What a lane loads itself: its vector and, in the outermost lanes, the word beside it.
  struct Loaded {
    uint4 here;
    unsigned beside;
  };
  static constexpr int elements_beside = 4;
  static constexpr unsigned two_to_23 = 0x4b000000;  // as a float
  __device__ static void load_beside(const Element* from, Loaded& to) {
    to.beside = *reinterpret_cast<const unsigned*>(from);
  }

  unsigned word[6];  ///< before, four here, after

  __device__ void set_here(const Loaded& loaded, int lane) {
    const uint4 here = loaded.here;
    word[1] = here.x, word[2] = here.y, word[3] = here.z, word[4] = here.w;
    const unsigned before = __shfl_up_sync(~0u, here.w, 1), after = __shfl_down_sync(~0u, here.x, 1);
    word[0] = lane == 0 ? loaded.beside : before;
    word[5] = lane == 31 ? loaded.beside : after;
  }
  __device__ Element at(int i) const { return static_cast<Element>(word[(i + 4) / 4] >> (i + 4) % 4 * 8); }
  /// Element i as a float: 2^23 + b has b as its lowest byte. Two cheap
  /// instructions in place of a conversion.
  __device__ float number(int i) const {
    return __uint_as_float(__byte_perm(word[(i + 4) / 4], two_to_23, 0x7440 + (i + 4) % 4)) - 0x1p23f;
  }
  __device__ void set(int i, Element value) {
    const int shift = (i + 4) % 4 * 8;
    unsigned& w = word[(i + 4) / 4];
    w = (w & ~(255u << shift)) | unsigned{value} << shift;
  }

  __device__ static Element element(const Vector& v, int i) {
    const unsigned words[] = {v.x, v.y, v.z, v.w};
    return static_cast<Element>(words[i / 4] >> i % 4 * 8);
  }
  /// The nearest bytes to sums, saturated: an addition of 2^23 rounds to a whole number, half to even.
  __device__ static Vector to_vector(const float (&sum)[width]) {
    unsigned bits[width], w[4];
#pragma unroll
    for (int i = 0; i < width; ++i) bits[i] = __float_as_uint(fminf(fmaxf(sum[i], 0.0f), 255.0f) + 0x1p23f);
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
template <int channels_>
struct FloatRow {
  using Element = float;
  using Vector = float4;
  static constexpr int channels = channels_, width = 4;

  struct Loaded {
    float4 here;
    float beside[channels];
  };
  static constexpr int elements_beside = channels;
  __device__ static void load_beside(const Element* from, Loaded& to) {
#pragma unroll
    for (int i = 0; i < channels; ++i) to.beside[i] = from[i];
  }

  float value[channels + width + channels];

  __device__ void set_here(const Loaded& loaded, int lane) {
    const float here[] = {loaded.here.x, loaded.here.y, loaded.here.z, loaded.here.w};
#pragma unroll
    for (int i = 0; i < width; ++i) value[channels + i] = here[i];
#pragma unroll
    for (int i = 0; i < channels; ++i) {
      const int last = width - channels + i;
      const float before = __shfl_up_sync(~0u, here[last], 1), after = __shfl_down_sync(~0u, here[i], 1);
      value[i] = lane == 0 ? loaded.beside[i] : before;
      value[channels + width + i] = lane == 31 ? loaded.beside[i] : after;
    }
  }
  __device__ Element at(int i) const { return value[channels + i]; }
  __device__ float number(int i) const { return at(i); }
  __device__ void set(int i, Element v) { value[channels + i] = v; }

  __device__ static Element element(const Vector& v, int i) {
    const float elements[] = {v.x, v.y, v.z, v.w};
    return elements[i];
  }
  __device__ static Vector to_vector(const float (&sum)[width]) {
    return make_float4(sum[0], sum[1], sum[2], sum[3]);
  }
  __device__ Vector with_alpha_of_this(Vector filtered) const {
    if (channels == 2) filtered.y = at(1);
    if (channels % 2 == 0) filtered.w = at(3);
    return filtered;
  }
};

/// Where a thread is in the rows of an image.
struct RowPlace {
  int x, n, lane;          ///< its first element, the row's number of elements, its number in the warp
  warplab::Border border;  ///< `untouched` is read as `clamp`: what comes of it is not stored
};

/// Loads a thread's vector of row `row` of an image whose rows start at multiples of 16 bytes. Row -1 is 0.
template <class Row>
__device__ typename Row::Loaded load_row(const typename Row::Element* in, int row, const RowPlace& place) {
  typename Row::Loaded loaded{};
  if (row < 0) return loaded;
  const typename Row::Element* const here = in + (std::int64_t{row} * place.n + place.x);
  if (place.x < place.n) loaded.here = *reinterpret_cast<const typename Row::Vector*>(here);
  const int beside = place.lane == 0 ? -Row::elements_beside : Row::width;
  const bool outermost = place.lane == 0 ? place.x > 0 : place.lane == 31;
  if (outermost && place.x + beside < place.n) Row::load_beside(here + beside, loaded);
  return loaded;
}

/// The whole row, once all lanes have loaded their vectors. @pre all 32 lanes come here together
template <class Row>
__device__ Row complete_row(const typename Row::Loaded& loaded, const RowPlace& place) {
  constexpr int C = Row::channels, W = Row::width;
  Row row;
  row.set_here(loaded, place.lane);
  if (place.x == 0 || place.x + W == place.n) {
    const bool zero = place.border == warplab::Border::zero;
    const bool mirror = place.border == warplab::Border::reflect && place.n > C;
#pragma unroll
    for (int i = 0; i < C; ++i) {
      if (place.x == 0) row.set(i - C, zero ? 0 : mirror ? row.at(i + C) : row.at(i));
      if (place.x + W == place.n)
        row.set(W + i, zero ? 0 : mirror ? row.at(W + i - 2 * C) : row.at(W + i - C));
    }
  }
  return row;
}

/// The same where rows start anywhere and end within a vector: every element is loaded by itself.
template <class Row>
__device__ Row gather_row(const typename Row::Element* in, int row, const RowPlace& place) {
  constexpr int C = Row::channels, W = Row::width;
  Row gathered{};
  if (row < 0) return gathered;
  in += std::int64_t{row} * place.n;
  const int inward = place.border == warplab::Border::reflect && place.n > C ? 2 * C : C;
#pragma unroll
  for (int i = -C; i < W + C; ++i) {
    int e = place.x + i;
    if (e < 0 || (e >= place.n && e < place.n + C)) {  // the pixel beyond the edge
      if (place.border == warplab::Border::zero) continue;
      e += e < 0 ? inward : -inward;
    }
    if (e < place.n) gathered.set(i, in[e]);
  }
  return gathered;
}

/// Stores the elements of `v` that lie in [first, last) of the row: as one vector where
/// that is all of them and `vectors`.
template <class Row>
__device__ void store_row(const typename Row::Vector& v, typename Row::Element* row, int x, int first,
                          int last, bool vectors) {
  if (vectors && x >= first && x + Row::width <= last) {
    *reinterpret_cast<typename Row::Vector*>(row + x) = v;
  } else if (x < last) {
#pragma unroll
    for (int i = 0; i < Row::width; ++i)
      if (x + i >= first && x + i < last) row[x + i] = Row::element(v, i);
  }
}

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
