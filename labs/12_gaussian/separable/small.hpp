#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "common/vector16.hpp"
#include "gaussian.hpp"
#include "level_bits.hpp"

// Small filters, where two passes cost less than moving the bytes: all in registers. A thread owns 16 bytes
// of a row and goes down. It keeps the last `side` rows of the first pass, two results a register, as halves.
//
// Levels become -128 to 127, so halves round them less: by at most 1/32 per step, which 9 steps each way keep
// within one grey level. A byte turns into a half without arithmetic: 0x64 before it is 1024 plus the byte.
// And back: see level_pair_bits.

inline constexpr int small_threads = 128;

/// A word's bytes 0 and 2 as a pair of levels less 128, or its bytes 1 and 3.
__device__ inline __half2 pair_of(unsigned word, bool odd) {
  const unsigned bits = __byte_perm(word, 0x64646464, odd ? 0x4341 : 0x4240);
  return __hadd2(*reinterpret_cast<const __half2*>(&bits), __float2half2_rn(-1152.0f));
}

/// Four levels as bytes, from pairs of sums as pair_of makes them: rounded and saturated.
__device__ inline unsigned word_of(__half2 even, __half2 odd) {
  return __byte_perm(level_pair_bits(even), level_pair_bits(odd), 0x6240);
}

/// 16 bytes of a row and, in words of 4 bytes, what a filter reaches before and after them.
template <int channels, int side>
struct SmallRow {
  static constexpr int reach = side / 2 * channels, halo = (reach + 3) / 4;
  static_assert(reach <= 16, "a neighbour's 16 bytes must be enough");
  unsigned word[4 + 2 * halo];

  /// @param row the image's row  @param col of the first byte, a multiple of 16  @param bytes in the row, too
  __device__ void load(const unsigned char* row, int col, int bytes) {
    const uint4 own = *reinterpret_cast<const uint4*>(row + col);
    word[halo] = own.x, word[halo + 1] = own.y, word[halo + 2] = own.z, word[halo + 3] = own.w;
#pragma unroll
    for (int i = 0; i < halo; ++i) {
      // Beyond the edges, the pixel at the edge repeats.
      word[i] =
          col > 0 ? *reinterpret_cast<const unsigned*>(row + col - 4 * (halo - i)) : repeated(own.x, 0x0000);
      word[halo + 4 + i] = col + 16 < bytes ? *reinterpret_cast<const unsigned*>(row + col + 16 + 4 * i)
                                            : repeated(own.w, 0x3333);
    }
  }

  static __device__ unsigned repeated(unsigned word, unsigned byte) {
    return channels == 4 ? word : __byte_perm(word, 0, byte);
  }

  /// The first pass: word i's results, bytes 0 and 2 (odd: 1 and 3).
  __device__ void filter(const __half2 (&across)[side], __half2 (&to)[8]) const {
    __half2 pairs[4 + 2 * halo][2];
#pragma unroll
    for (int i = 0; i < 4 + 2 * halo; ++i)
      pairs[i][0] = pair_of(word[i], false), pairs[i][1] = pair_of(word[i], true);
    const auto from = [&](int byte) {  // this one and the next but one
      const int i = byte / 4, odd = byte % 2;
      return byte % 4 < 2 ? pairs[i][odd]
                          : __halves2half2(__high2half(pairs[i][odd]), __low2half(pairs[i + 1][odd]));
    };
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int first = 4 * halo - reach + i / 2 * 4 + i % 2;
      to[i] = __hmul2(across[0], from(first));
#pragma unroll
      for (int k = 1; k < side; ++k) to[i] = __hfma2(across[k], from(first + k * channels), to[i]);
    }
  }
};

template <int channels, int side, int ahead, int blocks>
__global__ void __launch_bounds__(small_threads, blocks)
    gaussian_separable_small_kernel(const unsigned char* __restrict__ in, FilterBank filters,
                                    unsigned char* __restrict__ out, ImageShape image, int rows) {
  static_assert(side % ahead == 0, "a row's place in registers is the same each time round");
  const int filter = static_cast<int>(blockIdx.x) % filters.count;  // neighbours read the same rows
  const int col = static_cast<int>(blockIdx.x / filters.count * small_threads + threadIdx.x) * 16;
  const int first = static_cast<int>(blockIdx.y) * rows, end = min(first + rows, image.height);
  const int bytes = image.row();
  if (col >= bytes) return;
  __half2 across[side], down[side];
#pragma unroll
  for (int k = 0; k < side; ++k) {
    const auto weight = [&](const __half* factor) {
      return __float2half2_rn(__half2float(factor[filter * side + k]) * filters.factor_gain);
    };
    across[k] = weight(filters.across), down[k] = weight(filters.down);
  }
  const auto load = [&](SmallRow<channels, side>& to, int row) {
    const auto inside = static_cast<unsigned>(min(max(row, 0), image.height - 1));
    to.load(in + std::uint64_t{inside} * static_cast<unsigned>(bytes), col, bytes);
  };
  SmallRow<channels, side> coming[ahead];
  __half2 between[side][8];
  const int top = first - side / 2;
#pragma unroll
  for (int i = 0; i < ahead; ++i) load(coming[i], top + i);
  unsigned char* to = out + filter * image.bytes() + std::int64_t{first} * bytes + col;
  for (int group = top; group < end + side / 2; group += side) {
#pragma unroll
    for (int i = 0; i < side; ++i) {
      coming[i % ahead].filter(across, between[i]);
      load(coming[i % ahead], group + i + ahead);
      const int row = group + i - side / 2;  // whose last neighbour this was
      if (row >= end) return;
      if (row < first) continue;
      __half2 sum[8];
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        sum[j] = __hmul2(down[0], between[(i + 1) % side][j]);
#pragma unroll
        for (int k = 1; k < side; ++k) sum[j] = __hfma2(down[k], between[(i + 1 + k) % side][j], sum[j]);
      }
      *reinterpret_cast<uint4*>(to) = make_uint4(word_of(sum[0], sum[1]), word_of(sum[2], sum[3]),
                                                 word_of(sum[4], sum[5]), word_of(sum[6], sum[7]));
      to += bytes;
    }
  }
}

/// Filters the image if this way takes it: sides 3 to 9, 1 or 4 channels, in rows of whole 16 bytes.
inline bool separable_small(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                            const ImageShape& image, cudaStream_t stream) {
  if ((image.channels != 1 && image.channels != 4) || image.row() % 16 != 0 ||
      !warplab::starts_at_16_bytes(in) || !warplab::starts_at_16_bytes(out))
    return false;
  constexpr int rows = 32;  // of a thread: each reads side - 1 more
  const auto launch = [&]<int channels, int side, int ahead, int blocks>() {
    if (image.channels != channels || filters.side != side) return false;
    const dim3 grid = warplab::grid_of(warplab::ceil_div(image.row(), 16 * small_threads) * filters.count,
                                       warplab::ceil_div(image.height, rows));
    gaussian_separable_small_kernel<channels, side, ahead, blocks>
        <<<grid, small_threads, 0, stream>>>(in, filters, out, image, rows);
    CUDA_CHECK_LAUNCH();
    return true;
  };
  return launch.template operator()<4, 3, 3, 6>() || launch.template operator()<1, 3, 3, 6>() ||
         launch.template operator()<4, 5, 5, 4>() || launch.template operator()<1, 5, 5, 4>() ||
         launch.template operator()<4, 7, 1, 4>() || launch.template operator()<1, 7, 1, 4>() ||
         launch.template operator()<4, 9, 3, 3>() || launch.template operator()<1, 9, 3, 3>();
}
