#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "tma_queues_tiles.hpp"
#include "tma_queues_works.hpp"

// What the threads of a block do with the tiles, whatever way they come. Device code.
//
//   vector_at(work, v, tile)  where the tile of vector v begins in device memory, the first queue's first
//   take(work, ...)           computes with a tile: called by threads 0 to tma_queues_consumers - 1
//   finish(work, sums, ...)   called by the same threads after a block's last tile
//
// A tile lies in shared memory as (vectors, pitch), at a multiple of 16 bytes; pitch is a multiple of 4.

/// The sum of a warp's 32 lanes, in each of them.
__device__ inline float sum_of_warp(float x) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) x += __shfl_xor_sync(0xffffffffu, x, distance);
  return x;
}
__device__ inline float4 four_at(const float* p, int i) { return *reinterpret_cast<const float4*>(p + i); }

template <class Work>
__device__ const float* vector_at(const Work& work, int vector, const Tile& tile) {
  return (vector == 0 ? work.a : work.b) + tile.first;
}
/// Past the last row it is the last row's: that result is not stored.
template <int columns, int warp_rows, int warp_columns>
__device__ const float* vector_at(const MatrixWork<columns, warp_rows, warp_columns>& work, int vector,
                                  const Tile& tile) {
  constexpr int rows = tma_queues_rows;
  if (vector < rows) return work.a + min(tile.run * rows + vector, work.m - 1) * work.leading + tile.first;
  const std::int64_t column = std::int64_t{blockIdx.y} * columns + vector - rows;
  return work.b + min(column, work.n - 1) * work.leading + tile.first;
}

template <class Op>
__device__ void take(const ElementwiseWork<Op>& work, typename ElementwiseWork<Op>::Sums&, const float* first,
                     const float* second, int, const Tile& tile, int thread) {
  constexpr bool two = Op::operands == 2;
  auto* const z4 = reinterpret_cast<float4*>(work.z + tile.first);
  for (int i = thread; i < tile.count / 4; i += tma_queues_consumers) {
    const float4 x = four_at(first, 4 * i), y = two ? four_at(second, 4 * i) : x;
    __stcs(z4 + i, make_float4(work.op(x.x, y.x), work.op(x.y, y.y), work.op(x.z, y.z), work.op(x.w, y.w)));
  }
  const int i = tile.count / 4 * 4 + thread;  // fewer than 4 are left
  if (i < tile.count) work.z[tile.first + i] = work.op(first[i], two ? second[i] : 0);
}
template <class Op>
__device__ void finish(const ElementwiseWork<Op>&, typename ElementwiseWork<Op>::Sums&, int) {}

__device__ inline void take(const DotProductWork&, DotProductWork::Sums& mine, const float* first,
                            const float* second, int, const Tile& tile, int thread) {
  float(&sums)[4] = mine.sums;
  for (int i = thread; i < tile.count / 4; i += tma_queues_consumers) {
    const float4 x = four_at(first, 4 * i), y = four_at(second, 4 * i);
    sums[0] = fmaf(x.x, y.x, sums[0]);
    sums[1] = fmaf(x.y, y.y, sums[1]);
    sums[2] = fmaf(x.z, y.z, sums[2]);
    sums[3] = fmaf(x.w, y.w, sums[3]);
  }
  const int i = tile.count / 4 * 4 + thread;  // fewer than 4 are left
  if (i < tile.count) sums[0] = fmaf(first[i], second[i], sums[0]);
}
__device__ inline void finish(const DotProductWork& work, DotProductWork::Sums& mine, int thread) {
  const float sum = sum_of_warp((mine.sums[0] + mine.sums[1]) + (mine.sums[2] + mine.sums[3]));
  if (thread % 32 == 0) atomicAdd(work.z, sum);
}

/// Stores a warp's sums of a run, and begins new ones. @param row and @param column of z, the warp's first
template <class Work>
__device__ void store_sums(const Work& work, typename Work::Sums& mine, std::int64_t row, std::int64_t column,
                           int lane) {
#pragma unroll
  for (int r = 0; r < Work::warp_rows; ++r)
#pragma unroll
    for (int c = 0; c < Work::warp_columns; ++c) {
      const float sum = sum_of_warp(mine.sums[r][c]);
      mine.sums[r][c] = 0;
      if (lane == r * Work::warp_columns + c && row + r < work.m && column + c < work.n)
        work.z[(row + r) * work.n + column + c] = sum;
    }
}

template <int columns, int warp_rows, int warp_columns>
__device__ void take(const MatrixWork<columns, warp_rows, warp_columns>& work,
                     typename MatrixWork<columns, warp_rows, warp_columns>::Sums& mine, const float* first,
                     const float* second, int pitch, const Tile& tile, int thread) {
  constexpr int warps_down = MatrixWork<columns, warp_rows, warp_columns>::warps_down;
  const int warp = thread / 32, lane = thread % 32;
  const int row = warp % warps_down * warp_rows, column = warp / warps_down * warp_columns;
  for (int i = 4 * lane; i + 4 <= tile.count; i += 128) {
    float4 x[warp_rows], y[warp_columns];
#pragma unroll
    for (int r = 0; r < warp_rows; ++r) x[r] = four_at(first, (row + r) * pitch + i);
#pragma unroll
    for (int c = 0; c < warp_columns; ++c) y[c] = four_at(second, (column + c) * pitch + i);
#pragma unroll
    for (int r = 0; r < warp_rows; ++r)
#pragma unroll
      for (int c = 0; c < warp_columns; ++c) {
        float& sum = mine.sums[r][c];
        sum = fmaf(x[r].x, y[c].x, sum);
        sum = fmaf(x[r].y, y[c].y, sum);
        sum = fmaf(x[r].z, y[c].z, sum);
        sum = fmaf(x[r].w, y[c].w, sum);
      }
  }
  const int i = tile.count / 4 * 4 + lane;  // fewer than 4 are left
  if (i < tile.count) {
#pragma unroll
    for (int r = 0; r < warp_rows; ++r)
#pragma unroll
      for (int c = 0; c < warp_columns; ++c)
        mine.sums[r][c] =
            fmaf(first[(row + r) * pitch + i], second[(column + c) * pitch + i], mine.sums[r][c]);
  }
  if (tile.last)
    store_sums(work, mine, tile.run * tma_queues_rows + row, std::int64_t{blockIdx.y} * columns + column,
               lane);
}
template <int columns, int warp_rows, int warp_columns>
__device__ void finish(const MatrixWork<columns, warp_rows, warp_columns>&,
                       typename MatrixWork<columns, warp_rows, warp_columns>::Sums&, int) {}
