// Simpson: a parabola through each interval, so the error falls with width^4 instead of width.
//
// A rule of higher order needs fewer evaluations for the same error, and no kernel makes up for a factor of
// a thousand. Simpson's rule weights the ends of an interval by 1/6 and its midpoint by 4/6. Neighbours
// share their ends: over all intervals there are 2n + 1 points, half a width apart, with weights 1 4 2 4 2
// ... 4 1.
// Cost per interval: 2 evaluations, 2 multiplications, 2 additions. The sum is one grid-stride loop over the
// points, as before; the four sums of shared are left out.
// Stops being good: where the integrand has a kink or an infinite slope, the error falls
// no faster than with other rules.
// Source: N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2002; T. Simpson, 1743.
#include <cstdint>

#include "common/todo.hpp"
#include "riemann.hpp"
#include "riemann_launch.hpp"

// BEGIN SOLUTION
/// The sum of a warp's 32 lanes, all of which must call it. @return the sum, in lane 0
template <class T>
__device__ T sum_of_warp(T mine) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xffffffffu, mine, distance);
  return mine;
}

/// The sum of a block's threads, all of which must call it. @return the sum, in thread 0
template <class T>
__device__ T sum_of_block(T mine) {
  __shared__ T of_warp[32];  // (blockDim.x / 32)
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  mine = sum_of_warp(mine);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();  // waits for one value from each warp
  if (warp == 0) mine = sum_of_warp(lane < blockDim.x / 32 ? of_warp[lane] : T{0});
  return mine;
}
// STUB // Sum a block as in shared.
// END SOLUTION

template <class F>
__global__ void riemann_simpson_kernel(F f, Partition p, typename F::Value* out) {
  // BEGIN SOLUTION
  using T = typename F::Value;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x, last = 2 * p.n;
  T sum = 0;
  for (std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; j <= last; j += stride) {
    const double x = p.at(static_cast<double>(j) / 2);
    const T weight = j == 0 || j == last ? 1 : j % 2 == 0 ? 2 : 4;
    sum += weight * f(static_cast<T>(x));
  }
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) atomicAdd(out, static_cast<T>(p.width / 6 * sum));
  // STUB // 1. Stride over the points 0 to 2n, half a width apart. Which weight has point j?
  // STUB // 2. Sum the block as in shared. By what is the sum multiplied?
  // END SOLUTION
}

template <class F>
void riemann_simpson(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                     cudaStream_t stream) {
  const Partition p = riemann_partition(f, integral);
  riemann_check_whole_warps(block);
  const dim3 blocks = riemann_grid(grid, block, 2 * p.n + 1);
  riemann_start(out, stream);
  // BEGIN SOLUTION
  riemann_simpson_kernel<<<blocks, block, 0, stream>>>(f, p, out);
  // STUB (void)p, (void)blocks;
  // STUB warplab::todo("riemann_simpson: 2n + 1 points with weights 1 4 2 4 ... 4 1; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(F) \
  template void riemann_simpson<F>(F, Integral, F::Value*, std::optional<dim3>, dim3, cudaStream_t);
RIEMANN_FOR_EACH_INTEGRAND(INSTANTIATE)
