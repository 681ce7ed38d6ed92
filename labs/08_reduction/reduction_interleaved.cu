// Interleaved tree: the block's elements meet in shared memory, neighbour with neighbour.
//
// A block of B threads copies B elements into shared memory. In step 1 thread 0 takes element 1, thread 2
// element 3; in step 2 thread 0 takes 2, thread 4 takes 6; after log2 B steps element 0 is the block's
// result. This takes the load off the total: one atomic per block in place of B, and blocks
// work side by side.
// Cost per element: 1 load, and about 1 combination; B - 1 combinations in log2 B steps, a barrier each.
// Stops being good: tid % (2 * stride) == 0 leaves every second lane of every warp idle in step 1, three
// of four in step 2: all warps go through all steps, ever emptier. And % is a slow operation. No bank
// conflicts, though: the lanes that work lie within 32 words.
// Source: M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007, kernel 1.
#include <cstdint>

#include "reduction.hpp"
#include "reduction_launch.hpp"
#include "reduction_total.hpp"

template <class Op>
__global__ void reduction_interleaved_kernel(const typename Op::Input* __restrict__ in,  // (n)
                                             typename Op::Accumulator* total,            // (1)
                                             std::int64_t n) {
  __shared__ typename Op::Accumulator part[warplab::max_block_threads];  // (blockDim.x)
  const unsigned tid = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + tid;
  part[tid] = i < n ? in[i] : Op::identity();
  __syncthreads();  // waits for all of part

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) part[tid] = Op::combine(part[tid], part[tid + stride]);
    __syncthreads();  // waits for the sums of this step: the next one reads them
  }
  if (tid == 0) atomic_combine(Op(), total, part[0]);
}

template <class Op>
void reduction_interleaved(const typename Op::Input* in, typename Op::Result* out, std::int64_t n, dim3 block,
                           void* workspace, cudaStream_t stream) {
  reduction_check_power_of_two(block, 1);
  const bool has_elements = reduction_has_elements<Op>(n);
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  auto* const total = reduction_start<Op>(out, workspace, stream);
  if (!has_elements) return;
  reduction_interleaved_kernel<Op><<<grid, block, 0, stream>>>(in, total, n);
  CUDA_CHECK_LAUNCH();
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                             \
  template void reduction_interleaved<Op>(const Op::Input*, Op::Result*, std::int64_t, dim3, void*, \
                                          cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
