// Pipeline: as many tiles are on their way as there are slots.
//
// Little's law: bytes on their way = latency times bandwidth. For an H100's 3.35 TB/s and a supposed latency
// of 500 ns that is 1.7 MB, 13 KB per multiprocessor. cuda::pipeline counts the stages: producer_commit()
// ends one, consumer_wait() waits for the oldest, consumer_release() gives its slot back. This pipeline is a
// thread's own: it knows of the thread's copies only, so a barrier must follow the wait.
// Cost per element: as double_buffer. Per tile: two barriers of the block, and all threads issue copies.
// Stops being good: all warps start copies and wait at the same barriers. ring_cp_async gives the copies to a
// warp of its own; bulk_copy gives them to hardware.
// Source: CUDA Programming Guide, "Pipeline"; N. Meseguer et al., section II.
#include <cuda/pipeline>

#include "common/todo.hpp"
#include "tma_queues.hpp"
#include "tma_queues_consumers.hpp"
#include "tma_queues_launch.hpp"

template <class Work>
__global__ void __launch_bounds__(tma_queues_consumers)
    tma_queues_pipeline_kernel(const Work work, QueueShape shape) {
  extern __shared__ __align__(128) float stages[];  // (slots, vectors, tile)
  // BEGIN SOLUTION
  const int pitch = shape.tile, thread = static_cast<int>(threadIdx.x);
  auto pipe = cuda::make_pipeline();
  const auto start = [&](const Tile& tile, float* stage) {
    pipe.producer_acquire();
    for (int v = 0; v < Work::vectors; ++v) {
      const float* const from = vector_at(work, v, tile);  // (count)
      float* const to = stage + v * pitch;                 // (count)
      for (int i = 4 * thread; i + 4 <= tile.count; i += 4 * tma_queues_consumers)
        cuda::memcpy_async(to + i, from + i, cuda::aligned_size_t<16>(16), pipe);
      const int rest = tile.count / 4 * 4 + thread;  // fewer than 4 are left
      if (rest < tile.count) cuda::memcpy_async(to + rest, from + rest, cuda::aligned_size_t<4>(4), pipe);
    }
    pipe.producer_commit();
  };
  typename Work::Sums sums;
  TileCursor<Work> use(work, shape.tile), load = use;
  for (int slot = 0; slot < shape.slots && load.more(); ++slot, load.next())
    start(load.tile(), stages + slot * Work::vectors * pitch);
  for (int slot = 0; use.more(); use.next(), slot = slot + 1 < shape.slots ? slot + 1 : 0) {
    float* const stage = stages + slot * Work::vectors * pitch;  // (vectors, tile)
    pipe.consumer_wait();
    __syncthreads();  // waits for the copies of all threads
    take(work, sums, stage, stage + Work::first_rows * pitch, pitch, use.tile(), thread);
    __syncthreads();  // waits until nobody reads this slot any more
    pipe.consumer_release();
    if (!load.more()) continue;
    start(load.tile(), stage);
    load.next();
  }
  finish(work, sums, thread);
  // STUB // 1. Fill all slots: acquire, memcpy_async of 16 bytes per call, commit.
  // STUB // 2. For each tile: wait for the oldest stage, and for the copies of the other threads; use it;
  // STUB //    give the slot back, and fill it with the tile that is `slots` further on, if there is one.
  // END SOLUTION
}

template <class Work>
void tma_queues_pipeline(const Work& work, QueueShape shape, cudaStream_t stream) {
  tma_queues_check_shape(shape, work.length);
  const std::size_t bytes = static_cast<std::size_t>(shape.slots) * Work::vectors *
                            static_cast<std::size_t>(shape.tile) * sizeof(float);
  // BEGIN SOLUTION
  tma_queues_launch(tma_queues_pipeline_kernel<Work>, work, shape, shape, tma_queues_consumers, bytes,
                    stream);
  // STUB (void)bytes;
  // STUB warplab::todo("tma_queues_pipeline: keep a tile on its way in every slot; launch here");
  // END SOLUTION
}

#define INSTANTIATE(Work) template void tma_queues_pipeline(const Work&, QueueShape, cudaStream_t);
TMA_QUEUES_FOR_EACH_WORK(INSTANTIATE)
