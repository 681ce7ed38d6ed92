// Last warp unrolled: once 64 elements are left, one warp sums them without barriers of the block.
//
// The last six steps of first_add keep one warp busy, and the others come along only to meet it at six
// barriers. Here they leave, and the steps are written out. The lanes of a warp still need an order
// between them. Kernels from before 2017 have none: they rely on lanes running in lock-step, with `volatile`
// to keep values out of registers. Since Volta each lane has a program counter of its own, and nothing
// promises lock-step (see mistakes/lock_step.cu). __syncwarp() makes the lanes wait for each other and orders
// what they wrote: once after everybody has read, once after everybody has written.
// Cost per element: as first_add, without six of its barriers.
// Stops being good: the loop above still counts and branches for what the compiler could know.
// Source: M. Harris, 2007, kernel 5; Y. Lin, V. Grover, "Using CUDA Warp-Level
// Primitives", 2018.
#include <cstdint>

#include "common/todo.hpp"
#include "reduction.hpp"
#include "reduction_launch.hpp"
#include "reduction_total.hpp"

// BEGIN SOLUTION
/// Joins part[0..63]; called by the 32 lanes of a warp. @return the result, in lane 0
template <class Op>
__device__ typename Op::Accumulator combine_64(typename Op::Accumulator* part, unsigned lane) {
  typename Op::Accumulator mine = part[lane];
#pragma unroll
  for (unsigned distance = 32; distance > 0; distance /= 2) {
    mine = Op::combine(mine, part[lane + distance]);
    __syncwarp();  // waits until every lane has read
    part[lane] = mine;
    __syncwarp();  // waits until every lane has written
  }
  return mine;
}
// STUB // A function for the 32 lanes of the last warp fits here: six steps, each with two __syncwarp().
// END SOLUTION

template <class Op>
__global__ void reduction_last_warp_unrolled_kernel(const typename Op::Input* __restrict__ in,  // (n)
                                                    typename Op::Accumulator* total,            // (1)
                                                    std::int64_t n) {
  // BEGIN SOLUTION
  using Accumulator = typename Op::Accumulator;
  __shared__ Accumulator part[warplab::max_block_threads];  // (blockDim.x)
  const unsigned tid = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x * 2 + tid, j = i + blockDim.x;
  const Accumulator first = i < n ? in[i] : Op::identity();
  const Accumulator second = j < n ? in[j] : Op::identity();
  part[tid] = Op::combine(first, second);
  __syncthreads();  // waits for all of part

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (tid < stride) part[tid] = Op::combine(part[tid], part[tid + stride]);
    __syncthreads();  // waits for the sums of this step: the next one reads them
  }
  if (tid >= 32) return;
  const Accumulator result = combine_64<Op>(part, tid);
  if (tid == 0) atomic_combine(Op(), total, result);
  // STUB // As in first_add until stride is 32. Who goes on from there, and what orders its reads and writes?
  // END SOLUTION
}

template <class Op>
void reduction_last_warp_unrolled(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                                  dim3 block, void* workspace, cudaStream_t stream) {
  reduction_check_power_of_two(block, 64);
  const bool has_elements = reduction_has_elements<Op>(n);
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, 2 * std::int64_t{block.x}));
  auto* const total = reduction_start<Op>(out, workspace, stream);
  if (!has_elements) return;
  // BEGIN SOLUTION
  reduction_last_warp_unrolled_kernel<Op><<<grid, block, 0, stream>>>(in, total, n);
  // STUB (void)grid;
  // STUB warplab::todo(
  // STUB     "reduction_last_warp_unrolled: from stride 32 on one warp, two __syncwarp() a step; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                                    \
  template void reduction_last_warp_unrolled<Op>(const Op::Input*, Op::Result*, std::int64_t, dim3, void*, \
                                                 cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
