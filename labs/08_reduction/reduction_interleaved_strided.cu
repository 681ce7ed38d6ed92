// The interleaved tree with full warps: the first threads of the block do the work.
//
// The same pairs meet as in interleaved, but thread t works on element 2 * stride * t: half of the warps
// are full in step 1 and the others idle, a quarter in step 2. This fixes the divergence, and % is gone.
// Cost per element: as before, with half of the lanes' requests.
// Stops being good: neighbouring lanes now lie 2 * stride words apart. Shared memory has 32 banks, word w
// in bank w % 32, so they meet in every (2 * stride)-th bank: two-way conflicts in step 1, four-way in
// step 2. Divergence was traded for bank conflicts, and which of the two costs more is for you to measure.
// Source: M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007, kernel 2.
#include <cstdint>

#include "reduction.hpp"
#include "reduction_launch.hpp"
#include "reduction_total.hpp"

template <class Op>
__global__ void reduction_interleaved_strided_kernel(const typename Op::Input* __restrict__ in,  // (n)
                                                     typename Op::Accumulator* total,            // (1)
                                                     std::int64_t n) {
  __shared__ typename Op::Accumulator part[warplab::max_block_threads];  // (blockDim.x)
  const unsigned tid = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + tid;
  part[tid] = i < n ? in[i] : Op::identity();
  __syncthreads();  // waits for all of part

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned at = 2 * stride * tid;
    if (at < blockDim.x) part[at] = Op::combine(part[at], part[at + stride]);
    __syncthreads();  // waits for the sums of this step: the next one reads them
  }
  if (tid == 0) atomic_combine(Op(), total, part[0]);
}

template <class Op>
void reduction_interleaved_strided(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                                   dim3 block, void* workspace, cudaStream_t stream) {
  reduction_check_power_of_two(block, 1);
  const bool has_elements = reduction_has_elements<Op>(n);
  const dim3 grid = warplab::grid_of(warplab::ceil_div(n, block.x));
  auto* const total = reduction_start<Op>(out, workspace, stream);
  if (!has_elements) return;
  reduction_interleaved_strided_kernel<Op><<<grid, block, 0, stream>>>(in, total, n);
  CUDA_CHECK_LAUNCH();
  reduction_finish<Op>(total, out, n, stream);
}

#define INSTANTIATE(Op)                                                                                     \
  template void reduction_interleaved_strided<Op>(const Op::Input*, Op::Result*, std::int64_t, dim3, void*, \
                                                  cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
