// Padded tile: one column that nobody uses moves every row of the tile on by one bank.
//
// Nothing changes from tiled but where the elements of the tile lie. Along a row they lie in 32 different
// banks as before, and down a column now too. So both shared accesses take one wavefront (two for double, 64
// bits per element: a half-warp at a time). Nothing is ever written to the extra column: it costs 32 elements
// of space, and no instruction or time.
// Cost per element: as tiled, with 1 + 1 wavefronts per warp in int instead of 1 + 32.
// Stops being good: each thread has one element in flight, and blocks of 1024 threads wait at the barrier
// for their slowest warp with only one other block on the multiprocessor to fill the gap.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "transpose.hpp"

constexpr int side = 32;  // of a tile and of the block: a row of the tile is a warp
static_assert(side * side <= warplab::max_block_threads, "one thread for each element of the tile");

template <class T>
__global__ void transpose_tiled_padded_kernel(const T* __restrict__ in,  // (rows, cols)
                                              T* __restrict__ out,       // (cols, rows)
                                              int rows, int cols) {
  // BEGIN SOLUTION
  __shared__ T tile[side][side + 1];  // (rows, cols) and an idle column: (r, c) is in bank (33 r + c) % 32
  const std::int64_t first_row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * side;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * side;
  const int x = threadIdx.x, y = threadIdx.y;

  if (first_row + y < rows && first_col + x < cols) tile[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();  // waits for the whole tile: a thread writes what another has read

  if (first_col + y < cols && first_row + x < rows) out[(first_col + y) * rows + first_row + x] = tile[x][y];
  // STUB // As in tiled. In which bank is tile[r][c] there, for all r of one c? What length of a row would change
  // STUB // that?
  // END SOLUTION
}

template <class T>
void transpose_tiled_padded(const T* in, T* out, int rows, int cols, cudaStream_t stream) {
  if (!transpose_has_work(in, out, rows, cols)) return;
  const dim3 grid = transpose_grid(rows, cols, side, side), block(side, side);
  // BEGIN SOLUTION
  transpose_tiled_padded_kernel<<<grid, block, 0, stream>>>(in, out, rows, cols);
  // STUB (void)grid, (void)block;
  // STUB warplab::todo("transpose_tiled_padded: your tiled kernel with longer rows in shared memory; launch here");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}

template void transpose_tiled_padded(const int*, int*, int, int, cudaStream_t);
template void transpose_tiled_padded(const float*, float*, int, int, cudaStream_t);
template void transpose_tiled_padded(const double*, double*, int, int, cudaStream_t);
