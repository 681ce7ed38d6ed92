// Double buffer: the next tile is on its way while this one is used.
//
// cooperative_groups::memcpy_async copies from global to shared memory without registers (cp.async, sm_80).
// The threads start the copies of a tile and go on. wait_prior<n>(block) waits for all copies of the block
// but the last n calls, and is a barrier too. A tile takes one call per vector, so n counts vectors, not
// tiles. Copies take multiples of 16 bytes; the last elements of a vector are loaded as before.
// Cost per element: as synchronous, without registers. Two slots: twice the shared memory per block.
// Stops being good: with few blocks per multiprocessor, a tile must arrive within the time that its
// predecessor is used for. Memory's latency is longer than that for most tiles, so pipeline has more slots.
// Source: CUDA Programming Guide, "Asynchronous Data Copies"; N. Meseguer et al., section V.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

#include "common/todo.hpp"
#include "tma_queues.hpp"
#include "tma_queues_consumers.hpp"
#include "tma_queues_launch.hpp"

namespace cg = cooperative_groups;

template <class Work>
__global__ void __launch_bounds__(tma_queues_consumers)
    tma_queues_double_buffer_kernel(const Work work, int tile_elements) {
  extern __shared__ __align__(128) float stages[];  // (2, vectors, tile)
  // BEGIN SOLUTION
  const int pitch = tile_elements, thread = static_cast<int>(threadIdx.x);
  const auto block = cg::this_thread_block();
  const auto start = [&](const Tile& tile, float* stage) {
    const int whole = tile.count / 4 * 4;
    for (int v = 0; v < Work::vectors; ++v) {
      const float* const from = vector_at(work, v, tile);  // (count)
      float* const to = stage + v * pitch;                 // (count)
      cg::memcpy_async(block, to, from,
                       cuda::aligned_size_t<16>(static_cast<std::size_t>(whole) * sizeof(float)));
      if (thread < tile.count - whole) to[whole + thread] = from[whole + thread];
    }
  };
  typename Work::Sums sums;
  TileCursor<Work> use(work, tile_elements), load = use;
  if (load.more()) start(load.tile(), stages);
  for (int slot = 0; use.more(); use.next(), slot ^= 1) {
    load.next();
    if (load.more()) {
      start(load.tile(), stages + (slot ^ 1) * Work::vectors * pitch);
      cg::wait_prior<Work::vectors>(block);  // waits for this tile, not for the next one
    } else {
      cg::wait(block);
    }
    const float* const stage = stages + slot * Work::vectors * pitch;  // (vectors, tile)
    take(work, sums, stage, stage + Work::first_rows * pitch, pitch, use.tile(), thread);
    __syncthreads();  // waits until nobody reads this slot any more
  }
  finish(work, sums, thread);
  // STUB // 1. Start the copies of the first tile into slot 0.
  // STUB // 2. For each tile: start the copies of the next one, if there is one, into the other slot; wait
  // STUB //    for this tile; use it; and let nobody overwrite a slot that others still read.
  // STUB // 3. Copies take multiples of 16 bytes. Who brings the last 1 to 3 elements?
  // END SOLUTION
}

template <class Work>
void tma_queues_double_buffer(const Work& work, QueueShape shape, cudaStream_t stream) {
  tma_queues_check_shape(shape, work.length);
  const std::size_t bytes =
      std::size_t{2 * Work::vectors} * static_cast<std::size_t>(shape.tile) * sizeof(float);
  // BEGIN SOLUTION
  tma_queues_launch(tma_queues_double_buffer_kernel<Work>, work, shape.tile, shape, tma_queues_consumers,
                    bytes, stream);
  // STUB (void)bytes;
  // STUB warplab::todo("tma_queues_double_buffer: copy the next tile while this one is used; launch here");
  // END SOLUTION
}

#define INSTANTIATE(Work) template void tma_queues_double_buffer(const Work&, QueueShape, cudaStream_t);
TMA_QUEUES_FOR_EACH_WORK(INSTANTIATE)
