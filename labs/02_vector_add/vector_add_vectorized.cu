// 16 bytes per access: a quarter of the requests and of their instructions.
//
// One instruction can load 16 bytes. Read as float4, int4 or double2, a vector of n elements is one of n / 4
// or n / 2, and the loop of grid_stride does the rest; what does not fill 16 bytes at the end is added one by
// one. A thread asks for 32 bytes by two loads, where grid_stride needs eight, however nvcc unrolls it.
// A 16-byte access must start at a multiple of 16 bytes. Pointers from cudaMalloc do; a + 1 does not. So the
// launcher checks the pointers, and where one is not aligned, the loop for single elements adds them all. The
// default grid covers the vector again: fresh blocks keep the memory busier than a long loop does.
// Cost per element: the same 12 bytes in float, a quarter of the loads and stores.
// Stops being good: a kernel limited by memory cannot be faster than a copy.
// Source: J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA, 2013.
#include <algorithm>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "common/todo.hpp"
#include "common/vector16.hpp"
#include "vector_add.hpp"

template <class T>
__global__ void vector_add_vectorized_kernel(const T* __restrict__ a,  // (n)
                                             const T* __restrict__ b,  // (n)
                                             T* __restrict__ c,        // (n)
                                             std::int64_t n,
                                             std::int64_t vectors) {  // of 16 bytes each, from the start
  // BEGIN SOLUTION
  using Vector = typename warplab::Vector16<T>::type;
  const auto* a16 = reinterpret_cast<const Vector*>(a);  // (vectors)
  const auto* b16 = reinterpret_cast<const Vector*>(b);  // (vectors)
  auto* c16 = reinterpret_cast<Vector*>(c);              // (vectors)

  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = first; i < vectors; i += stride) c16[i] = a16[i] + b16[i];

  const std::int64_t rest = vectors * static_cast<std::int64_t>(sizeof(Vector) / sizeof(T));
  for (std::int64_t i = rest + first; i < n; i += stride) c[i] = a[i] + b[i];
  // STUB // 1. Read a, b and c as arrays of Vector16<T>::type; add `vectors` of them with a grid-stride loop.
  // STUB // 2. Add the elements that are left, up to n, one by one.
  // END SOLUTION
}

template <class T>
void vector_add_vectorized(const T* a, const T* b, T* c, std::int64_t n, std::optional<dim3> grid, dim3 block,
                           cudaStream_t stream) {
  warplab::check_size("n", n);
  warplab::check_block(block, 1);
  if (n == 0) return;

  constexpr std::int64_t width = 16 / sizeof(T);  // elements in 16 bytes
  const bool aligned =
      warplab::starts_at_16_bytes(a) && warplab::starts_at_16_bytes(b) && warplab::starts_at_16_bytes(c);
  const std::int64_t vectors = aligned ? n / width : 0;

  const std::int64_t useful = warplab::ceil_div(aligned ? warplab::ceil_div(n, width) : n, block.x);
  const dim3 blocks = grid.value_or(warplab::grid_of(std::min(useful, warplab::max_grid_x)));
  warplab::check_grid(blocks, 1);

  // BEGIN SOLUTION
  vector_add_vectorized_kernel<<<blocks, block, 0, stream>>>(a, b, c, n, vectors);
  // STUB (void)vectors;
  // STUB warplab::todo(
  // STUB     "vector_add_vectorized: add 16 bytes at a time, then the elements that are left; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void vector_add_vectorized(const float*, const float*, float*, std::int64_t, std::optional<dim3>,
                                    dim3, cudaStream_t);
template void vector_add_vectorized(const double*, const double*, double*, std::int64_t, std::optional<dim3>,
                                    dim3, cudaStream_t);
template void vector_add_vectorized(const int*, const int*, int*, std::int64_t, std::optional<dim3>, dim3,
                                    cudaStream_t);
