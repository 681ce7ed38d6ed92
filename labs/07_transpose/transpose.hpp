#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/launch_shape.hpp"

// Lab 07: out[c][r] = in[r][c] for every 0 <= r < rows and 0 <= c < cols.
//
//   in     (rows, cols)   device memory, row-major, read only
//   out    (cols, rows)   device memory, row-major, written; shares no element with in
//   rows, cols            any numbers from 0 to 2^31 - 1; their product may exceed 2^31
//   T                     int, float or double: elements are moved, never computed with
//   stream                where the kernel is queued; the launcher returns without waiting for it
//
// A launcher throws std::invalid_argument for a negative size, for out == in, and for a
// block that CUDA does not allow.

/// Every thread moves one element straight from in to out. @param block threads per
/// block, at most 1024 in x and y
template <class T>
void transpose_naive(const T* in, T* out, int rows, int cols, dim3 block, cudaStream_t stream);

/// Through a tile of 32x32 elements in shared memory.
template <class T>
void transpose_tiled(const T* in, T* out, int rows, int cols, cudaStream_t stream);

/// The tile's rows are 33 elements long, so that its columns lie in 32 different banks.
template <class T>
void transpose_tiled_padded(const T* in, T* out, int rows, int cols, cudaStream_t stream);

/// 256 threads for a tile of 1024 elements: every thread moves four.
template <class T>
void transpose_tiled_padded_rows(const T* in, T* out, int rows, int cols, cudaStream_t stream);

/// Columns are permuted by exclusive or instead of padded: 32x32 elements, no bank conflict, nothing wasted.
template <class T>
void transpose_tiled_swizzled(const T* in, T* out, int rows, int cols, cudaStream_t stream);

/// 16 bytes per access in global and in shared memory. Where a row of in or out does not start at a multiple
/// of 16 bytes, single elements are moved.
template <class T>
void transpose_vectorized(const T* in, T* out, int rows, int cols, cudaStream_t stream);

/// Whether there is anything to move. @throws std::invalid_argument for what every launcher refuses
inline bool transpose_has_work(const void* in, const void* out, int rows, int cols) {
  warplab::check_size("rows", rows);
  warplab::check_size("cols", cols);
  if (rows == 0 || cols == 0) return false;  // a grid of 0 blocks is an error in CUDA
  if (in == out) warplab::refuse("in and out are the same buffer: in-place transposition is not supported");
  return true;
}

/// One block per tile. A block works on tile blockIdx.x across and blockIdx.z * gridDim.y + blockIdx.y down,
/// which may lie past the last row.
inline dim3 transpose_grid(int rows, int cols, unsigned tile_rows, unsigned tile_cols) {
  return warplab::grid_in_layers(warplab::ceil_div(cols, tile_cols), warplab::ceil_div(rows, tile_rows));
}
