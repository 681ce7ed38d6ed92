#pragma once

#include <cuda_pipeline.h>

#include "matmul.hpp"
#include "matmul_async_shape.hpp"

// The copies of the rung async: device code.

/// This thread's share of the copies of a block's tiles, one pair of tiles after the other along k. Eight
/// neighbouring threads take a row of A's tile, so that they share its 32-byte sector; B's rows are copied in
/// vectors of 16 bytes.
/// @tparam whole all tiles lie inside A and B, and rows of B start at multiples of 16 bytes: no guards
template <class T, bool whole>
class AsyncCopy {
 public:
  __device__ AsyncCopy(const Matmul<T>& p, AsyncPlace place, bool vectors_of_b)
      : place_(place),
        vectors_of_b_(vectors_of_b),
        m_(p.m),
        n_(p.n),
        k_(p.k),
        a_step_(a_rows * p.lda),
        b_step_(b_rows * p.ldb),
        from_a_(p.a + (place.row + a_row()) * p.lda + a_k()),
        from_b_(p.b + b_k() * p.ldb + place.col + b_col()) {}

  /// Starts the copies of the next pair of tiles into `stage` (A: (depth, a_stride) by
  /// columns, then B: (depth, cols)), in shared memory. What lies outside A and B is set to 0.
  /// @param k the first column of A's tile
  __device__ void start_next(T* stage, unsigned k) {
    T* const to_a = stage + a_k() * Shape::a_stride + a_row();
    const T* from = from_a_;
#pragma unroll
    for (int i = 0; i < Shape::rows / a_rows; ++i, from += a_step_)
      if (whole || (place_.row + a_row() + i * a_rows < unsigned(m_) && k + a_k() < unsigned(k_)))
        __pipeline_memcpy_async(to_a + i * a_rows, from, sizeof(T));
      else
        to_a[i * a_rows] = 0;
    T* const to_b = stage + Shape::a_elements + b_k() * Shape::cols + b_col();
#pragma unroll
    for (int i = 0; i < Shape::depth / b_rows; ++i, from_b_ += b_step_)
      copy_vector(to_b + i * b_rows * Shape::cols, from_b_, whole || k + b_k() + i * b_rows < unsigned(k_));
    from_a_ += Shape::depth;
  }

 private:
  using Shape = AsyncShape<T>;
  static constexpr int a_rows = Shape::threads / Shape::depth;  // that all threads copy at a time
  static constexpr int vectors = Shape::cols / Shape::vector, b_rows = Shape::threads / vectors;
  __device__ static unsigned a_row() { return threadIdx.x / Shape::depth; }
  __device__ static unsigned a_k() { return threadIdx.x % Shape::depth; }
  __device__ static unsigned b_k() { return threadIdx.x / vectors; }
  __device__ static unsigned b_col() { return threadIdx.x % vectors * Shape::vector; }

  __device__ void copy_vector(T* to, const T* from, bool row_exists) {
    const unsigned col = place_.col + b_col();
    if (whole || (row_exists && vectors_of_b_ && col + Shape::vector <= unsigned(n_))) {
      __pipeline_memcpy_async(to, from, 16);
    } else {
#pragma unroll
      for (int e = 0; e < Shape::vector; ++e)
        if (row_exists && col + e < unsigned(n_))
          __pipeline_memcpy_async(to + e, from + e, sizeof(T));
        else
          to[e] = 0;
    }
  }

  AsyncPlace place_;
  bool vectors_of_b_;
  int m_, n_, k_;
  std::int64_t a_step_, b_step_;  // elements between two copies of one thread
  const T *from_a_, *from_b_;     // what this thread copies next
};
