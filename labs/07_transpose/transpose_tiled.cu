// Tiled transpose: turn the tile in shared memory, where the direction of a walk costs no sectors.
//
// A block reads a tile of 32x32 row by row into shared memory, waits, and writes the transposed tile row
// by row. Both global accesses now run along rows: 4 + 4 sectors per warp in int, the fewest possible. What
// the naive rung paid in global memory, this one pays in shared memory: a warp reads a column of the tile,
// whose elements lie 32 words apart, so all 32 in the same one of the 32 banks. The read is served bank by
// bank: 32 wavefronts instead of 1.
// Cost per element: 1 load, 1 store, 1 shared store, 1 shared load, a barrier; 1 +
// 32 wavefronts per warp in int.
// Stops being good: where those wavefronts take longer than the memory does. One more column
// (tiled_padded) fixes it.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "transpose.hpp"

constexpr int side = 32;  // of a tile and of the block: a row of the tile is a warp
static_assert(side * side <= warplab::max_block_threads, "one thread for each element of the tile");

template <class T>
__global__ void transpose_tiled_kernel(const T* __restrict__ in,  // (rows, cols)
                                       T* __restrict__ out,       // (cols, rows)
                                       int rows, int cols) {
  // BEGIN SOLUTION
  __shared__ T tile[side][side];  // (rows, cols) of the tile
  const std::int64_t first_row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * side;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * side;
  const int x = threadIdx.x, y = threadIdx.y;

  if (first_row + y < rows && first_col + x < cols) tile[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();  // waits for the whole tile: a thread writes what another has read

  if (first_col + y < cols && first_row + x < rows) out[(first_col + y) * rows + first_row + x] = tile[x][y];
  // STUB // 1. Where does my block's tile start in `in`? Load element (y, x) of it into shared memory, if it is
  // STUB //    inside.
  // STUB // 2. Wait for the others: every thread of the block must come to this line, also one that loaded nothing.
  // STUB // 3. Row y of the transposed tile is column y of the tile. Store element (y, x) of it, if it is inside
  // STUB //    `out`.
  // END SOLUTION
}

template <class T>
void transpose_tiled(const T* in, T* out, int rows, int cols, cudaStream_t stream) {
  if (!transpose_has_work(in, out, rows, cols)) return;
  const dim3 grid = transpose_grid(rows, cols, side, side), block(side, side);
  // BEGIN SOLUTION
  transpose_tiled_kernel<<<grid, block, 0, stream>>>(in, out, rows, cols);
  // STUB (void)grid, (void)block;
  // STUB warplab::todo("transpose_tiled: load the tile, wait, store it transposed; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void transpose_tiled(const int*, int*, int, int, cudaStream_t);
template void transpose_tiled(const float*, float*, int, int, cudaStream_t);
template void transpose_tiled(const double*, double*, int, int, cudaStream_t);
