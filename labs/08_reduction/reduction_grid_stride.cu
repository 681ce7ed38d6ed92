// Grid-stride: as many blocks as the device holds, and each thread sums many elements before the tree.
//
// Instead of n / 256 short-lived blocks with a tree each, a few thousand blocks live as long as the
// kernel: a thread takes elements t, t + T, t + 2T ..., T being all threads of the grid, and keeps the sum
// in a register. Then one tree and one atomic per block, as before. This is algorithm cascading: sequential
// sums first, a parallel tree for the rest, which by Brent's theorem costs no more work than a single
// thread's loop, n - 1 combinations in all.
// Cost per element: 1 load, 1 combination. The tree is paid once per block, for thousands of elements.
// Sums of float change: their elements now meet in another order, in chains of n / T.
// Stops being good: 4 bytes per load, a few of them in flight: the memory could bring more.
// Source: M. Harris, 2007, kernel 7; R. P. Brent, J. ACM 21(2), 1974.
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
// STUB // The tree of fully_unrolled fits here, unchanged.
// END SOLUTION

template <class Op, int block_size>
__global__ void reduction_grid_stride_kernel(const typename Op::Input* __restrict__ in,  // (n)
                                             typename Op::Accumulator* total,            // (1)
                                             std::int64_t n) {
  // BEGIN SOLUTION
  using Accumulator = typename Op::Accumulator;
  __shared__ Accumulator part[block_size];
  const unsigned tid = threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * block_size;  // threads in the grid
  Accumulator mine = Op::identity();
  for (std::int64_t i = std::int64_t{blockIdx.x} * block_size + tid; i < n; i += stride)
    mine = Op::combine(mine, in[i]);
  part[tid] = mine;
  __syncthreads();  // waits for all of part

  const Accumulator result = combine_block<Op, block_size>(part, tid);
  if (tid == 0) atomic_combine(Op(), total, result);
  // STUB // Sum my elements in a register: where do I start, how far is the next one? Then the tree of
  // STUB // fully_unrolled.
  // END SOLUTION
}

template <class Op>
void reduction_grid_stride(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                           std::optional<dim3> grid, dim3 block, void* workspace, cudaStream_t stream) {
  reduction_check_compiled_for(block);
  const bool has_elements = reduction_has_elements<Op>(n);
  const dim3 blocks = reduction_grid(grid, block, n);
  auto* const total = reduction_start<Op>(out, workspace, stream);
  if (!has_elements) return;
  // BEGIN SOLUTION
  if (block.x == 128)
    reduction_grid_stride_kernel<Op, 128><<<blocks, block, 0, stream>>>(in, total, n);
  else if (block.x == 256)
    reduction_grid_stride_kernel<Op, 256><<<blocks, block, 0, stream>>>(in, total, n);
  else
    reduction_grid_stride_kernel<Op, 512><<<blocks, block, 0, stream>>>(in, total, n);
  // STUB (void)blocks;
  // STUB warplab::todo("reduction_grid_stride: start at your number, step by the threads of the grid; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                                     \
  template void reduction_grid_stride<Op>(const Op::Input*, Op::Result*, std::int64_t, std::optional<dim3>, \
                                          dim3, void*, cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
