#pragma once

#include <cuda_fp16.h>
#include <mma.h>

#include "gaussian_pixel.hpp"

// The convolution as a product of matrices: 32 bytes of the image per warp, with a
// row of 16 neighbours each, times 16 taps of up to 8 filters, with a column each.

inline constexpr int wmma_m = 32, wmma_n = 8, wmma_k = 16;  // bytes, filters, taps
inline constexpr int num_warps = 4, threads_per_block = num_warps * wmma_m;
static_assert(wmma_n == max_tensor_filters && wmma_m == 32, "one filter per column, and one lane per row");

using NeighbourFragment =
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, wmma_m, wmma_n, wmma_k, __half, nvcuda::wmma::row_major>;
using FilterFragment =
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, wmma_m, wmma_n, wmma_k, __half, nvcuda::wmma::col_major>;
using SumFragment = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, wmma_m, wmma_n, wmma_k, float>;

// BEGIN WITHHELD
/// Brings 16 taps of the filters, from `first_tap` on, into a matrix of `stride` elements per
/// column. Columns without a filter and rows without a tap are 0. @param worker this thread's
/// number among the `workers` that call
__device__ inline void gaussian_fill_filters(__half* matrix, int stride, const FilterBank& filters,
                                             int first_tap, int worker, int workers) {
  const int taps = static_cast<int>(filters.taps());  // at most 1023^2, and eight times that are an int still
  for (int i = worker; i < wmma_n * wmma_k; i += workers) {
    const int filter = i / wmma_k, tap = first_tap + i % wmma_k;
    const bool is_there = filter < filters.count && tap < taps;
    __half weight = __float2half(0.0f);
    if (is_there) weight = filters.weights[filter * taps + tap];
    matrix[filter * stride + i % wmma_k] = weight;
  }
}

/// Writes a byte's levels, one for each filter. @param sums the byte's row of a column-major matrix
__device__ inline void gaussian_write_levels(const float* sums, int stride, const FilterBank& filters,
                                             unsigned char* out, std::int64_t plane) {
  for (int filter = 0; filter < filters.count; ++filter)
    out[filter * plane] = gaussian_level(sums[filter * stride] * filters.weight_gain);
}
// END WITHHELD
