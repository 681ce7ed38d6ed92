#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "matmul.hpp"
#include "matmul_launch.hpp"
#include "matmul_slices.hpp"
#include "matmul_store.hpp"
#include "wgmma/plan.hpp"

// What happens before and after the products of the rung wgmma_tma: places of tiles, stores, copies of
// operands, and sums of slices.

/// A tile's first row and column of D, and its slice of k.
struct WgmmaPlace {
  int row, col, slice;
};
/// Tiles that are made at the same time form bands of 8 clusters down, so that
/// they share what they read in L2.
template <class Tile>
__device__ WgmmaPlace wgmma_place(const WgmmaPlan& plan, std::int64_t tile, unsigned rank) {
  constexpr int band = 8;
  const int per_slice = plan.down * plan.across, in_slice = static_cast<int>(tile % per_slice);
  const int first = in_slice / (band * plan.across) * band, in_band = in_slice % (band * plan.across);
  const int height = min(band, plan.down - first);
  const int down = first + in_band % height;
  return {(down * Tile::cluster + static_cast<int>(rank)) * Tile::rows, in_band / height * Tile::cols,
          static_cast<int>(tile / per_slice)};
}

/// Writes a warpgroup's 64 rows of D, in pairs of columns where rows start at multiples of 8 bytes. @param
/// tid in the warpgroup
template <class T, int n>
__device__ void wgmma_store(Matmul<T> p, WgmmaPlace place, int first_row, int tid, const float (&sums)[n]) {
  p.d += std::int64_t{place.slice} * p.m * p.ldd;  // slices have a matrix each
  const bool pairs = p.ldd % 2 == 0 && reinterpret_cast<std::uintptr_t>(p.d) % 8 == 0;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int row = first_row + tid / 32 * 16 + 8 * h + tid % 32 / 4;
    if (row >= p.m) continue;
#pragma unroll
    for (int i = 0; i < n / 4; ++i) {
      const int col = place.col + 8 * i + tid % 4 * 2;
      const float left = sums[4 * i + 2 * h], right = sums[4 * i + 2 * h + 1];
      if (pairs && col + 1 < p.n) {
        const float2 pair{matmul_result(p, row, col, left), matmul_result(p, row, col + 1, right)};
        *reinterpret_cast<float2*>(p.d + row * p.ldd + col) = pair;
      } else {
        if (col < p.n) matmul_store(p, row, col, left);
        if (col + 1 < p.n) matmul_store(p, row, col + 1, right);
      }
    }
  }
}

/// to = from, (rows, cols) each.
template <class T>
__global__ void matmul_copy_rows_kernel(const T* from, std::int64_t from_leading, T* to,
                                        std::int64_t to_leading, std::int64_t rows, std::int64_t cols) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows * cols; i += stride)
    to[i / cols * to_leading + i % cols] = from[i / cols * from_leading + i % cols];
}

/// The workspace of one product.
template <class T>
class WgmmaParts {
 public:
  /// Gives A and B of `p` copies whose rows start at multiples of 16 bytes, where theirs do not.
  /// @throws std::invalid_argument if the workspace is too small for them
  WgmmaParts(Matmul<T>& p, void* workspace, std::size_t workspace_bytes, cudaStream_t stream)
      : next_(static_cast<std::byte*>(workspace)), left_(workspace_bytes) {
    const MatmulCopies needs(p.m, p.n, p.k, sizeof(T));
    adopt(p.a, p.lda, p.m, p.k, needs.a_bytes, needs.lda, stream);
    adopt(p.b, p.ldb, p.k, p.n, needs.b_bytes, needs.ldb, stream);
  }
  std::size_t bytes() const { return left_; }  ///< for the slices' sums

  /// Makes `p` a product whose slices are summed apart, in the workspace.
  void sum_apart(Matmul<T>& p) const {
    p.d = reinterpret_cast<MatmulSum<T>*>(next_);
    p.ldd = p.n;
    p.alpha = 1;
    p.beta = 0;
  }
  /// Queues D = alpha (sum of the slices) + beta C.
  void join(const Matmul<T>& p, int slices, cudaStream_t stream) const {
    matmul_join_slices(p, reinterpret_cast<const MatmulSum<T>*>(next_), slices, stream);
  }

 private:
  void adopt(const T*& matrix, std::int64_t& leading, std::int64_t rows, std::int64_t cols, std::size_t bytes,
             std::int64_t new_leading, cudaStream_t stream) {
    if (matmul_rows_at_16_bytes(matrix, leading) || rows == 0 || cols == 0) return;
    if (left_ < bytes)
      warplab::refuse("a workspace of ", left_,
                      " bytes is too small: a copy of a matrix with aligned rows needs ", bytes);
    T* const copy = reinterpret_cast<T*>(next_);
    matmul_copy_rows_kernel<T>
        <<<matmul_grid_over(rows * cols), 256, 0, stream>>>(matrix, leading, copy, new_leading, rows, cols);
    CUDA_CHECK_LAUNCH();
    matrix = copy;
    leading = new_leading;
    next_ += bytes;
    left_ -= bytes;
  }
  std::byte* next_;
  std::size_t left_;
};
