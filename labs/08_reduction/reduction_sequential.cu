// Sequential addressing: the second half of the elements joins the first.
//
// Step 1 joins element t + B/2 to element t, for t < B/2; step 2 element t + B/4 to t < B/4. Threads that
// work are neighbours, and so are their elements: this fixes the bank conflicts of interleaved_strided,
// and keeps its full warps. Only the last five steps, with fewer than 32 threads at work, still diverge. A
// tree may join in any order because the operation is associative and commutative.
// Cost per element: as before; one wavefront per request in shared memory.
// Stops being good: half of the threads do nothing but load an element and wait, and B = 128 elements cost
// 8 barriers. Memory is idle while a block sums.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 3.
#include <cstdint>

#include "common/todo.hpp"
#include "reduction.hpp"
#include "reduction_launch.hpp"
#include "reduction_total.hpp"

template <class Op>
__global__ void reduction_sequential_kernel(const typename Op::Input* __restrict__ in,  // (n)
                                            typename Op::Accumulator* total,            // (1)
                                            std::int64_t n) {
  // BEGIN SOLUTION
  __shared__ typename Op::Accumulator part[warplab::max_block_threads];  // (blockDim.x)
  const unsigned tid = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + tid;
  part[tid] = i < n ? in[i] : Op::identity();
  __syncthreads();  // waits for all of part

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) part[tid] = Op::combine(part[tid], part[tid + stride]);
    __syncthreads();  // waits for the sums of this step: the next one reads them
  }
  if (tid == 0) atomic_combine(Op(), total, part[0]);
  // STUB // As in interleaved, but let stride begin at half the block and shrink. Which threads work, and whom do
  // STUB // they join?
  // END SOLUTION
}

template <class Op>
void reduction_sequential(const typename Op::Input* in, typename Op::Result* out, std::int64_t n, dim3 block,
                          void* workspace, cudaStream_t stream) {
  reduction_check_power_of_two(block, 1);
  const bool has_elements = reduction_has_elements<Op>(n);
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  auto* const total = reduction_start<Op>(out, workspace, stream);
  if (!has_elements) return;
  // BEGIN SOLUTION
  reduction_sequential_kernel<Op><<<grid, block, 0, stream>>>(in, total, n);
  // STUB (void)grid;
  // STUB warplab::todo(
  // STUB     "reduction_sequential: halve the distance in each step, thread t joins t + distance; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                            \
  template void reduction_sequential<Op>(const Op::Input*, Op::Result*, std::int64_t, dim3, void*, \
                                         cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
