// Ceiling: the evaluations and nothing else, which no rung can be faster than.
//
// Each thread evaluates a share of neighbouring intervals and sums them in a register. The threads' sums
// never meet: no shuffle, no barrier, no atomic. The store at the end never happens, but the compiler cannot
// know that, so it keeps the evaluations.
// Cost per interval: 1 evaluation, 1 addition. Not a rung: its output is nothing, and `of SOL` in the
// program's table is a rung's rate against its own.
#include <cstdint>

#include "riemann.hpp"
#include "riemann_launch.hpp"

template <class F>
__global__ void riemann_ceiling_kernel(F f, Partition p, typename F::Value* out) {
  using T = typename F::Value;
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t share = (p.n + threads - 1) / threads;  // intervals of a thread, next to each other
  const std::int64_t begin = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * share;
  const std::int64_t end = begin + share < p.n ? begin + share : p.n;
  T sum = 0;
  double widths = static_cast<double>(begin) + p.place;
#pragma unroll 4
  for (std::int64_t i = begin; i < end; ++i, widths += 1) sum += f(static_cast<T>(p.at(widths)));
  if (sum == static_cast<T>(-1e30)) *out = sum;  // never in fact
}

template <class F>
void riemann_ceiling(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                     cudaStream_t stream) {
  const Partition p = riemann_partition(f, integral);
  riemann_check_whole_warps(block);
  riemann_ceiling_kernel<<<riemann_grid(grid, block, p.n), block, 0, stream>>>(f, p, out);
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(F) \
  template void riemann_ceiling<F>(F, Integral, F::Value*, std::optional<dim3>, dim3, cudaStream_t);
RIEMANN_FOR_EACH_INTEGRAND(INSTANTIATE)
