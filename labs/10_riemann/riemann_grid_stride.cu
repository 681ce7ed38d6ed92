// Grid-stride: a grid of any size, and each thread sums many intervals before its one atomic.
//
// Thread t of T takes the intervals t, t + T, t + 2T ... and keeps their sum in a register. The total then
// gets T values instead of n. Which thread takes which interval matters little here: nothing is loaded, so
// nothing can be coalesced.
// Cost per interval: 1 evaluation, 1 addition. One atomic per thread. The sums also become more exact: each
// is a chain of n / T additions of values of one size.
// Stops being good: some 100,000 threads still queue at one word; a short kernel notices.
// Source: I. Nyrkov, 2025, section 10.3; M. Harris, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride
// Loops", 2013.
#include <cstdint>

#include "common/todo.hpp"
#include "riemann.hpp"
#include "riemann_launch.hpp"

template <class F>
__global__ void riemann_grid_stride_kernel(F f, Partition p, typename F::Value* out) {
  // BEGIN SOLUTION
  using T = typename F::Value;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;  // threads in the grid
  const std::int64_t index = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (index >= p.n) return;
  T sum = index == 0 ? p.ends(f) : T{0};
  for (std::int64_t i = index; i < p.n; i += stride) sum += f(static_cast<T>(p.point(i)));
  atomicAdd(out, static_cast<T>(p.width * sum));
  // STUB // 1. Who am I, and how many threads has the grid? 64 bits. 2. Sum my intervals; thread 0 also adds
  // STUB //    p.ends(f).
  // STUB // 3. Multiply once by the width, and add to the total.
  // END SOLUTION
}

template <class F>
void riemann_grid_stride(F f, Integral integral, typename F::Value* out, std::optional<dim3> grid, dim3 block,
                         cudaStream_t stream) {
  const Partition p = riemann_partition(f, integral);
  warplab::check_block(block, 1);
  const dim3 blocks = riemann_grid(grid, block, p.n);
  riemann_start(out, stream);
  // BEGIN SOLUTION
  riemann_grid_stride_kernel<<<blocks, block, 0, stream>>>(f, p, out);
  // STUB (void)p, (void)blocks;
  // STUB warplab::todo("riemann_grid_stride: sum your intervals in a register, then one atomic; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

#define INSTANTIATE(F) \
  template void riemann_grid_stride<F>(F, Integral, F::Value*, std::optional<dim3>, dim3, cudaStream_t);
RIEMANN_FOR_EACH_INTEGRAND(INSTANTIATE)
