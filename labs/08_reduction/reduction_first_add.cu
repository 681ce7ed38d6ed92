// First add on load: every thread joins two elements before the tree begins.
//
// In sequential half of the threads never add anything. Here a block of B threads takes 2B elements:
// thread t loads elements t and t + B of its tile and puts their sum into shared memory. Half as many
// blocks, barriers and atomics for the same elements, two loads in flight per thread instead of one.
// Cost per element: 1 load and half of what the tree cost before.
// Each of the two loads needs a guard of its own: the tile of the last block may end between them. Without
// the second one the kernel reads past the end wherever n is not a multiple of 2B (see
// mistakes/past_the_end.cu).
// Stops being good: the tree still has as many steps, and memory still waits for it.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 4.
#include <cstdint>

#include "common/todo.hpp"
#include "reduction.hpp"
#include "reduction_launch.hpp"
#include "reduction_total.hpp"

template <class Op>
__global__ void reduction_first_add_kernel(const typename Op::Input* __restrict__ in,  // (n)
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

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) part[tid] = Op::combine(part[tid], part[tid + stride]);
    __syncthreads();  // waits for the sums of this step: the next one reads them
  }
  if (tid == 0) atomic_combine(Op(), total, part[0]);
  // STUB // My block has 2 * blockDim.x elements. Which two are mine, and may I load both? Then the tree of
  // STUB // sequential.
  // END SOLUTION
}

template <class Op>
void reduction_first_add(const typename Op::Input* in, typename Op::Result* out, std::int64_t n, dim3 block,
                         void* workspace, cudaStream_t stream) {
  reduction_check_power_of_two(block, 1);
  const bool has_elements = reduction_has_elements<Op>(n);
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, 2 * std::int64_t{block.x}));
  auto* const total = reduction_start<Op>(out, workspace, stream);
  if (!has_elements) return;
  // BEGIN SOLUTION
  reduction_first_add_kernel<Op><<<grid, block, 0, stream>>>(in, total, n);
  // STUB (void)grid;
  // STUB warplab::todo(
  // STUB     "reduction_first_add: load two elements per thread, each with a guard of its own; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                           \
  template void reduction_first_add<Op>(const Op::Input*, Op::Result*, std::int64_t, dim3, void*, \
                                        cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
