#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "common/border.hpp"
#include "common/launch_shape.hpp"

// Rows of an image in registers: 16 bytes per lane, and the pixels before and after them, which a filter of
// 3x3 needs too. Element i of a row is i places from the lane's first one, -channels <= i < width + channels;
// all i are known at compile time. The 32 lanes of a warp hold neighbouring vectors, so that almost every
// neighbour is in the next lane, a shuffle away.
//
// Memory is read and written 16 bytes at a time only at multiples of 16 bytes. Where every row of an image
// begins at one (`aligned`), a lane loads and stores its vector. Elsewhere it loads the vector in memory that
// its first element is in, and takes the rest of its 16 bytes from the next lane. To store, it does the same
// the other way round. The outermost lanes of a warp then miss something, and only serve their neighbours.

namespace warplab {

/// What `width` elements are moved as.
template <class T, int width>
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

/// Whether every row of both images starts at a multiple of 16 bytes. @param n elements in a row
template <class T>
bool rows_start_at_16_bytes(const T* in, const T* out, int n) {
  const auto misplaced = [](const T* image) { return reinterpret_cast<std::uintptr_t>(image) % 16; };
  return misplaced(in) == 0 && misplaced(out) == 0 && n * sizeof(T) % 16 == 0;
}

/// A number that is the same in all lanes of a warp. Now the compiler knows it too, and computes what follows
/// from it once per warp. @pre all 32 lanes come here together
__device__ inline int same_in_warp(unsigned number) { return static_cast<int>(__shfl_sync(~0u, number, 0)); }

/// As bytes_from(), from byte `bits` / 8 of the lane's word `word` on.
template <int word>
__device__ inline uint4 bytes_from_word(const uint4& v, int bits) {
  const unsigned own[] = {v.x, v.y, v.z, v.w};
  unsigned w[5];
#pragma unroll
  for (int i = 0; i < 5; ++i)
    w[i] = word + i < 4 ? own[word + i] : __shfl_down_sync(~0u, own[word + i - 4], 1);
  return make_uint4(__funnelshift_rc(w[0], w[1], bits), __funnelshift_rc(w[1], w[2], bits),
                    __funnelshift_rc(w[2], w[3], bits), __funnelshift_rc(w[3], w[4], bits));
}

/// 16 bytes of the lane's own and the next lane's, from the lane's byte `first` on. Lane 31 has no next lane.
/// @pre `first` is 0 to 16 and the same in all lanes, which come here together
__device__ inline uint4 bytes_from(const uint4& v, int first) {
  if (first < 4) return bytes_from_word<0>(v, 8 * first);
  if (first < 8) return bytes_from_word<1>(v, 8 * first - 32);
  if (first < 12) return bytes_from_word<2>(v, 8 * first - 64);
  return bytes_from_word<3>(v, 8 * first - 96);
}

/// Where a lane is in the rows of an image.
struct RowPlace {
  int x, n, height;  ///< its first element, the elements of a row, the rows of the image
  int lane;          ///< its number in the warp
  Border border;     ///< `untouched` is read as `clamp`: what comes of it is not stored
};

/// What a lane loads itself of a row.
template <class Row>
struct LoadedRow {
  typename Row::Vector here;
  typename Row::Beside beside;  ///< in the outermost lanes of aligned rows
  int skipped;                  ///< bytes of `here` before the lane's first element, of other rows
};

/// Stores the elements `first` to `last` - 1 of `v`, one by one. @param to where element 0 goes
template <class Row>
__device__ void store_elements(const typename Row::Vector& v, typename Row::Element* to, int first,
                               int last) {
#pragma unroll
  for (int i = 0; i < Row::width; ++i)
    if (i >= first && i < last) to[i] = Row::element(v, i);
}

/// 16 bytes, with the words before and after.
template <int channels_>
struct ByteRow {
  using Element = unsigned char;
  using Vector = uint4;
  static constexpr int channels = channels_, width = 16;

  unsigned word[6];  ///< before, four here, after

  using Beside = unsigned;
  static constexpr int elements_beside = 4;
  __device__ static Beside load_beside(const Element* from) {
    return *reinterpret_cast<const unsigned*>(from);
  }

  ByteRow() = default;
  /// What is beside comes from the lanes beside.
  __device__ explicit ByteRow(const Vector& here)
      : word{__shfl_up_sync(~0u, here.w, 1),  here.x, here.y, here.z, here.w,
             __shfl_down_sync(~0u, here.x, 1)} {}
  __device__ void set_before(Beside beside) { word[0] = beside; }
  __device__ void set_after(Beside beside) { word[5] = beside; }

  /// Element `to` becomes what element `from` is.
  __device__ void copy(int to, int from) {
    constexpr unsigned same = 0x3210;
    const int place = (to + 4) % 4, byte = 4 + (from + 4) % 4;  // of the words (to's, from's)
    const unsigned picked = (same & ~(15u << 4 * place)) | static_cast<unsigned>(byte) << 4 * place;
    word[(to + 4) / 4] = __byte_perm(word[(to + 4) / 4], word[(from + 4) / 4], picked);
  }
  __device__ void clear(int i) { word[(i + 4) / 4] &= ~(255u << (i + 4) % 4 * 8); }

  /// The elements from `end` on become what those `inward` places before them are; or 0, if that is 0.
  template <int inward>
  __device__ void extend(int end) {
#pragma unroll
    for (int k = 5; k > 0; --k) {
      const unsigned beyond = __funnelshift_lc(0, ~0u, 8 * max(end - 4 * (k - 1), 0));
      const int byte = 4 * k - inward;  // of all words: what byte 0 of word k may become
      const unsigned from = inward == 0 ? 0
                            : byte < 0  ? __funnelshift_lc(0, word[0], -8 * byte)
                                        : __funnelshift_r(word[byte / 4], word[byte / 4 + 1], byte % 4 * 8);
      word[k] = (word[k] & ~beyond) | (from & beyond);
    }
  }

  __device__ static uint4 bits(const Vector& v) { return v; }
  __device__ static Vector vector(const uint4& bits) { return bits; }
  __device__ static Element element(const Vector& v, int i) {
    const unsigned words[] = {v.x, v.y, v.z, v.w};
    return static_cast<Element>(words[i / 4] >> i % 4 * 8);
  }
  /// As store_elements(), but whole words at once.
  __device__ static void store_part(const Vector& v, Element* to, int first, int last) {
    const unsigned words[] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (4 * k >= first && 4 * k + 4 <= last) {
        *reinterpret_cast<unsigned*>(to + 4 * k) = words[k];
      } else if (4 * k + 4 > first && 4 * k < last) {
#pragma unroll
        for (int i = 4 * k; i < 4 * k + 4; ++i)
          if (i >= first && i < last) to[i] = element(v, i);
      }
    }
  }
};

/// A few elements, with the pixels before and after.
template <class T, int channels_, int width_>
struct ElementRow {
  using Element = T;
  using Vector = typename Moved<T, width_>::Type;
  static constexpr int channels = channels_, width = width_;

  T value[channels + width + channels];

  struct Beside {
    T value[channels];
  };
  static constexpr int elements_beside = channels;
  __device__ static Beside load_beside(const Element* from) {
    Beside beside;
#pragma unroll
    for (int i = 0; i < channels; ++i) beside.value[i] = from[i];
    return beside;
  }

  ElementRow() = default;
  __device__ explicit ElementRow(const Vector& here) {
#pragma unroll
    for (int i = 0; i < width; ++i) value[channels + i] = element(here, i);
#pragma unroll
    for (int i = 0; i < channels; ++i) {
      value[i] = __shfl_up_sync(~0u, value[width + i], 1);
      value[channels + width + i] = __shfl_down_sync(~0u, value[channels + i], 1);
    }
  }
  __device__ void set_before(const Beside& beside) {
#pragma unroll
    for (int i = 0; i < channels; ++i) value[i] = beside.value[i];
  }
  __device__ void set_after(const Beside& beside) {
#pragma unroll
    for (int i = 0; i < channels; ++i) value[channels + width + i] = beside.value[i];
  }

  __device__ T at(int i) const { return value[channels + i]; }
  __device__ void clear(int i) { value[channels + i] = 0; }
  __device__ void copy(int to, int from) { value[channels + to] = value[channels + from]; }
  template <int inward>
  __device__ void extend(int end) {
#pragma unroll
    for (int i = width + channels - 1; i > 0; --i)
      if (i >= end) value[channels + i] = inward == 0 ? 0 : at(max(i - inward, -channels));
  }

  __device__ static uint4 bits(const Vector& v) {
    return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z), __float_as_uint(v.w));
  }
  __device__ static Vector vector(const uint4& bits) {
    return make_float4(__uint_as_float(bits.x), __uint_as_float(bits.y), __uint_as_float(bits.z),
                       __uint_as_float(bits.w));
  }
  __device__ static T element(const Vector& v, int i) { return reinterpret_cast<const T*>(&v)[i]; }
  __device__ static void store_part(const Vector& v, Element* to, int first, int last) {
    store_elements<ElementRow>(v, to, first, last);
  }
};

/// How the warps share a row.
template <class Row, bool aligned>
struct RowShare {
  /// The lanes that store. A lane beside those knows no pixel beyond itself, but for the one byte that the
  /// last lane has of its own; of more channels a pixel is more than that.
  static constexpr int lanes = aligned ? 32 : Row::channels == 1 ? 30 : 28;
  static constexpr int first_lane = aligned || Row::channels == 1 ? 0 : 1;

  /// Warps for a row of `n` elements.
  static int warps(int n) {
    return static_cast<int>(ceil_div(aligned ? n : n + Row::width - 1, lanes * Row::width));
  }
};

/// @param thread the thread's number along the row, where whole warps are side by side
template <class Row, bool aligned>
__device__ RowPlace row_place(unsigned thread, int n, int height, Border border) {
  using Share = RowShare<Row, aligned>;
  const int warp = static_cast<int>(thread / 32), lane = static_cast<int>(thread % 32);
  const int first = aligned ? 0 : -1 - Share::first_lane;  // vectors begin up to 16 bytes late
  return {(warp * Share::lanes + lane + first) * Row::width, n, height, lane, border};
}

/// As a vector, the elements `first` to `last` - 1 of those that follow `from`; the others are 0.
template <class Row>
__device__ typename Row::Vector load_part(const typename Row::Element* from, int first, int last) {
  constexpr unsigned bits = 8 * sizeof(typename Row::Element);
  uint4 v{};
#pragma unroll 1
  for (int i = Row::width - 1; i >= 0; --i) {  // each moves those after it one place on
    unsigned element = 0;
    if (i >= first && i < last) {
      if constexpr (bits == 32)
        element = __float_as_uint(from[i]);
      else
        element = from[i];
    }
    v = make_uint4(__funnelshift_lc(0, v.x, bits) | element, __funnelshift_lc(v.x, v.y, bits),
                   __funnelshift_lc(v.y, v.z, bits), __funnelshift_lc(v.z, v.w, bits));
  }
  return Row::vector(v);
}

/// Loads a lane's part of row `row`. Row -1 is 0.
template <class Row, bool aligned>
__device__ LoadedRow<Row> load_row(const typename Row::Element* in, int row, const RowPlace& place) {
  using Vector = typename Row::Vector;
  constexpr int W = Row::width, bytes = sizeof(typename Row::Element);
  LoadedRow<Row> loaded{};
  if (row < 0) return loaded;
  const typename Row::Element* const begin = in + std::int64_t{row} * place.n;
  if constexpr (aligned) {
    if (place.x < place.n) loaded.here = *reinterpret_cast<const Vector*>(begin + place.x);
    const int beside = place.x + (place.lane == 0 ? -Row::elements_beside : W);
    const bool outermost = place.lane == 0 ? place.x > 0 && place.x < place.n : place.lane == 31;
    if (outermost && beside < place.n) loaded.beside = Row::load_beside(begin + beside);
  } else {
    loaded.skipped = static_cast<int>(reinterpret_cast<std::uintptr_t>(begin) % 16);
    const int x = place.x - loaded.skipped / bytes;
    // A vector may reach into the rows before and after, where the image has them.
    const int min_x = row > 0 && place.n >= W ? 1 - W : 0;
    const int max_x = row + 1 < place.height && place.n >= W ? place.n - 1 : place.n - W;
    if (x >= min_x && x <= max_x)
      loaded.here = *reinterpret_cast<const Vector*>(begin + x);
    else if (x > -W && x < place.n)
      loaded.here = load_part<Row>(begin + x, -x, place.n - x);
  }
  return loaded;
}

/// The whole row, once all lanes have loaded their parts. @pre all 32 lanes come here together
template <class Row, bool aligned>
__device__ Row complete_row(const LoadedRow<Row>& loaded, const RowPlace& place) {
  constexpr int C = Row::channels, W = Row::width;
  const auto here = [&] {
    if constexpr (aligned)
      return loaded.here;
    else
      return Row::vector(bytes_from(Row::bits(loaded.here), loaded.skipped));
  };
  Row row(here());
  if constexpr (aligned) {
    if (place.lane == 0) row.set_before(loaded.beside);
    if (place.lane == 31) row.set_after(loaded.beside);
  }
  const bool zero = place.border == Border::zero;
  const bool mirror = place.border == Border::reflect && place.n > C;
  const auto beyond = [&](int i, int inward) {  // the element i is beyond the edge
    if (zero)
      row.clear(i);
    else if (mirror)
      row.copy(i, i + 2 * inward);
    else
      row.copy(i, i + inward);
  };
  const int end = place.n - place.x;
  if (place.x == 0) {
#pragma unroll
    for (int i = -C; i < 0; ++i) beyond(i, C);
  }
  if (aligned && end == W) {
#pragma unroll
    for (int i = W; i < W + C; ++i) beyond(i, -C);
  }
  if (!aligned && end > 0 && end < W + C) {
    if (zero)
      row.template extend<0>(end);
    else if (mirror)
      row.template extend<2 * C>(end);
    else
      row.template extend<C>(end);
  }
  return row;
}

/// Stores the elements of `v` that are in [first, last) of the row `row` of an image: as one
/// vector where that is all of them. @pre all 32 lanes come here together
template <class Row, bool aligned>
__device__ void store_row(typename Row::Vector v, typename Row::Element* row, const RowPlace& place,
                          int first, int last) {
  using Share = RowShare<Row, aligned>;
  int x = place.x;
  if constexpr (!aligned) {
    const int skipped = 16 - static_cast<int>(reinterpret_cast<std::uintptr_t>(row) % 16);
    v = Row::vector(bytes_from(Row::bits(v), skipped));
    x += skipped / static_cast<int>(sizeof(typename Row::Element));
    if (place.lane < Share::first_lane || place.lane >= Share::first_lane + Share::lanes) return;
  }
  if (x >= first && x + Row::width <= last) {
    *reinterpret_cast<typename Row::Vector*>(row + x) = v;
  } else if (x < last && (!aligned || first > 0 || last < place.n)) {
    if constexpr (aligned)
      store_elements<Row>(v, row + x, first - x, last - x);
    else
      Row::store_part(v, row + x, first - x, last - x);
  }
}

}  // namespace warplab
