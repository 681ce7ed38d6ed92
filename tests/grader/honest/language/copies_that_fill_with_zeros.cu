// Copies the end of the input by __pipeline_memcpy_async, filled up with zeros.
//! solves tma_queues/double_buffer
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

#include <cuda_pipeline.h>
#include "common/todo.hpp"
#include "tma_queues.hpp"
#include "tma_queues_consumers.hpp"
#include "tma_queues_launch.hpp"

namespace cg = cooperative_groups;

template <class Work>
__global__ void __launch_bounds__(tma_queues_consumers)
    tma_queues_double_buffer_kernel(const Work work, int tile_elements) {
  extern __shared__ __align__(128) float stages[];  // (2, vectors, tile)

  const int pitch = tile_elements, thread = static_cast<int>(threadIdx.x);
  const auto start = [&](const Tile& tile, float* stage) {
    const int whole = tile.count / 4;
    for (int v = 0; v < Work::vectors; ++v) {
      const float* const from = vector_at(work, v, tile);
      float* const to = stage + v * pitch;
      for (int i = thread; i < whole; i += blockDim.x) {
        __pipeline_memcpy_async(to + 4 * i, from + 4 * i, 16);
      }
      if (thread == 0 && tile.count % 4 != 0)
        __pipeline_memcpy_async(to + 4 * whole, from + 4 * whole, 16, 16 - tile.count % 4 * sizeof(float));
    }
  };

  typename Work::Sums sums;
  TileCursor<Work> use(work, tile_elements), load = use;
  if (load.more()) start(load.tile(), stages);
  __pipeline_commit();
  for (int slot = 0; use.more(); use.next(), slot ^= 1) {
    load.next();
    if (load.more()) {
      start(load.tile(), stages + (slot ^ 1) * Work::vectors * pitch);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float* const stage = stages + slot * Work::vectors * pitch;
    take(work, sums, stage, stage + Work::first_rows * pitch, pitch, use.tile(), thread);
    __syncthreads();
  }
  finish(work, sums, thread);
}

template <class Work>
void tma_queues_double_buffer(const Work& work, QueueShape shape, cudaStream_t stream) {
  tma_queues_check_shape(shape, work.length);
  const std::size_t bytes =
      std::size_t{2 * Work::vectors} * static_cast<std::size_t>(shape.tile) * sizeof(float);
  tma_queues_launch(tma_queues_double_buffer_kernel<Work>, work, shape.tile, shape, tma_queues_consumers,
                    bytes, stream);
}

#define INSTANTIATE(Work) template void tma_queues_double_buffer(const Work&, QueueShape, cudaStream_t);
TMA_QUEUES_FOR_EACH_WORK(INSTANTIATE)
