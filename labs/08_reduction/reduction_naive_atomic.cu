// Naive reduction: every thread adds its element to the total by an atomic.
//
// An atomic reads, combines and writes without anything in between, so no addition is lost, and two
// atomics on one address happen one after the other. All n of them are on one address: the kernel is a
// queue, and 32 lanes of a warp that ask at once wait for 32 turns. For int, compilers know better: nvcc
// joins the lanes of a warp first (REDUX.SUM in its machine code) and sends one atomic per warp. For float
// it may not: joining first is another association of the sum, which rounds differently.
// Cost per element: 1 load, 1 atomic in L2.
// Stops being good: at once. It is the yardstick, and the right tool for the last step, one result per block.
// Source: NVIDIA, CUDA C++ Programming Guide, Atomic Functions.
#include <cstdint>

#include "reduction.hpp"
#include "reduction_launch.hpp"
#include "reduction_total.hpp"

template <class Op>
__global__ void reduction_naive_atomic_kernel(const typename Op::Input* __restrict__ in,  // (n)
                                              typename Op::Accumulator* total,            // (1)
                                              std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomic_combine(Op(), total, in[i]);
}

template <class Op>
void reduction_naive_atomic(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                            dim3 block, void* workspace, cudaStream_t stream) {
  warplab::check_block(block, 1);
  const bool has_elements = reduction_has_elements<Op>(n);
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  auto* const total = reduction_start<Op>(out, workspace, stream);
  if (!has_elements) return;
  reduction_naive_atomic_kernel<Op><<<grid, block, 0, stream>>>(in, total, n);
  CUDA_CHECK_LAUNCH();
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                              \
  template void reduction_naive_atomic<Op>(const Op::Input*, Op::Result*, std::int64_t, dim3, void*, \
                                           cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
