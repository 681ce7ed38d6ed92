// Fully unrolled: the block's size is known to the compiler, and no loop is left.
//
// With the size as a template parameter `if constexpr` keeps just the steps that a block of this size
// needs: no counter, no comparison, no branch back, and addresses in shared memory become constants.
// Kernels are compiled for three sizes, and the launcher chooses among them when the program runs.
// Cost per element: as last_warp_unrolled, with fewer instructions per step.
// Stops being good: instructions are not what it waits for. A thread has two loads in flight, then no load
// until the block has ended; a faster tree does not change that. And each size is one more kernel to compile.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 6.
#include <cstdint>

#include "common/todo.hpp"
#include "reduction.hpp"
#include "reduction_launch.hpp"
#include "reduction_total.hpp"

// BEGIN SOLUTION
/// Joins part[0..block_size-1]; called by all threads. @return the result, in thread 0
template <class Op, int block_size>
__device__ typename Op::Accumulator combine_block(typename Op::Accumulator* part, unsigned tid) {
  static_assert(block_size >= 64 && block_size <= 512 && (block_size & (block_size - 1)) == 0);
  const auto step = [part, tid](unsigned distance) {
    if (tid < distance) part[tid] = Op::combine(part[tid], part[tid + distance]);
    __syncthreads();  // waits for the sums of this step: the next one reads them
  };
  if constexpr (block_size >= 512) step(256);
  if constexpr (block_size >= 256) step(128);
  if constexpr (block_size >= 128) step(64);
  if (tid >= 32) return Op::identity();

  typename Op::Accumulator mine = part[tid];
#pragma unroll
  for (unsigned distance = 32; distance > 0; distance /= 2) {
    mine = Op::combine(mine, part[tid + distance]);
    __syncwarp();  // waits until every lane has read
    part[tid] = mine;
    __syncwarp();  // waits until every lane has written
  }
  return mine;
}
// STUB // A function template with the block's size fits here: which steps does a block of 128 need, which one of
// STUB // 512?
// END SOLUTION

template <class Op, int block_size>
__global__ void reduction_fully_unrolled_kernel(const typename Op::Input* __restrict__ in,  // (n)
                                                typename Op::Accumulator* total,            // (1)
                                                std::int64_t n) {
  // BEGIN SOLUTION
  using Accumulator = typename Op::Accumulator;
  __shared__ Accumulator part[block_size];
  const unsigned tid = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * block_size * 2 + tid, j = i + block_size;
  const Accumulator first = i < n ? in[i] : Op::identity();
  const Accumulator second = j < n ? in[j] : Op::identity();
  part[tid] = Op::combine(first, second);
  __syncthreads();  // waits for all of part

  const Accumulator result = combine_block<Op, block_size>(part, tid);
  if (tid == 0) atomic_combine(Op(), total, result);
  // STUB // Load as in last_warp_unrolled; then steps that are chosen by `if constexpr (block_size >= ...)`.
  // END SOLUTION
}

template <class Op>
void reduction_fully_unrolled(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                              dim3 block, void* workspace, cudaStream_t stream) {
  reduction_check_compiled_for(block);
  const bool has_elements = reduction_has_elements<Op>(n);
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, 2 * std::int64_t{block.x}));
  auto* const total = reduction_start<Op>(out, workspace, stream);
  if (!has_elements) return;
  // BEGIN SOLUTION
  if (block.x == 128)
    reduction_fully_unrolled_kernel<Op, 128><<<grid, block, 0, stream>>>(in, total, n);
  else if (block.x == 256)
    reduction_fully_unrolled_kernel<Op, 256><<<grid, block, 0, stream>>>(in, total, n);
  else
    reduction_fully_unrolled_kernel<Op, 512><<<grid, block, 0, stream>>>(in, total, n);
  // STUB (void)grid;
  // STUB warplab::todo("reduction_fully_unrolled: choose the kernel for a block of 128, 256 or 512; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                                \
  template void reduction_fully_unrolled<Op>(const Op::Input*, Op::Result*, std::int64_t, dim3, void*, \
                                             cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
