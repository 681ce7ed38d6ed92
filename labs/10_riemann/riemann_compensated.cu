// Compensated: every addition also yields what it rounded off, and those remainders are summed as well.
//
// A sum of two floating-point numbers and its rounding error are both floating-point numbers, and six
// operations find them: two_sum(). Each thread keeps a pair (sum, lost); pairs join in the lanes of a warp,
// in a block and among the blocks, always by two_sum(). The result is as exact as if every addition had
// twice the digits.
// Cost per interval: 1 evaluation, 8 additions in place of 1; little beside exp and sin. The
// blocks' pairs go to the workspace and a second kernel joins them: an atomic adds, but it
// does not return what it rounded off.
// Stops being good: it repairs additions, not the evaluations, and not the rule's own error.
// Source: D. E. Knuth, TAOCP vol. 2, section 4.2.2; A. Neumaier, ZAMM 54, 1974.
#include <cstdint>

#include "common/todo.hpp"
#include "riemann.hpp"
#include "riemann_launch.hpp"

// BEGIN SOLUTION
/// A sum and what its additions rounded off.
template <class T>
struct Pair {
  T sum, lost;
};

/// Knuth's two_sum: x + y and its error, exactly.
template <class T>
__device__ Pair<T> two_sum(T x, T y) {
  const T sum = x + y, of_y = sum - x, of_x = sum - of_y;
  return {sum, (x - of_x) + (y - of_y)};
}

template <class T>
__device__ Pair<T> join(Pair<T> a, Pair<T> b) {
  const Pair<T> both = two_sum(a.sum, b.sum);
  return {both.sum, both.lost + (a.lost + b.lost)};
}

template <class T>
__device__ Pair<T> join_warp(Pair<T> mine) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    const Pair<T> other = {__shfl_down_sync(0xffffffffu, mine.sum, distance),
                           __shfl_down_sync(0xffffffffu, mine.lost, distance)};
    mine = join(mine, other);
  }
  return mine;
}

/// Joins the pairs of a block's threads, all of which must call it. @return the result, in thread 0
template <class T>
__device__ Pair<T> join_block(Pair<T> mine) {
  __shared__ Pair<T> of_warp[32];  // (blockDim.x / 32)
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  mine = join_warp(mine);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();  // waits for one pair from each warp
  if (warp == 0) mine = join_warp(lane < blockDim.x / 32 ? of_warp[lane] : Pair<T>{0, 0});
  return mine;
}

template <class T>
__global__ void riemann_compensated_total_kernel(const Pair<T>* of_block,  // (blocks)
                                                 T* out, unsigned blocks, double width) {
  Pair<T> mine = {0, 0};
  for (unsigned b = threadIdx.x; b < blocks; b += blockDim.x) mine = join(mine, of_block[b]);
  mine = join_block(mine);
  if (threadIdx.x == 0) *out = static_cast<T>(width * (static_cast<double>(mine.sum) + mine.lost));
}
// STUB // 1. A pair of a sum and what was lost; two_sum(x, y) = x + y and its exact error. 2. How do two pairs join?
// STUB // 3. A kernel of one block that joins the blocks' pairs, multiplies once by the width and writes out.
// END SOLUTION

template <class F>
__global__ void riemann_compensated_kernel(F f, Partition p, void* of_blocks) {
  // BEGIN SOLUTION
  using T = typename F::Value;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t index = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  Pair<T> mine = {index == 0 ? p.ends(f) : T{0}, 0};
  for (std::int64_t i = index; i < p.n; i += stride) mine = join(mine, {f(static_cast<T>(p.point(i))), 0});
  mine = join_block(mine);
  if (threadIdx.x == 0) static_cast<Pair<T>*>(of_blocks)[blockIdx.x] = mine;
  // STUB // 1. Sum my intervals by two_sum. 2. Join the pairs of my block. 3. Leave one pair per block in of_blocks.
  // END SOLUTION
}

template <class F>
void riemann_compensated(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                         void* workspace, std::size_t workspace_bytes, cudaStream_t stream) {
  const Partition p = riemann_partition(f, integral);
  riemann_check_whole_warps(block);
  const dim3 blocks = riemann_grid(grid, block, p.n);
  riemann_check_workspace(workspace_bytes, riemann_workspace(blocks.x));
  // BEGIN SOLUTION
  using T = typename F::Value;
  riemann_compensated_kernel<<<blocks, block, 0, stream>>>(f, p, workspace);
  CUDA_CHECK_LAUNCH();
  riemann_compensated_total_kernel<<<1, 256, 0, stream>>>(static_cast<const Pair<T>*>(workspace), out,
                                                          blocks.x, p.width);
  // STUB (void)p, (void)blocks;
  // STUB warplab::todo("riemann_compensated: keep what each addition rounds off; launch both kernels here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(F)                                                                           \
  template void riemann_compensated<F>(F, Integral, F::Value*, std::optional<dim3>, dim3, void*, \
                                       std::size_t, cudaStream_t);
RIEMANN_FOR_EACH_INTEGRAND(INSTANTIATE)
