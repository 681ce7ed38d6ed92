#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "gaussian.hpp"
#include "toeplitz/workspace.hpp"

// A row of a filter as a banded matrix: a product with it makes `outputs` neighbouring results. What is
// in column x of the result is the filter's row moved down by x places, and zeros around it:
//
//   matrix[k][x] = weights[row][k - x - lead]       k: columns of the image, from the tile's first
//
//   tables  (side, blocks, filters, outputs, pitch) halves: `block` columns k of the image lie side by side,
//           followed by what is left up to the pitch

/// Tensor Cores cut off what does not fit into a sum, always towards zero. Over some ten thousand products
/// that shows; sums of so many restart with each tile and are added up in float.
inline constexpr int longest_side_of_one_sum = 128;

/// The shape of the tables.
struct ToeplitzTables {
  int block;    ///< columns of the image in a line: 8 or 16
  int pitch;    ///< halves from line to line
  int blocks;   ///< a row of the filter
  int filters;  ///< 1, 2, 4 or 8, those beyond the bank's last are zero
  int outputs;  ///< neighbouring results of a product
  int before;   ///< columns that a tile begins before its first result

  ToeplitzTables(const FilterBank& bank, int block_columns, int line_pitch, int outputs_a_product,
                 int blocks_in_all)
      : block(block_columns),
        pitch(line_pitch),
        blocks(blocks_in_all),
        filters(toeplitz_filters(bank.count)),
        outputs(outputs_a_product),
        before(bank.side / 2 + toeplitz_lead(bank.side)) {}

  __host__ __device__ int block_halves() const { return filters * outputs * pitch; }
  __host__ __device__ int row_halves() const { return blocks * block_halves(); }
};

static __global__ void gaussian_toeplitz_tables_kernel(
    const __half* __restrict__ weights,  // (count, side, side)
    __half* __restrict__ tables, ToeplitzTables shape, int count, int side) {
  const std::int64_t halves = std::int64_t{side} * shape.row_halves();
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < halves; i += stride) {
    const int in_row = static_cast<int>(i % shape.row_halves());
    const int row = static_cast<int>(i / shape.row_halves());
    const int in_line = in_row % shape.pitch, line = in_row / shape.pitch;
    const int x = line % shape.outputs, filter = line / shape.outputs % shape.filters;
    const int tap =
        line / (shape.outputs * shape.filters) * shape.block + in_line - x - (shape.before - side / 2);
    const bool in_band = in_line < shape.block && filter < count && tap >= 0 && tap < side;
    __half entry = __float2half(0.0f);
    if (in_band) entry = weights[(std::int64_t{filter} * side + row) * side + tap];
    tables[i] = entry;
  }
}

/// Queues the kernel that fills the tables.
inline void build_toeplitz_tables(const FilterBank& bank, __half* tables, const ToeplitzTables& shape,
                                  cudaStream_t stream) {
  const std::int64_t halves = std::int64_t{bank.side} * shape.row_halves();
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((halves + 255) / 256, 4096));
  gaussian_toeplitz_tables_kernel<<<blocks, 256, 0, stream>>>(bank.weights, tables, shape, bank.count,
                                                              bank.side);
  CUDA_CHECK_LAUNCH();
}
