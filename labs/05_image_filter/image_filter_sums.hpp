#pragma once

#include "image_filter_rows.hpp"

// 3x3 filters that slide down the rows of an image. A filter takes them one after another; each step returns
// the filtered row before, once it has seen the row above that one, itself, and the row below.
//
// Two bytes are added at a time, as the halves of a word. Nine bytes are 2295 at most, and sharpen's sums lie
// between 1024 - 4 * 255 and 1024 + 5 * 255: no half overflows into the other, and none goes below 0.

/// Whether sum / 9, rounded, is the upper half of sum * 7282 + 32768 for all sums of nine bytes.
constexpr bool ninths_are_exact() {
  for (unsigned sum = 0; sum <= 9 * 255; ++sum)
    if ((sum * 7282 + 32768) >> 16 != (2 * sum + 9) / 18) return false;
  return true;
}
static_assert(ninths_are_exact());

/// The mean of 3x3 bytes.
template <class Row>
class MeanOfBytes {
 public:
  __device__ explicit MeanOfBytes(const float*) {}
  // BEGIN SOLUTION
  __device__ uint4 step(const Row& row) {
    constexpr int C = Row::channels;
    warplab::PackedBytes p[6];
    unsigned mean[4];
#pragma unroll
    for (int k = 0; k < 6; ++k) p[k] = warplab::unpack(row.word[k]);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const warplab::PackedBytes left = warplab::shifted<-C>(p[k], p[k + 1], p[k + 2]);
      const warplab::PackedBytes right = warplab::shifted<C>(p[k], p[k + 1], p[k + 2]);
      const warplab::PackedBytes sum = {left.even + p[k + 1].even + right.even,
                                        left.odd + p[k + 1].odd + right.odd};
      mean[k] = ninths({above_[k].even + here_[k].even + sum.even, above_[k].odd + here_[k].odd + sum.odd});
      above_[k] = here_[k], here_[k] = sum;
    }
    return make_uint4(mean[0], mean[1], mean[2], mean[3]);
  }

 private:
  /// Four sums of nine bytes, divided by 9 and rounded.
  __device__ static unsigned ninths(warplab::PackedBytes s) {
    const auto ninth = [](unsigned sum) { return sum * 7282 + 32768; };  // its third byte
    const unsigned low = __byte_perm(ninth(s.even & 0xffff), ninth(s.odd & 0xffff), 0x0062);
    const unsigned high = __byte_perm(ninth(s.even >> 16), ninth(s.odd >> 16), 0x0062);
    return __byte_perm(low, high, 0x5410);
  }

  warplab::PackedBytes above_[4] = {}, here_[4] = {};  // sums of three along the rows
  // STUB // Add three along the row, keep the sums of two rows above, divide. The words of a row are
  // STUB // row.word[1] to [4], with those beside them in [0] and [5]; unpack(), shifted() and pack() are in
  // STUB // common/packed_bytes.hpp.
  // STUB __device__ uint4 step(const Row&) { return {}; }
  // END SOLUTION
};

/// 5 times a byte less its four neighbours.
template <class Row>
class SharpenBytes {
 public:
  __device__ explicit SharpenBytes(const float*) {}
  // BEGIN SOLUTION
  __device__ uint4 step(const Row& row) {
    constexpr int C = Row::channels;
    constexpr unsigned bias = 0x04000400;  // 1024 a half: none is ever negative, since 1024 > 4 * 255
    constexpr unsigned most = 0x04ff04ff;  // 255 more
    const auto saturated = [&](unsigned halves) { return __vmaxu2(__vminu2(halves, most), bias); };
    warplab::PackedBytes p[6];
    unsigned sharp[4];
#pragma unroll
    for (int k = 0; k < 6; ++k) p[k] = warplab::unpack(row.word[k]);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const warplab::PackedBytes left = warplab::shifted<-C>(p[k], p[k + 1], p[k + 2]), here = p[k + 1];
      const warplab::PackedBytes right = warplab::shifted<C>(p[k], p[k + 1], p[k + 2]);
      sharp[k] = warplab::pack({saturated(open_[k].even - here.even), saturated(open_[k].odd - here.odd)});
      open_[k] = {here.even * 5 + bias - left.even - right.even - above_[k].even,
                  here.odd * 5 + bias - left.odd - right.odd - above_[k].odd};
      above_[k] = here;
    }
    return make_uint4(sharp[0], sharp[1], sharp[2], sharp[3]);
  }

 private:
  warplab::PackedBytes above_[4] = {}, open_[4] = {};  // open: all but the row below is in it
  // STUB // As the mean; add a bias so that no half is negative, then saturate.
  // STUB __device__ uint4 step(const Row&) { return {}; }
  // END SOLUTION
};

/// Any 3x3 filter, in float: every row adds to three outputs.
template <class Row>
class AnyFilter {
 public:
  __device__ explicit AnyFilter(const float* filter) {
#pragma unroll
    for (int k = 0; k < 9; ++k) f_[k] = filter[k] * Row::unit;
  }
  // BEGIN SOLUTION
  __device__ typename Row::Vector step(const Row& row) {
    constexpr int C = Row::channels;
    float sum[Row::width];
#pragma unroll
    for (int i = 0; i < Row::width; ++i) {
      const float left = row.number(i - C), here = row.number(i), right = row.number(i + C);
      sum[i] = open_[i] + f_[6] * left + f_[7] * here + f_[8] * right;
      open_[i] = next_[i] + f_[3] * left + f_[4] * here + f_[5] * right;
      next_[i] = f_[0] * left + f_[1] * here + f_[2] * right;
    }
    return Row::to_vector(sum);
  }

 private:
  float open_[Row::width] = {}, next_[Row::width] = {};  // outputs that lack one row, and two
  // STUB // Finish one output, carry on another, begin a third. row.number(i) is element i as a float, and
  // STUB // Row::to_vector() makes elements of the sums.
  // STUB __device__ typename Row::Vector step(const Row&) { return {}; }
  // STUB
  // STUB private:
  // END SOLUTION
  float f_[9];  // coefficients, of bytes divided by 255: see ByteRow::to_vector
};
