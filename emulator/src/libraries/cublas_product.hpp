#pragma once

#include <library_types.h>

#include <cstddef>

namespace warplab::emulator {

/// A matrix, column-major. Its elements are half, bfloat16, float or double.
struct Matrix {
  const void* data = nullptr;
  cudaDataType type = CUDA_R_32F;
  int ld = 0;               ///< elements from a column to the next
  bool transposed = false;  ///< how the product takes it
};

/// C = alpha op(A) op(B) + beta C. C is not read where beta is 0.
struct MatrixProduct {
  int m = 0, n = 0, k = 0;  ///< op(A) is (m, k), op(B) (k, n) and C (m, n)
  double alpha = 1, beta = 0;
  Matrix a, b, c;
  bool in_double = false;  ///< whether sums are doubles instead of floats
};

/// Bytes of an element, or 0 for a type that is not one of the four.
std::size_t bytes_of(cudaDataType type);

/// One number of such a type.
double value_of(const void* from, cudaDataType type);

/// Computes the product on all cores. The matrices are open to the host.
void multiply(const MatrixProduct& product);

}  // namespace warplab::emulator
