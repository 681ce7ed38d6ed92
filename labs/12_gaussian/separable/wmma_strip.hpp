#pragma once

#include <cuda_fp16.h>
#include <mma.h>

#include <cstddef>

#include "gaussian.hpp"
#include "separable/planes.hpp"

namespace wmma = nvcuda::wmma;

inline constexpr int tile = 16;
inline constexpr int scratch_pitch = 20;  ///< floats: rows start in other banks
inline constexpr int loads_at_once = 4;   ///< of a thread
static_assert(tile == chunk_rows);

/// How a strip of `planes` channels lies in shared memory; everything in halves, if not stated otherwise.
/// A block is `planes` channels by so many pixels; a warp has `strips` times 16 of them, which share T.
template <int planes_, int pixels_, int strips_>
struct WmmaStrip {
  static constexpr int planes = planes_, pixels = pixels_, strips = strips_;
  static constexpr int warps = planes * pixels / 16 / strips, threads = 32 * warps;
  int tiles;  ///< of 16 rows in the ring, and of 16 columns in T

  __host__ __device__ int band_pitch() const { return tile * tiles + 8; }
  __host__ __device__ int quads() const { return (pixels + tile * (tiles - 1)) / 4; }
  __host__ __device__ int pitch() const { return 8 * (quads() / 2 | 1); }
  __host__ __device__ int ring_pitch() const { return pixels + 8; }
  __host__ __device__ int out_pitch() const { return pixels * planes + 16; }  ///< bytes
  __host__ __device__ std::size_t shared_bytes() const {
    return sizeof(__half) * (2 * tile * band_pitch() + planes * tile * (pitch() + tiles * ring_pitch())) +
           sizeof(float) * warps * tile * scratch_pitch + tile * out_pitch();
  }
};

/// T in shared memory: (16, band_pitch), `shift` zeros before the first weight.
__device__ inline void fill_band(__half* band, int pitch, const __half* weights, int side, float gain,
                                 int shift) {
  for (int i = threadIdx.x; i < tile * pitch; i += blockDim.x) {
    const int tap = i % pitch - i / pitch - shift;
    band[i] = __float2half_rn(tap >= 0 && tap < side ? __half2float(weights[tap]) * gain : 0.0f);
  }
}

using Sums = wmma::fragment<wmma::accumulator, tile, tile, tile, float>;

/// Hands each lane 8 neighbouring sums of row lane % 16, from column lane / 16 * 8 on: 8 lanes read 8 rows,
/// which lie in different banks.
__device__ inline void spread_sums(float (&to)[8], const Sums& sums, float* scratch) {
  __syncwarp();  // waits for those who still read what the scratch held before
  wmma::store_matrix_sync(scratch, sums, scratch_pitch, wmma::mem_row_major);
  __syncwarp();  // waits for the whole warp's sums
  const int lane = threadIdx.x % 32;
  const float4* const from =
      reinterpret_cast<const float4*>(scratch + lane % 16 * scratch_pitch + lane / 16 * 8);
  const float4 low = from[0], high = from[1];
  to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
  to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
}

__device__ inline void store_halves(__half* to, const float (&from)[8]) {
  unsigned pairs[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const __half2 pair = __floats2half2_rn(from[2 * i], from[2 * i + 1]);
    pairs[i] = *reinterpret_cast<const unsigned*>(&pair);
  }
  *reinterpret_cast<uint4*>(to) = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
}

__device__ inline void store_levels(unsigned char* to, const float (&from)[8], float gain) {
  unsigned words[2] = {};
#pragma unroll
  for (int i = 0; i < 8; ++i) words[i / 4] |= unsigned{gaussian_level(from[i] * gain)} << 8 * (i % 4);
  *reinterpret_cast<uint2*>(to) = make_uint2(words[0], words[1]);
}
