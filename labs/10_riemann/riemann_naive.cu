// Naive: one thread per interval, and every value goes to the total by an atomic of its own.
//
// The evaluations are independent, so each interval gets a thread. The sum is not: all n atomics add to one
// word, and the memory's atomic unit takes them one after the other, while the arithmetic units wait.
// Cost per interval: 1 evaluation, 1 atomic, and the launch of a thread. In float the total also stops
// growing: once it is 2^24 times as large as a value, adding the value changes nothing.
// Stops being good: at once; an atomic takes longer than an evaluation.
// Source: I. Nyrkov, "GPU Programming using CUDA", TU Munich, 2025, section 10.3, whose kernel already
// strides over the grid: here that is the next rung.
#include <cstdint>

#include "riemann.hpp"
#include "riemann_launch.hpp"

template <class F>
__global__ void riemann_naive_kernel(F f, Partition p, typename F::Value* out) {
  using T = typename F::Value;
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  T value = f(static_cast<T>(p.point(i)));
  if (i == 0) value += p.ends(f);
  atomicAdd(out, static_cast<T>(p.width * value));
}

template <class F>
void riemann_naive(F f, Integral integral, typename F::Value* out, dim3 block, cudaStream_t stream) {
  const Partition p = riemann_partition(f, integral);
  warplab::check_block(block, 1);
  const dim3 grid = warplab::grid_of(warplab::ceil_div(p.n, block.x));
  riemann_start(out, stream);
  riemann_naive_kernel<<<grid, block, 0, stream>>>(f, p, out);
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(F) template void riemann_naive<F>(F, Integral, F::Value*, dim3, cudaStream_t);
RIEMANN_FOR_EACH_INTEGRAND(INSTANTIATE)
