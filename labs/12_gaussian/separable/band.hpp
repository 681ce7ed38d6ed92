#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "gaussian.hpp"
#include "level_bits.hpp"

// mma's operands and results, for sm_80 and later. Of a result of 16x8 a lane has the rows lane / 4 and 8
// below, the columns 2 (lane % 4) and the next.

/// The sums of a lane in a result of 16x8.
struct Tile {
  float sum[4] = {};  ///< two columns of the upper row, two of the lower
};

template <int strips>
__device__ void start_at(Tile (&tiles)[strips][2], float value) {
#pragma unroll
  for (int s = 0; s < strips; ++s)
#pragma unroll
    for (int i = 0; i < 4; ++i) tiles[s][0].sum[i] = tiles[s][1].sum[i] = value;
}

/// T, 16 rows by 16 * tiles: row m has the weights from column m on. All its tiles of 8x8 on a
/// diagonal are the same, so a lane's four pairs of weights of a tile of 16x16 are from three
/// places. They are read as if they were from four: mma takes four neighbouring registers, and what
/// it shares between tiles must be moved.
template <int tiles, int below>
struct Band {
  uint4 quad[tiles];

  /// @param start the weight in the lane's first place
  __device__ void load(const __half* weights, int side, float gain, int start) {
    const auto weight = [&](int i) {
      if (i < 0 || i >= side) return 0u;
      const __half bits = weights[i];
      return unsigned{__half_as_ushort(__float2half_rn(__half2float(bits) * gain))};
    };
    const auto pair = [&](int i) { return weight(i) | weight(i + 1) << 16; };
#pragma unroll
    for (int tile = 0; tile < tiles; ++tile) {
      const int i = 16 * tile + start;
      quad[tile] =
          make_uint4(apart(pair(i)), apart(pair(i - below)), apart(pair(i + 8)), apart(pair(i + 8 - below)));
    }
  }

  /// What the compiler takes for a value of its own.
  static __device__ unsigned apart(unsigned x) { return __shfl_sync(~0u, x, threadIdx.x % 32); }

  __device__ uint4 tile(int i) const { return quad[i]; }
};

/// As above, in shared memory: (tiles, 32 lanes).
template <int tiles, int below>
struct SharedBand {
  static constexpr int bytes = tiles * 32 * sizeof(uint4);
  uint4* quads;

  __device__ void fill(const __half* weights, int side, float gain, int start) {
    Band<1, below> one;
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
      one.load(weights, side, gain, 16 * tile + start);
      quads[tile * 32 + threadIdx.x % 32] = one.quad[0];
    }
  }

  __device__ uint4 tile(int i) const { return quads[i * 32 + threadIdx.x % 32]; }
};

template <int tiles, int below, bool shared>
__device__ inline auto load_band(const __half* weights, int side, float gain, int start, void* place,
                                 bool fills) {
  if constexpr (shared) {
    SharedBand<tiles, below> band{static_cast<uint4*>(place)};
    if (fills) band.fill(weights, side, gain, start);
    return band;
  } else {
    Band<tiles, below> band;
    band.load(weights, side, gain, start);
    return band;
  }
}

/// The same result as halves: pairs of neighbouring columns, of the upper row and of the lower.
struct HalfTile {
  unsigned pair[2] = {};
};

/// sum = 16 columns of T, times a matrix of 16x8, plus `start`; rounded to halves once.
__device__ inline void multiply(HalfTile& sum, const uint4& a, unsigned b0, unsigned b1,
                                const HalfTile& start) {
  asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
      : "=r"(sum.pair[0]), "=r"(sum.pair[1])
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1), "r"(start.pair[0]), "r"(start.pair[1]));
}

/// sum = 16 columns of T, times a matrix of 16x8, plus `start`.
__device__ inline void multiply(Tile& sum, const uint4& a, unsigned b0, unsigned b1, const Tile& start) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11,%12,%13};"
      : "=f"(sum.sum[0]), "=f"(sum.sum[1]), "=f"(sum.sum[2]), "=f"(sum.sum[3])
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1), "f"(start.sum[0]), "f"(start.sum[1]),
        "f"(start.sum[2]), "f"(start.sum[3]));
}

/// Four matrices of 8x8 halves; lane i says where row i % 8 of matrix i / 8 is.
__device__ inline void load_matrices(unsigned (&to)[4], const __half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
               : "memory");
}

__device__ inline unsigned pack_halves(float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&both);
}

/// Four levels as bytes, from pairs of halves; see level_pair_bits.
__device__ inline unsigned pack_levels(unsigned low, unsigned high) {
  return __byte_perm(level_pair_bits(*reinterpret_cast<const __half2*>(&low)),
                     level_pair_bits(*reinterpret_cast<const __half2*>(&high)), 0x6420);
}

/// Has the second-level cache fetch what will be loaded later.
__device__ inline void prefetch_to_l2(const void* from) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}
