// Rows with gaps between them, 16 bytes per access: as cudaMallocPitch allocates them, or a part of a larger
// matrix has them.
//
// A row begins `pitch` bytes after the one before, so its address is computed in bytes. Where the pitch is a
// multiple of 16, every row begins like the first one and its columns are read in groups of 16 bytes; what is
// left at the end of each row is added element by element. Without gaps, rows of 5001 floats begin anywhere,
// and a warp's 128 bytes lie in five sectors instead of four; with them every row begins at a sector.
// Cost per element: the same 12 bytes in float, a quarter of the loads and stores. Gaps take memory, at most
// 511 bytes per row of cudaMallocPitch, but nothing moves them. If nvcc unrolls the loops, a thread has 64
// registers instead of 40, a multiprocessor four blocks instead of six, and an H100 takes 7 % longer for
// 16384x16384 floats.
// Stops being good: rows of a few elements. Most lanes have nothing to do, and gaps outweigh the elements.
// Source: CUDA C++ Programming Guide, "Device Memory Accesses", two-dimensional arrays.
#include <algorithm>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/launch_shape.hpp"
#include "common/todo.hpp"
#include "common/vector16.hpp"
#include "matrix_add.hpp"

template <class T>
__global__ void matrix_add_pitched_kernel(const T* __restrict__ a,  // (rows, cols), rows `pitch` bytes apart
                                          const T* __restrict__ b,  // likewise
                                          T* __restrict__ c,        // likewise
                                          std::int64_t rows, std::int64_t cols, std::int64_t pitch,
                                          std::int64_t vectors) {  // of 16 bytes each, from a row's start
  // BEGIN SOLUTION
  using Vector = typename warplab::Vector16<T>::type;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t first_row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t col_stride = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t row_stride = std::int64_t{gridDim.y} * blockDim.y;
  const std::int64_t rest = vectors * static_cast<std::int64_t>(sizeof(Vector) / sizeof(T));
  for (std::int64_t row = first_row; row < rows; row += row_stride) {
    const T* a_row = reinterpret_cast<const T*>(reinterpret_cast<const char*>(a) + row * pitch);
    const T* b_row = reinterpret_cast<const T*>(reinterpret_cast<const char*>(b) + row * pitch);
    T* c_row = reinterpret_cast<T*>(reinterpret_cast<char*>(c) + row * pitch);
    const auto* a16 = reinterpret_cast<const Vector*>(a_row);  // (vectors)
    const auto* b16 = reinterpret_cast<const Vector*>(b_row);  // (vectors)
    auto* c16 = reinterpret_cast<Vector*>(c_row);              // (vectors)
    // Under a grid that covers the matrix the loops turn once: copies of them would only take registers.
#pragma unroll 1
    for (std::int64_t i = first_col; i < vectors; i += col_stride) c16[i] = a16[i] + b16[i];
#pragma unroll 1
    for (std::int64_t i = rest + first_col; i < cols; i += col_stride) c_row[i] = a_row[i] + b_row[i];
  }
  // STUB // 1. Step over the rows; a row's address is that of the matrix plus row * pitch bytes.
  // STUB // 2. Add `vectors` of Vector16<T>::type from its start, then the columns that are left, one by one.
  // END SOLUTION
}

template <class T>
void matrix_add_pitched(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols,
                        std::int64_t pitch, std::optional<dim3> grid, dim3 block, cudaStream_t stream) {
  warplab::check_size("rows", rows);
  warplab::check_size("cols", cols);
  warplab::check_block(block, 2);
  constexpr auto element = static_cast<std::int64_t>(sizeof(T));
  if (pitch < cols * element || pitch % element != 0)
    warplab::refuse("a pitch of ", pitch, " bytes: rows of ", cols, " elements of ", element,
                    " bytes need a multiple of ", element, ", at least ", cols * element);
  if (rows == 0 || cols == 0) return;

  constexpr std::int64_t width = 16 / element;  // elements in 16 bytes
  const bool aligned = warplab::starts_at_16_bytes(a) && warplab::starts_at_16_bytes(b) &&
                       warplab::starts_at_16_bytes(c) && pitch % 16 == 0;
  const std::int64_t vectors = aligned ? cols / width : 0;

  const std::int64_t useful = warplab::ceil_div(aligned ? warplab::ceil_div(cols, width) : cols, block.x);
  const std::int64_t across = std::min(useful, warplab::max_grid_x);
  const std::int64_t down = std::min(warplab::ceil_div(rows, block.y), warplab::max_grid_yz);
  const dim3 blocks = grid.value_or(warplab::grid_of(across, down));
  warplab::check_grid(blocks, 2);

  // BEGIN SOLUTION
  matrix_add_pitched_kernel<<<blocks, block, 0, stream>>>(a, b, c, rows, cols, pitch, vectors);
  // STUB (void)vectors;
  // STUB warplab::todo(
  // STUB     "matrix_add_pitched: find rows by the pitch, add 16 bytes at a time, then the rest; launch it");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void matrix_add_pitched(const float*, const float*, float*, std::int64_t, std::int64_t, std::int64_t,
                                 std::optional<dim3>, dim3, cudaStream_t);
template void matrix_add_pitched(const double*, const double*, double*, std::int64_t, std::int64_t,
                                 std::int64_t, std::optional<dim3>, dim3, cudaStream_t);
template void matrix_add_pitched(const int*, const int*, int*, std::int64_t, std::int64_t, std::int64_t,
                                 std::optional<dim3>, dim3, cudaStream_t);
