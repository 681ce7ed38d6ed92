// Single pass: 16 bytes per load, several loads in flight, and the last block joins the blocks' results.
//
// Read as int4, float4 or double2, in is n / 4 or n / 2 vectors. A thread asks for four of them before it
// needs the first: 64 bytes on their way in place of a few times 4, which is what keeps memory busy. Nor do
// blocks queue at one total: each leaves its result in the workspace and draws a ticket. Who draws the last
// one knows that all others are there, and joins them in their order: no second kernel, no kernel to set the
// total, and a sum of floats is the same each time.
// Cost per element: a quarter of the loads' instructions; 1 atomic per block, on a ticket.
// Between result and ticket is a fence: a block that sees the ticket must see the result.
// Stops being good: it runs at the speed at which memory can be read.
// Source: J. Luitjens, "Increase Performance with Vectorized Memory Access", 2013;
// CUDA's sample threadFenceReduction.
#include <cstdint>

#include "common/todo.hpp"
#include "common/vector16.hpp"
#include "reduction.hpp"
#include "reduction_launch.hpp"

// BEGIN SOLUTION
/// Joins the values of all threads, which must all call it. @return the result, in thread 0
template <class Op>
__device__ typename Op::Accumulator combine_block(typename Op::Accumulator mine) {
  __shared__ typename Op::Accumulator of_warp[32];  // (blockDim.x / 32)
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto combine_warp = [](typename Op::Accumulator value) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
      value = Op::combine(value, __shfl_down_sync(0xffffffffu, value, distance));
    return value;
  };
  mine = combine_warp(mine);
  __syncthreads();  // waits until nobody reads of_warp for an earlier call
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();  // waits for one value from each warp
  return warp == 0 ? combine_warp(lane < blockDim.x / 32 ? of_warp[lane] : Op::identity()) : mine;
}
// STUB // What a block does together fits here; see warp_shuffle.
// END SOLUTION

template <class Op>
__global__ void __launch_bounds__(warplab::max_block_threads, 2)
    reduction_single_pass_kernel(const typename Op::Input* __restrict__ in,  // (n)
                                 typename Op::Result* out,                   // (1)
                                 std::int64_t n,
                                 std::int64_t head,     // elements before the first multiple of 16 bytes
                                 std::int64_t vectors,  // of 16 bytes, from there
                                 typename Op::Accumulator* of_block,  // (gridDim.x)
                                 unsigned* tickets) {                 // (1), 0 at first
  // BEGIN SOLUTION
  using Input = typename Op::Input;
  using Vector = typename warplab::Vector16<Input>::type;
  constexpr int width = 16 / sizeof(Input);
  const auto* in16 = reinterpret_cast<const Vector*>(in + head);  // (vectors)
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;  // threads in the grid

  typename Op::Accumulator mine[width];
  for (int e = 0; e < width; ++e) mine[e] = Op::identity();
  const auto take = [&mine](Vector vector) {
#pragma unroll
    for (int e = 0; e < width; ++e)
      mine[e] = Op::combine(mine[e], reinterpret_cast<const Input*>(&vector)[e]);
  };
  std::int64_t v = first;
  for (; v + 3 * stride < vectors; v += 4 * stride) {
    const Vector a = in16[v], b = in16[v + stride], c = in16[v + 2 * stride], d = in16[v + 3 * stride];
    take(a), take(b), take(c), take(d);
  }
  for (; v < vectors; v += stride) take(in16[v]);
  if (first < head) mine[0] = Op::combine(mine[0], in[first]);
  const std::int64_t rest = head + vectors * width + first;
  if (rest < n) mine[0] = Op::combine(mine[0], in[rest]);
  for (int e = 1; e < width; ++e) mine[0] = Op::combine(mine[0], mine[e]);

  typename Op::Accumulator result = combine_block<Op>(mine[0]);
  if (gridDim.x > 1) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
      of_block[blockIdx.x] = result;
      __threadfence();  // whoever sees my ticket sees my result
      is_last = atomicAdd(tickets, 1) == gridDim.x - 1;
      __threadfence();  // and I see the results of those whose tickets I saw
    }
    __syncthreads();  // waits for the ticket
    if (!is_last) return;
    result = Op::identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) result = Op::combine(result, of_block[b]);
    result = combine_block<Op>(result);
  }
  if (threadIdx.x == 0) *out = Op::result(result, n);
  // STUB // 1. Sum vectors: load four of them, a grid's stride apart, before using any; then those that are left.
  // STUB // 2. Who sums the elements before and after the vectors? 3. Sum the block.
  // STUB // 4. Leave the result in of_block, take a ticket; the last block sums of_block and writes out.
  // END SOLUTION
}

template <class Op>
void reduction_single_pass(const typename Op::Input* in, typename Op::Result* out, std::int64_t n,
                           std::optional<dim3> grid, dim3 block, void* workspace, std::size_t workspace_bytes,
                           cudaStream_t stream) {
  reduction_check_whole_warps(block);
  reduction_has_elements<Op>(n);
  constexpr std::int64_t width = 16 / sizeof(typename Op::Input);
  const std::int64_t head = std::min(n, reduction_head(in)), vectors = (n - head) / width;
  const dim3 blocks = reduction_grid(grid, block, vectors);
  reduction_check_workspace(workspace_bytes, reduction_single_pass_workspace(blocks.x));
  auto* const tickets = static_cast<unsigned*>(workspace);
  void* const results = static_cast<std::byte*>(workspace) + reduction_results_offset;
  auto* const of_block = static_cast<typename Op::Accumulator*>(results);
  // BEGIN SOLUTION
  if (blocks.x > 1) CUDA_CHECK(cudaMemsetAsync(tickets, 0, sizeof *tickets, stream));
  reduction_single_pass_kernel<Op>
      <<<blocks, block, 0, stream>>>(in, out, n, head, vectors, of_block, tickets);
  // STUB (void)tickets, (void)of_block, (void)vectors;
  // STUB warplab::todo(
  // STUB     "reduction_single_pass: set tickets to 0 on the stream (cudaMemsetAsync), then launch your kernel");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(Op)                                                                                     \
  template void reduction_single_pass<Op>(const Op::Input*, Op::Result*, std::int64_t, std::optional<dim3>, \
                                          dim3, void*, std::size_t, cudaStream_t);
REDUCTION_FOR_EACH_OPERATION(INSTANTIATE)
