// A pipeline that all threads of the block share.
//! solves transpose/tiled_padded
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/pipeline>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "transpose.hpp"

constexpr int side = 32;  // of a tile and of the block: a row of the tile is a warp
static_assert(side * side <= warplab::max_block_threads, "one thread for each element of the tile");

template <class T>
__global__ void transpose_tiled_padded_kernel(const T* __restrict__ in, T* __restrict__ out, int rows,
                                              int cols) {
  namespace cg = cooperative_groups;
  __shared__ T tile[side][side + 1];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, 1> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const std::int64_t r0 = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * side,
                     c0 = std::int64_t{blockIdx.x} * side;
  const int x = threadIdx.x, y = threadIdx.y;
  pipe.producer_acquire();
  if (r0 + y < rows && c0 + x < cols)
    cuda::memcpy_async(&tile[y][x], &in[(r0 + y) * cols + c0 + x], sizeof(T), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  if (c0 + y < cols && r0 + x < rows) out[(c0 + y) * rows + r0 + x] = tile[x][y];
  pipe.consumer_release();
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
