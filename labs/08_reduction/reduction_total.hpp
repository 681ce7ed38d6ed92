#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/cuda_check.hpp"
#include "reduction_operators.hpp"

// The one total that many blocks add to: included by kernels only.

/// *at = combine(*at, value) in one step that nothing interrupts.
__device__ inline void atomic_combine(Sum<int>, int* at, int value) { atomicAdd(at, value); }
__device__ inline void atomic_combine(Sum<float>, float* at, float value) { atomicAdd(at, value); }
__device__ inline void atomic_combine(Sum<double>, double* at, double value) { atomicAdd(at, value); }
__device__ inline void atomic_combine(Mean<float>, double* at, double value) { atomicAdd(at, value); }
__device__ inline void atomic_combine(Mean<double>, double* at, double value) { atomicAdd(at, value); }
__device__ inline void atomic_combine(Mean<int>, long long* at, long long value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
}
__device__ inline void atomic_combine(Min<int>, int* at, int value) { atomicMin(at, value); }
__device__ inline void atomic_combine(Max<int>, int* at, int value) { atomicMax(at, value); }

// CUDA has no atomicMin for floating point, but the bits of two numbers that are not negative compare as
// integers do, and those of two negative ones the other way round. Read as unsigned, all negative numbers lie
// above the others; as signed, below.
__device__ inline void atomic_combine(Min<float>, float* at, float value) {
  const int bits = __float_as_int(value);
  if (bits >= 0)
    atomicMin(reinterpret_cast<int*>(at), bits);
  else
    atomicMax(reinterpret_cast<unsigned*>(at), static_cast<unsigned>(bits));
}
__device__ inline void atomic_combine(Max<float>, float* at, float value) {
  const int bits = __float_as_int(value);
  if (bits >= 0)
    atomicMax(reinterpret_cast<int*>(at), bits);
  else
    atomicMin(reinterpret_cast<unsigned*>(at), static_cast<unsigned>(bits));
}
__device__ inline void atomic_combine(Min<double>, double* at, double value) {
  const long long bits = __double_as_longlong(value);
  if (bits >= 0)
    atomicMin(reinterpret_cast<long long*>(at), bits);
  else
    atomicMax(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(bits));
}
__device__ inline void atomic_combine(Max<double>, double* at, double value) {
  const long long bits = __double_as_longlong(value);
  if (bits >= 0)
    atomicMax(reinterpret_cast<long long*>(at), bits);
  else
    atomicMin(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(bits));
}

template <class Op>
__global__ void reduction_start_kernel(typename Op::Accumulator* total) {
  *total = Op::identity();
}

template <class Op>
__global__ void reduction_finish_kernel(const typename Op::Accumulator* total, typename Op::Result* out,
                                        std::int64_t n) {
  *out = Op::result(*total, n);
}

/// Queues the start of a total at the identity. @return where it is kept: in `out` itself, or, where it is
/// not yet the result, in the workspace
template <class Op>
typename Op::Accumulator* reduction_start(typename Op::Result* out, void* workspace, cudaStream_t stream) {
  typename Op::Accumulator* total;
  if constexpr (Op::total_is_result)
    total = out;
  else
    total = static_cast<typename Op::Accumulator*>(workspace);
  reduction_start_kernel<Op><<<1, 1, 0, stream>>>(total);
  CUDA_CHECK_LAUNCH();
  return total;
}

/// Queues what is left to do when every block has added to the total.
template <class Op>
void reduction_finish(const typename Op::Accumulator* total, typename Op::Result* out, std::int64_t n,
                      cudaStream_t stream) {
  if constexpr (!Op::total_is_result) reduction_finish_kernel<Op><<<1, 1, 0, stream>>>(total, out, n);
  CUDA_CHECK_LAUNCH();
}
