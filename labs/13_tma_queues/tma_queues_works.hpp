#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/cuda_check.hpp"
#include "tma_queues_shape.hpp"

// What is computed: the kernels of the ACTA paper's table I, and their arrays. What their threads do with a
// tile is in tma_queues_consumers.hpp. Each has
//
//   first_rows       vectors of the first queue, whose tiles pass by (streaming)
//   second_rows      vectors of the second queue; of a matrix product it is the same for all rows
//                    (stationary)
//   first_once       whether the first queue's vectors are read once and nothing is stored meanwhile, so that
//   second_once      L2 may forget them first; likewise the second queue's
//   stores           whether an element of z is stored per element of the vectors
//   Sums             what a thread keeps from tile to tile
//   runs, steps      how the work is shared: see tma_queues_tiles.hpp
//   groups           of columns: a block takes one of them
//   prepare(stream)  queues what must happen before; @return whether anything is left to do

/// a / b rounded up, for a >= 0 and b > 0.
__host__ __device__ inline std::int64_t rounded_up(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0);
}

/// z = k a
struct Scale {
  static constexpr int operands = 1;
  float k;
  __host__ __device__ float operator()(float a, float) const { return k * a; }
};
/// z = a b
struct Multiply {
  static constexpr int operands = 2;
  __host__ __device__ float operator()(float a, float b) const { return a * b; }
};
/// z = a + b
struct Add {
  static constexpr int operands = 2;
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};

/// ElementwiseK, Elementwise and Sumvectors.
template <class Op>
struct ElementwiseWork {
  static constexpr bool is_matrix = false, stores = true;
  static constexpr int first_rows = 1, second_rows = Op::operands - 1, vectors = Op::operands;
  static constexpr bool first_once = false, second_once = false;  // measured: with stores it costs 1 %
  struct Sums {};

  Op op;
  const float* a;  // (length)
  const float* b;  // (length), or null for one operand
  float* z;        // (length)
  std::int64_t length;

  __host__ __device__ std::int64_t runs(int tile) const { return rounded_up(length, tile); }
  __host__ __device__ std::int64_t steps(int) const { return 1; }
  __host__ __device__ std::int64_t groups() const { return 1; }
  bool prepare(cudaStream_t) const { return length > 0; }
};

/// Dot-Product: z[0] = a[0] b[0] + a[1] b[1] + ... Each warp adds its sum to z[0].
struct DotProductWork {
  static constexpr bool is_matrix = false, stores = false;
  static constexpr int first_rows = 1, second_rows = 1, vectors = 2;
  static constexpr bool first_once = true, second_once = true;
  struct Sums {
    float sums[4] = {};
  };

  const float* a;  // (length)
  const float* b;  // (length)
  float* z;        // (1)
  std::int64_t length;

  __host__ __device__ std::int64_t runs(int tile) const { return rounded_up(length, tile); }
  __host__ __device__ std::int64_t steps(int) const { return 1; }
  __host__ __device__ std::int64_t groups() const { return 1; }
  bool prepare(cudaStream_t stream) const {
    CUDA_CHECK(cudaMemsetAsync(z, 0, sizeof *z, stream));
    return length > 0;
  }
};

/// Matrix-Vector and Matrix-Matrix: z (m, n) = a (m, length) b (length, n), where b is stored by columns. A
/// block takes 8 rows of a and some columns of b; a warp multiplies warp_rows of the rows by warp_columns of
/// the columns, and its lanes share the length.
template <int columns_of_block, int rows_of_warp, int columns_of_warp>
struct MatrixWork {
  static constexpr bool is_matrix = true, stores = false;
  static constexpr int columns = columns_of_block, warp_rows = rows_of_warp, warp_columns = columns_of_warp;
  static constexpr int first_rows = tma_queues_rows, second_rows = columns, vectors = first_rows + columns;
  static constexpr bool first_once = columns == 1, second_once = false;
  static constexpr int warps_down = first_rows / warp_rows;
  static_assert(warps_down * (columns / warp_columns) * 32 == tma_queues_consumers, "each warp has its part");
  struct Sums {
    float sums[warp_rows][warp_columns] = {};
  };

  const float* a;  // (m, leading)
  const float* b;  // (n, leading): column j is b + j leading
  float* z;        // (m, n)
  std::int64_t m, n, length, leading;

  __host__ __device__ std::int64_t runs(int) const { return rounded_up(m, first_rows); }
  __host__ __device__ std::int64_t steps(int tile) const { return rounded_up(length, tile); }
  __host__ __device__ std::int64_t groups() const { return rounded_up(n, columns); }
  bool prepare(cudaStream_t stream) const {
    if (m == 0 || n == 0) return false;
    if (length == 0) CUDA_CHECK(cudaMemsetAsync(z, 0, static_cast<std::size_t>(m * n) * sizeof *z, stream));
    return length > 0;
  }
};

using ScaleWork = ElementwiseWork<Scale>;
using MultiplyWork = ElementwiseWork<Multiply>;
using AddWork = ElementwiseWork<Add>;
using MatrixVectorWork = MatrixWork<1, 1, 1>;
using MatrixMatrixWork = MatrixWork<tma_queues_columns, 4, 4>;

/// What every rung is compiled for.
#define TMA_QUEUES_FOR_EACH_WORK(DO) \
  DO(ScaleWork) DO(MultiplyWork) DO(AddWork) DO(DotProductWork) DO(MatrixVectorWork) DO(MatrixMatrixWork)
