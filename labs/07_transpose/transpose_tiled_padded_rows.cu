// Several rows per thread: a block of 32x8 moves a tile of 32x32, four rows to each thread.
//
// The four loads of a thread do not depend on one another, so all four are on their way before the
// first has come: four times the bytes in flight for each thread. And with 256 threads per block, a
// multiprocessor holds 8 blocks instead of 2: when one waits at its barrier, seven others go on. Index
// arithmetic is shared by four elements.
// Cost per element: as tiled_padded in memory and wavefronts; a quarter of the threads,
// address arithmetic and guards.
// Stops being good: 4 bytes per instruction. It needs four times as many instructions as a copy that moves
// 16 bytes each.
// Source of the shape: G. Ruetsch, P. Micikevicius, "Optimizing matrix transpose in CUDA", NVIDIA, 2009.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "transpose.hpp"

constexpr int side = 32;       // of a tile: a row of it is a warp
constexpr int block_rows = 8;  // of the block: 256 threads
static_assert(side % block_rows == 0, "every thread moves the same number of rows");

template <class T>
__global__ void transpose_tiled_padded_rows_kernel(const T* __restrict__ in,  // (rows, cols)
                                                   T* __restrict__ out,       // (cols, rows)
                                                   int rows, int cols) {
  // BEGIN SOLUTION
  __shared__ T tile[side][side + 1];  // (rows, cols) of the tile and an idle column
  const std::int64_t first_row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * side;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * side;
  const int x = threadIdx.x;

#pragma unroll
  for (int y = threadIdx.y; y < side; y += block_rows)
    if (first_row + y < rows && first_col + x < cols) tile[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();  // waits for the whole tile: a thread writes what others have read

#pragma unroll
  for (int y = threadIdx.y; y < side; y += block_rows)
    if (first_col + y < cols && first_row + x < rows)
      out[(first_col + y) * rows + first_row + x] = tile[x][y];
  // STUB // As in tiled_padded, with a loop over y: threadIdx.y, then every block_rows-th row of the tile.
  // END SOLUTION
}

template <class T>
void transpose_tiled_padded_rows(const T* in, T* out, int rows, int cols, cudaStream_t stream) {
  if (!transpose_has_work(in, out, rows, cols)) return;
  const dim3 grid = transpose_grid(rows, cols, side, side), block(side, block_rows);
  // BEGIN SOLUTION
  transpose_tiled_padded_rows_kernel<<<grid, block, 0, stream>>>(in, out, rows, cols);
  // STUB (void)grid, (void)block;
  // STUB warplab::todo("transpose_tiled_padded_rows: loop over the tile's rows in steps of block_rows; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void transpose_tiled_padded_rows(const int*, int*, int, int, cudaStream_t);
template void transpose_tiled_padded_rows(const float*, float*, int, int, cudaStream_t);
template void transpose_tiled_padded_rows(const double*, double*, int, int, cudaStream_t);
