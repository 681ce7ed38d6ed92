#pragma once

#include <cuda_runtime.h>

#include "matmul_store.hpp"

// Who does what in the rung async. A warp's lanes form 4 rows of 8; the numbers were the fastest of those
// tried on an H100.

/// Tiles of one block, and the elements of D that each thread keeps in registers.
template <class T>
struct AsyncShape {
  static constexpr int vector = 16 / static_cast<int>(sizeof(T));  ///< elements in 16 bytes
  static constexpr int threads = 128;
  static constexpr int depth = 8;                            ///< columns of A's tile, rows of B's
  static constexpr int stages = sizeof(T) == 4 ? 4 : 3;      ///< tiles in shared memory at a time
  static constexpr int rows_each = sizeof(T) == 4 ? 16 : 8;  ///< of D, per thread
  static constexpr int cols_each = 8;
  static constexpr int warps_down = sizeof(T) == 4 ? 1 : 2, warps_across = 4 / warps_down;
  static constexpr int rows = rows_each * 4 * warps_down, cols = cols_each * 8 * warps_across;
  /// A's tile is stored by columns. `vector` elements more per column put the 8 columns that a warp writes at
  /// a time into different banks.
  static constexpr int a_stride = rows + vector;
  static constexpr int a_elements = depth * a_stride, stage_elements = a_elements + depth * cols;
  static_assert(stages * stage_elements * sizeof(T) <= 48 * 1024, "what a block gets without asking");
};

/// The block's first row and column of D. Blocks that run at the same time form bands of 8 tiles down, so
/// that they share what they read of A and B in L2.
struct AsyncPlace {
  unsigned row, col;
};
template <class T>
__device__ AsyncPlace async_place(int m, int n) {
  constexpr int band = 8;
  using Shape = AsyncShape<T>;
  const int tiles_down = (m - 1) / Shape::rows + 1, tiles_across = (n - 1) / Shape::cols + 1;
  const int first = static_cast<int>(blockIdx.x / (band * tiles_across)) * band;
  const int in_band = static_cast<int>(blockIdx.x % (band * tiles_across));
  const int height = min(band, tiles_down - first);
  return {unsigned(first + in_band % height) * Shape::rows, unsigned(in_band / height) * Shape::cols};
}

/// What a thread multiplies in one step of k: `rows_each` elements of A and
/// `cols_each` of B, in 16-byte loads.
template <class T>
struct AsyncFragment {
  using Shape = AsyncShape<T>;
  T a[Shape::rows_each], b[Shape::cols_each];

  /// @param a_column (rows) and @param b_row (cols), in shared memory, from this thread's first element on
  __device__ void load(const T* a_column, const T* b_row) {
    constexpr int v = Shape::vector;
#pragma unroll
    for (int i = 0; i < Shape::rows_each; i += v)
      *reinterpret_cast<int4*>(a + i) = *reinterpret_cast<const int4*>(a_column + i * 4);
#pragma unroll
    for (int j = 0; j < Shape::cols_each; j += v)
      *reinterpret_cast<int4*>(b + j) = *reinterpret_cast<const int4*>(b_row + j * 8);
  }
};

/// This thread's first row and column in its block's tile of D. Its rows come in groups of `vector`, and four
/// lanes' groups lie between two of its own; its columns likewise, with eight lanes.
template <class T>
__device__ int async_row() {
  using Shape = AsyncShape<T>;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  return warp / Shape::warps_across * Shape::rows_each * 4 + lane / 8 * Shape::vector;
}
template <class T>
__device__ int async_col() {
  using Shape = AsyncShape<T>;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  return warp % Shape::warps_across * Shape::cols_each * 8 + lane % 8 * Shape::vector;
}

/// sums += a b, back and forth along b, so that an operand is used twice in a row.
template <class T>
__device__ void async_multiply(const AsyncFragment<T>& operands,
                               T (&sums)[AsyncShape<T>::rows_each][AsyncShape<T>::cols_each]) {
  constexpr int cols = AsyncShape<T>::cols_each;
#pragma unroll
  for (int i = 0; i < AsyncShape<T>::rows_each; ++i)
#pragma unroll
    for (int step = 0; step < cols; ++step) {
      const int j = i % 2 == 0 ? step : cols - 1 - step;
      sums[i][j] += operands.a[i] * operands.b[j];
    }
}

/// Writes this thread's elements of D, in accesses of 16 bytes if rows of D start at multiples of that.
/// @param row, col its first element @tparam whole all of them exist
template <bool whole, class T>
__device__ void async_store(const Matmul<T>& p, unsigned row, unsigned col,
                            const T (&sums)[AsyncShape<T>::rows_each][AsyncShape<T>::cols_each],
                            bool vectors_of_d) {
  constexpr int vector = AsyncShape<T>::vector;
#pragma unroll
  for (int i = 0; i < AsyncShape<T>::rows_each; ++i) {
    const unsigned r = row + i / vector * vector * 4 + i % vector;
    if (!whole && r >= unsigned(p.m)) continue;
#pragma unroll
    for (int j = 0; j < AsyncShape<T>::cols_each; j += vector) {
      const unsigned c = col + j * 8;
      if (vectors_of_d && (whole || c + vector <= unsigned(p.n))) {
        alignas(16) T results[vector];
#pragma unroll
        for (int e = 0; e < vector; ++e) results[e] = matmul_result(p, r, c + e, sums[i][j + e]);
        *reinterpret_cast<int4*>(p.d + r * p.ldd + c) = *reinterpret_cast<const int4*>(results);
      } else {
#pragma unroll
        for (int e = 0; e < vector; ++e)
          if (whole || c + e < unsigned(p.n)) matmul_store(p, r, c + e, sums[i][j + e]);
      }
    }
  }
}
