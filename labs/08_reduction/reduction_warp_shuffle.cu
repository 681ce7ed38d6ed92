// Warp shuffle: lanes hand each other their registers, and the tree leaves shared memory.
//
// __shfl_down_sync(mask, x, d) gives a lane the x of the lane d above it. Five of them sum a warp,
// without shared memory and without a barrier, since the function itself waits for the lanes of its
// mask: what last_warp_unrolled had to build from two __syncwarp() is part of it. Then each warp
// leaves one value in shared memory, and the first warp sums those: one barrier per block, and 32
// values instead of one for each thread.
// Cost per element: as grid_stride. Per thread 5 shuffles, and 10 in the first warp, in place of log2 B trips
// through shared memory. Any block of whole warps will do, known when the program runs: no templates, a third
// of the kernels.
// Stops being good: as grid_stride. The tree is paid once per block and was not what mattered.
// Source: J. Luitjens, "Faster Parallel Reductions on Kepler", NVIDIA, 2014, with the mask that Volta asks
// for.
#include <cstdint>

#include "common/todo.hpp"
#include "reduction.hpp"
#include "reduction_launch.hpp"
#include "reduction_total.hpp"

// BEGIN SOLUTION
/// Joins the values of a warp's 32 lanes, all of which must call it. @return the result, in lane 0
template <class Op>
__device__ typename Op::Accumulator combine_warp(typename Op::Accumulator mine) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    mine = Op::combine(mine, __shfl_down_sync(0xffffffffu, mine, distance));
  return mine;
}
// STUB // A function that sums the 32 lanes of a warp fits here: five shuffles.
// END SOLUTION

template <class Op>
__global__ void reduction_warp_shuffle_kernel(const typename Op::Input* __restrict__ in,  // (n)
                                              typename Op::Accumulator* total,            // (1)
                                              std::int64_t n) {
  // BEGIN SOLUTION
  using Accumulator = typename Op::Accumulator;
  __shared__ Accumulator of_warp[32];  // (blockDim.x / 32)
  const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;  // threads in the grid
  Accumulator mine = Op::identity();
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + tid; i < n; i += stride)
    mine = Op::combine(mine, in[i]);

  mine = combine_warp<Op>(mine);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();  // waits for one value from each warp
  if (warp != 0) return;
  mine = combine_warp<Op>(lane < blockDim.x / 32 ? of_warp[lane] : Op::identity());
  if (lane == 0) atomic_combine(Op(), total, mine);
  // STUB // 1. Sum my elements as in grid_stride. 2. Sum the lanes of my warp; lane 0 leaves it in shared memory.
  // STUB // 3. Wait for all warps. 4. The first warp sums what they left; what do lanes without a warp bring?
  // END SOLUTION
}

template <class Op>
void reduction_warp_shuffle(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                            std::optional<dim3> grid, dim3 block, void* workspace, cudaStream_t stream) {
  reduction_check_whole_warps(block);
  const bool has_elements = reduction_has_elements<Op>(n);
  const dim3 blocks = reduction_grid(grid, block, n);
  auto* const total = reduction_start<Op>(out, workspace, stream);
  if (!has_elements) return;
  // BEGIN SOLUTION
  reduction_warp_shuffle_kernel<Op><<<blocks, block, 0, stream>>>(in, total, n);
  // STUB (void)blocks;
  // STUB warplab::todo(
  // STUB     "reduction_warp_shuffle: five shuffles per warp, one value per warp in shared memory; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                                      \
  template void reduction_warp_shuffle<Op>(const Op::Input*, Op::Result*, std::int64_t, std::optional<dim3>, \
                                           dim3, void*, cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
