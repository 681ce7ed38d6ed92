#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "matmul.hpp"
#include "matmul_launch.hpp"
#include "matmul_store.hpp"

// Sums over k that were made in slices become D.

/// D = alpha (sum of the slices) + beta C, added up in the order of the slices.
template <class T>
__global__ void matmul_join_slices_kernel(Matmul<T> p, const MatmulSum<T>* slices,  // (count, m, n)
                                          int count) {
  const std::int64_t elements = std::int64_t{p.m} * p.n, stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < elements; i += stride) {
    MatmulSum<T> sum = 0;
#pragma unroll 8
    for (int s = 0; s < count; ++s) sum += slices[s * elements + i];
    matmul_store(p, i / p.n, i % p.n, sum);
  }
}

/// A grid of blocks of 256 whose threads stride over `items`.
inline dim3 matmul_grid_over(std::int64_t items) {
  return warplab::grid_of(
      std::min<std::int64_t>(std::max<std::int64_t>(1, warplab::ceil_div(items, 256)), 2048));
}

/// Queues D = alpha (slices[0] + slices[1] + ...) + beta C. @param slices (count, m, n), device memory
template <class T>
void matmul_join_slices(const Matmul<T>& p, const MatmulSum<T>* slices, int count, cudaStream_t stream) {
  matmul_join_slices_kernel<T>
      <<<matmul_grid_over(std::int64_t{p.m} * p.n), 256, 0, stream>>>(p, slices, count);
  CUDA_CHECK_LAUNCH();
}
