// Romberg: trapezoid sums of five widths, extrapolated to width 0, in one pass over the finest points.
//
// A trapezoid sum errs by c1 h^2 + c2 h^4 + ... for a smooth integrand. Two widths remove c1: that is
// Simpson's rule. Five (h, h/2, h/4, h/8, h/16) remove four terms. The result is their sum with weights c_k,
// and each of them is a sum of points, so the result is one sum over the 16n + 1 finest points. Point j
// belongs to the widths that end at it: its weight depends on how often 2 divides j.
// Cost per interval: 16 evaluations, 16 multiplications, 16 additions, for an error of h^10.
// Stops being good: as Simpson's rule; and in float, where rounding hides such an error from about n = 4 on.
// Source: W. Romberg, 1955; R. Bulirsch, J. Stoer, "Introduction to Numerical Analysis", section 3.4.
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

/// The weight of a point that belongs to the widths h / 2^k with k >= first, in units of h.
__host__ __device__ constexpr double romberg_weight(int first) {
  double weight = 0;
  for (int k = first; k <= riemann_halvings; ++k) {
    double of_width = 1.0 / (1 << k);  // the k-th trapezoid sum multiplies by h / 2^k
    for (int m = 0; m <= riemann_halvings; ++m) {
      const double ratio = m > k ? 1 << 2 * (m - k) : 1.0 / (1 << 2 * (k - m));  // (h_k / h_m)^2
      if (m != k) of_width /= 1 - ratio;
    }
    weight += of_width;
  }
  return weight;
}
// STUB // A function for the weight of a point fits here, and those that sum a block.
// END SOLUTION

template <class F>
__global__ void riemann_romberg_kernel(F f, Partition p, typename F::Value* out) {
  // BEGIN SOLUTION
  using T = typename F::Value;
  constexpr int finest = 1 << riemann_halvings;
  constexpr T weights[] = {romberg_weight(4), romberg_weight(3), romberg_weight(2), romberg_weight(1),
                           romberg_weight(0)};  // of points that 1, 2, 4, 8 and 16 divide
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x, last = finest * p.n;
  T sum = 0;
  for (std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; j <= last; j += stride) {
    const double x = p.at(static_cast<double>(j) / finest);
    T weight = weights[0];
    for (int k = 1; k <= riemann_halvings; ++k)
      if ((j & ((1 << k) - 1)) == 0) weight = weights[k];
    if (j == 0 || j == last) weight /= 2;
    sum += weight * f(static_cast<T>(x));
  }
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) atomicAdd(out, static_cast<T>(p.width * sum));
  // STUB // 1. Stride over the points 0 to 16n. 2. How often does 2 divide j, and which weight follows?
  // STUB // 3. Both ends have half of it. 4. Sum the block as in shared.
  // END SOLUTION
}

template <class F>
void riemann_romberg(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                     cudaStream_t stream) {
  const Partition p = riemann_partition(f, integral);
  riemann_check_whole_warps(block);
  const dim3 blocks = riemann_grid(grid, block, 16 * p.n + 1);
  riemann_start(out, stream);
  // BEGIN SOLUTION
  riemann_romberg_kernel<<<blocks, block, 0, stream>>>(f, p, out);
  // STUB (void)p, (void)blocks;
  // STUB warplab::todo("riemann_romberg: 16n + 1 points; the weight depends on how often 2 divides j; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(F) \
  template void riemann_romberg<F>(F, Integral, F::Value*, std::optional<dim3>, dim3, cudaStream_t);
RIEMANN_FOR_EACH_INTEGRAND(INSTANTIATE)
