#pragma once

#include <cstdint>

#include "quicksort_block_scan.hpp"
#include "quicksort_order.hpp"
#include "quicksort_shape.hpp"

// The digits of keys, and how often each occurs: what a radix sort starts with. Device code.

inline constexpr int radix_digits = QuicksortRadix::digits;

/// 8 bits of sort_key(), the lowest first.
template <class T>
__device__ unsigned digit_of(T key, int pass) {
  return static_cast<unsigned>(sort_key(key) >> (8 * pass)) & (radix_digits - 1);
}

/// Adds how often each digit occurs to counts.
template <class T>
__global__ void quicksort_radix_count_kernel(const T* in,       // (n)
                                             unsigned* counts,  // (passes, digits), 0 at first
                                             int n) {
  __shared__ unsigned mine[sizeof(T) * radix_digits];
  for (unsigned i = threadIdx.x; i < sizeof(T) * radix_digits; i += blockDim.x) mine[i] = 0;
  __syncthreads();  // waits for the zeros
  for (auto i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const T key = in[i];
#pragma unroll
    for (int pass = 0; pass < static_cast<int>(sizeof(T)); ++pass)
      atomicAdd(&mine[pass * radix_digits + static_cast<int>(digit_of(key, pass))], 1u);
  }
  __syncthreads();  // waits for all counts
  for (unsigned i = threadIdx.x; i < sizeof(T) * radix_digits; i += blockDim.x)
    atomicAdd(&counts[i], mine[i]);
}
