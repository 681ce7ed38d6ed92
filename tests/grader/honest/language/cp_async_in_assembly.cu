// Copies into shared memory by cp.async in inline assembly.
//! solves transpose/tiled_padded
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
  __shared__ T tile[side][side + 1];  // (rows, cols) and an idle column: (r, c) is in bank (33 r + c) % 32
  const std::int64_t first_row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * side;
  const std::int64_t first_col = std::int64_t{blockIdx.x} * side;
  const int x = threadIdx.x, y = threadIdx.y;

  if (first_row + y < rows && first_col + x < cols) {
    const unsigned smem = static_cast<unsigned>(__cvta_generic_to_shared(&tile[y][x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(smem),
                 "l"(&in[(first_row + y) * cols + first_col + x]), "n"(sizeof(T))
                 : "memory");
  }
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
  __syncthreads();  // waits for the whole tile: a thread writes what another has read

  if (first_col + y < cols && first_row + x < rows) out[(first_col + y) * rows + first_row + x] = tile[x][y];
}

template <class T>
void transpose_tiled_padded(const T* in, T* out, int rows, int cols, cudaStream_t stream) {
  if (!transpose_has_work(in, out, rows, cols)) return;
  const dim3 grid = transpose_grid(rows, cols, side, side), block(side, side);
  transpose_tiled_padded_kernel<<<grid, block, 0, stream>>>(in, out, rows, cols);
  CUDA_CHECK_LAUNCH();
}

template void transpose_tiled_padded(const int*, int*, int, int, cudaStream_t);
template void transpose_tiled_padded(const float*, float*, int, int, cudaStream_t);
template void transpose_tiled_padded(const double*, double*, int, int, cudaStream_t);
