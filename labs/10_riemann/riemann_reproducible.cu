// Reproducible: the same bits for every grid, every block and every order, since integers add up exactly.
//
// Floating-point addition is not associative, so another grid means another sum. Integer addition is. No
// value exceeds largest(), which is known before the launch; with room for n of them, a value is rounded to
// a multiple of a unit and counted in 64 bits. What is left of it, at most half a unit, is counted in a
// second word, by a smaller unit.
// Cost per interval: 1 evaluation, 2 conversions to integers and 1 back, 2 integer additions. Every order
// gives the same two integers. So shuffles, shared memory and atomics may join them as they like.
// Stops being good: where no bound on the values is known, a first pass must find one.
// Source: J. Demmel, H. D. Nguyen, "Fast Reproducible Floating-Point Summation", ARITH 2013, has the same
// idea in floating point.
#include <cstdint>

#include "common/todo.hpp"
#include "riemann.hpp"
#include "riemann_launch.hpp"

/// What the two words of a sum count.
struct Units {
  double coarse, fine;
};

// BEGIN SOLUTION
/// The smallest power of two by which n + 1 values of at most `largest` count up to 2^62 at most.
static double unit_for(double largest, std::int64_t n) {
  const double most = 0x1p62 / static_cast<double>(n + 1);  // units per value
  double unit = 1;
  while (largest > unit * most) unit *= 2;
  while (largest <= unit / 2 * most && unit > 0x1p-400) unit /= 2;
  return unit;
}

__device__ inline long long sum_of_warp(long long mine) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xffffffffu, mine, distance);
  return mine;
}

/// One atomic per warp and word. Integers need no order.
__device__ inline void add_warp(unsigned long long* total, long long mine) {
  mine = sum_of_warp(mine);
  if (threadIdx.x % 32 == 0) atomicAdd(total, static_cast<unsigned long long>(mine));
}

template <class T>
__global__ void riemann_reproducible_total_kernel(const long long* words, T* out, double width, Units units) {
  const double sum =
      static_cast<double>(words[0]) * units.coarse + static_cast<double>(words[1]) * units.fine;
  *out = static_cast<T>(width * sum);
}
// STUB // 1. Which unit leaves room for n values of at most `largest` in 63 bits? 2. Two words per thread; how do
// STUB //    they join?
// STUB // 3. A kernel that makes a number of the words and writes out.
// END SOLUTION

template <class F>
__global__ void riemann_reproducible_kernel(F f, Partition p, void* totals, Units units) {
  // BEGIN SOLUTION
  using T = typename F::Value;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t index = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const double per_coarse = 1 / units.coarse, per_fine = 1 / units.fine;
  long long coarse = 0, fine = 0;
  const auto add = [&](T value) {
    const long long steps = __double2ll_rn(value * per_coarse);
    coarse += steps;
    fine +=
        __double2ll_rn((value - static_cast<double>(steps) * units.coarse) * per_fine);  // exact up to here
  };
  if (index == 0) add(p.ends(f));
  for (std::int64_t i = index; i < p.n; i += stride) add(f(static_cast<T>(p.point(i))));
  auto* const words = static_cast<unsigned long long*>(totals);  // (2)
  add_warp(words, coarse);
  add_warp(words + 1, fine);
  // STUB // 1. Round each value to a multiple of the coarse unit; count what is left in fine units. 2. Add both
  // STUB //    words.
  // END SOLUTION
}

template <class F>
void riemann_reproducible(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid,
                          dim3 block, void* workspace, std::size_t workspace_bytes, cudaStream_t stream) {
  const Partition p = riemann_partition(f, integral);
  riemann_check_whole_warps(block);
  const dim3 blocks = riemann_grid(grid, block, p.n);
  riemann_check_workspace(workspace_bytes, riemann_workspace(blocks.x));
  // BEGIN SOLUTION
  const double coarse = unit_for(f.largest(p.from, p.to), p.n);
  const Units units = {coarse,
                       unit_for(coarse / 2, p.n)};  // rounding to coarse units leaves half a unit at most
  CUDA_CHECK(cudaMemsetAsync(workspace, 0, 2 * sizeof(long long), stream));
  riemann_reproducible_kernel<<<blocks, block, 0, stream>>>(f, p, workspace, units);
  CUDA_CHECK_LAUNCH();
  riemann_reproducible_total_kernel<<<1, 1, 0, stream>>>(static_cast<const long long*>(workspace), out,
                                                         p.width, units);
  // STUB (void)p, (void)blocks;
  // STUB warplab::todo("riemann_reproducible: sums that do not depend on the order; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(F)                                                                            \
  template void riemann_reproducible<F>(F, Integral, F::Value*, std::optional<dim3>, dim3, void*, \
                                        std::size_t, cudaStream_t);
RIEMANN_FOR_EACH_INTEGRAND(INSTANTIATE)
