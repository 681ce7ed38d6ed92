// The matrix as one long array, 16 bytes per access: addition does not care where a row ends.
//
// Row-major without gaps, a matrix is a vector of rows * cols elements. Forgetting the rows takes away what
// made block shapes matter: no block hangs over an edge, no limit of 65535 blocks bites, and 16-byte accesses
// do not ask for rows whose length is a multiple of 4. Only the arrays must start at a multiple of 16 bytes;
// otherwise, and for the last few elements, single elements are added.
// Cost per element: the same 12 bytes in float, a quarter of the loads and stores.
// Stops being good: it needs matrices without gaps. Padded rows, or a part of a larger
// matrix, bring the two dimensions back.
// Source: J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA, 2013.
#include <algorithm>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "common/todo.hpp"
#include "common/vector16.hpp"
#include "matrix_add.hpp"

template <class T>
__global__ void matrix_add_vectorized_kernel(const T* __restrict__ a,  // (rows, cols), read as (n)
                                             const T* __restrict__ b,  // (rows, cols), read as (n)
                                             T* __restrict__ c,        // (rows, cols), read as (n)
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
void matrix_add_vectorized(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols,
                           std::optional<dim3> grid, dim3 block, cudaStream_t stream) {
  warplab::check_size("rows", rows);
  warplab::check_size("cols", cols);
  warplab::check_block(block, 1);
  if (rows == 0 || cols == 0) return;
  const std::int64_t n = rows * cols;

  constexpr std::int64_t width = 16 / sizeof(T);  // elements in 16 bytes
  const bool aligned =
      warplab::starts_at_16_bytes(a) && warplab::starts_at_16_bytes(b) && warplab::starts_at_16_bytes(c);
  const std::int64_t vectors = aligned ? n / width : 0;

  const std::int64_t useful = warplab::ceil_div(aligned ? warplab::ceil_div(n, width) : n, block.x);
  const dim3 blocks = grid.value_or(warplab::grid_of(std::min(useful, warplab::max_grid_x)));
  warplab::check_grid(blocks, 1);

  // BEGIN SOLUTION
  matrix_add_vectorized_kernel<<<blocks, block, 0, stream>>>(a, b, c, n, vectors);
  // STUB (void)vectors;
  // STUB warplab::todo(
  // STUB     "matrix_add_vectorized: add 16 bytes at a time, then the elements that are left; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void matrix_add_vectorized(const float*, const float*, float*, std::int64_t, std::int64_t,
                                    std::optional<dim3>, dim3, cudaStream_t);
template void matrix_add_vectorized(const double*, const double*, double*, std::int64_t, std::int64_t,
                                    std::optional<dim3>, dim3, cudaStream_t);
template void matrix_add_vectorized(const int*, const int*, int*, std::int64_t, std::int64_t,
                                    std::optional<dim3>, dim3, cudaStream_t);
