// Swizzled tile: permute the columns of each row instead of padding it.
//
// Element (r, c) is kept at column c ^ r of row r. For one r, c ^ r takes every value once as c runs
// through 0..31, and for one c it does so as r runs: rows and columns are both spread over all the banks,
// as with padding. Sectors and wavefronts stay as they were; what this gains is place: the tile is exactly
// 32x32, and its rows stay aligned. Of padded rows of 33 ints only every fourth starts at a multiple of 16
// bytes, which rules out the 16-byte accesses of the next rung.
// Cost per element: as tiled_padded_rows, an exclusive or instead of a multiplication by 33.
// Stops being good: rows must be a power of two long, and at least as long as there are banks to spread over.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "transpose.hpp"

constexpr int side = 32;       // of a tile: a row of it is a warp
constexpr int block_rows = 8;  // of the block: 256 threads
static_assert(side % block_rows == 0, "every thread moves the same number of rows");
static_assert((side & (side - 1)) == 0, "c ^ r stays below a power of two");

template <class T>
__global__ void transpose_tiled_swizzled_kernel(const T* __restrict__ in,  // (rows, cols)
                                                T* __restrict__ out,       // (cols, rows)
                                                int rows, int cols) {
  // BEGIN SOLUTION
  __shared__ T tile[side][side];  // (rows, cols) of the tile; (r, c) is at [r][c ^ r]
  const std::int64_t first_row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * side;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * side;
  const int x = threadIdx.x;

#pragma unroll
  for (int y = threadIdx.y; y < side; y += block_rows)
    if (first_row + y < rows && first_col + x < cols)
      tile[y][x ^ y] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();  // waits for the whole tile: a thread writes what others have read

#pragma unroll
  for (int y = threadIdx.y; y < side; y += block_rows)
    if (first_col + y < cols && first_row + x < rows)
      out[(first_col + y) * rows + first_row + x] = tile[x][y ^ x];
  // STUB // As in tiled_padded_rows, without the idle column: keep element (r, c) of the tile at [r][c ^ r].
  // END SOLUTION
}

template <class T>
void transpose_tiled_swizzled(const T* in, T* out, int rows, int cols, cudaStream_t stream) {
  if (!transpose_has_work(in, out, rows, cols)) return;
  const dim3 grid = transpose_grid(rows, cols, side, side), block(side, block_rows);
  // BEGIN SOLUTION
  transpose_tiled_swizzled_kernel<<<grid, block, 0, stream>>>(in, out, rows, cols);
  // STUB (void)grid, (void)block;
  // STUB warplab::todo("transpose_tiled_swizzled: element (r, c) of the tile at [r][c ^ r]; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void transpose_tiled_swizzled(const int*, int*, int, int, cudaStream_t);
template void transpose_tiled_swizzled(const float*, float*, int, int, cudaStream_t);
template void transpose_tiled_swizzled(const double*, double*, int, int, cudaStream_t);
