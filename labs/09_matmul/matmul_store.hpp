#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "matmul.hpp"

// What the kernels of lab 09 share: a block's place, one multiply-add, and what
// becomes of a sum. Device code.

/// The number of this block's tile, counted down the rows of D: see matmul_grid().
__device__ inline std::int64_t matmul_block_down() {
  return std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y;
}

__device__ inline float matmul_add(float sum, __half a, __half b) {
  return sum + __half2float(a) * __half2float(b);
}
__device__ inline float matmul_add(float sum, __nv_bfloat16 a, __nv_bfloat16 b) {
  return sum + __bfloat162float(a) * __bfloat162float(b);
}
__device__ inline float matmul_add(float sum, float a, float b) { return sum + a * b; }
__device__ inline double matmul_add(double sum, double a, double b) { return sum + a * b; }
/// The language leaves overflow of int undefined, so products and sums are made as unsigned.
__device__ inline int matmul_add(int sum, int a, int b) {
  return static_cast<int>(static_cast<unsigned>(sum) + static_cast<unsigned>(a) * static_cast<unsigned>(b));
}
__device__ inline int matmul_add(int sum, signed char a, signed char b) {
  return matmul_add(sum, int{a}, int{b});
}

/// What alpha and beta make of a sum: an element of D. @pre row < m, col < n
template <class T>
__device__ MatmulSum<T> matmul_result(const Matmul<T>& product, std::int64_t row, std::int64_t col,
                                      MatmulSum<T> sum) {
  const MatmulSum<T> scaled = matmul_add(MatmulSum<T>{0}, product.alpha, sum);
  if (product.beta == MatmulSum<T>{0}) return scaled;
  return matmul_add(scaled, product.beta, product.c[row * product.ldc + col]);
}

/// Writes one element of D. @pre row < m, col < n
template <class T>
__device__ void matmul_store(const Matmul<T>& product, std::int64_t row, std::int64_t col, MatmulSum<T> sum) {
  product.d[row * product.ldd + col] = matmul_result(product, row, col, sum);
}
