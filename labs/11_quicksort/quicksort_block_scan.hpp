#pragma once

#include <cuda_runtime.h>

/// The sum of `mine` over all threads of the block before this one. Every thread must call it, in a block of
/// whole warps. @param total over the block
__device__ inline unsigned exclusive_scan(unsigned mine, unsigned& total) {
  __shared__ unsigned of_warp[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  unsigned sum = mine;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned below = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance) sum += below;
  }
  __syncthreads();  // waits until nobody reads of_warp for an earlier call
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();  // waits for the sums of all warps
  unsigned before = 0;
  total = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w < warp) before += of_warp[w];
    total += of_warp[w];
  }
  return before + sum - mine;
}
