// Ring on cp.async: a warp of its own brings the tiles, 8 others use them. Runs on every device from sm_80.
//
// Two barriers per slot. `full` waits for the 32 lanes of the producer's warp: each says that its copies have
// landed. `empty` waits for the 8 consumer warps. Nobody waits for the whole block, so a fast warp may be up
// to slots - 1 tiles ahead of a slow one. The producer starts the copies of a tile, and then says of an
// earlier tile that it has landed: the one that is slots - 1 commits back.
// Cost per tile: 32 arrivals at full, 8 at empty. A lane starts a copy per 16 bytes.
// Stops being good: the producer's warp issues an instruction per 512 bytes and computes each address.
// bulk_copy needs one instruction per vector and tile.
// Source: N. Meseguer et al., section II; CUTLASS, warp-specialised pipelines.
#include <cuda_pipeline.h>

#include "common/todo.hpp"
#include "tma_queues.hpp"
#include "tma_queues_barriers.hpp"
#include "tma_queues_consumers.hpp"
#include "tma_queues_launch.hpp"

inline constexpr int cp_async_threads = tma_queues_consumers + 32;  // 8 warps of consumers and the producer's

template <class Work>
__global__ void __launch_bounds__(cp_async_threads)
    tma_queues_ring_cp_async_kernel(const Work work, QueueShape shape) {
  extern __shared__ __align__(128) float stages[];  // (slots, vectors, tile)
  // BEGIN SOLUTION
  __shared__ BlockBarrier full[tma_queues_max_slots], empty[tma_queues_max_slots];
  constexpr int lanes = 32, consumer_warps = tma_queues_consumers / lanes;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % lanes;
  const int slots = shape.slots, pitch = shape.tile;
  if (thread == 0)
    for (int s = 0; s < slots; ++s) init(&full[s], lanes), init(&empty[s], consumer_warps);
  __syncthreads();  // waits for the barriers

  int slot = 0;
  bool parity = false;
  const auto next_slot = [&] {
    if (++slot == slots) slot = 0, parity = !parity;
  };
  if (thread >= tma_queues_consumers) {
    int landed = 0, started = 0;  // the slot whose tile lands next, and tiles that have not landed
    const auto say_landed = [&] {
      (void)full[landed].arrive();
      landed = landed + 1 < slots ? landed + 1 : 0;
      --started;
    };
    for (TileCursor<Work> load(work, pitch); load.more(); load.next(), next_slot()) {
      const Tile tile = load.tile();
      empty[slot].wait_parity(!parity);  // passes at once in the first round
      for (int v = 0; v < Work::vectors; ++v) {
        const float* const from = vector_at(work, v, tile);             // (count)
        float* const to = stages + (slot * Work::vectors + v) * pitch;  // (count)
        for (int i = 4 * lane; i + 4 <= tile.count; i += 4 * lanes)
          __pipeline_memcpy_async(to + i, from + i, 16);
        const int rest = tile.count / 4 * 4 + lane;  // fewer than 4 are left
        if (rest < tile.count) __pipeline_memcpy_async(to + rest, from + rest, 4);
      }
      __pipeline_commit();
      if (++started < slots) continue;
      __pipeline_wait_prior(static_cast<std::size_t>(slots - 1));
      say_landed();
    }
    __pipeline_wait_prior(0);
    while (started > 0) say_landed();
    return;
  }
  typename Work::Sums sums;
  for (TileCursor<Work> use(work, pitch); use.more(); use.next(), next_slot()) {
    const float* const stage = stages + slot * Work::vectors * pitch;  // (vectors, tile)
    full[slot].wait_parity(parity);
    take(work, sums, stage, stage + Work::first_rows * pitch, pitch, use.tile(), thread);
    __syncwarp();  // waits until no lane reads the slot any more
    if (lane == 0) (void)empty[slot].arrive();
  }
  finish(work, sums, thread);
  // STUB // 1. Make two barriers per slot: how many arrive at each of them in a phase?
  // STUB // 2. The last warp: wait until the next slot is empty, start its copies, and arrive at `full` of a
  // STUB //    slot whose copies have landed.
  // STUB // 3. The others: wait for `full`, use the tile, arrive at `empty`.
  // STUB // The parity of a slot's phase changes each time that you come round.
  // END SOLUTION
}

template <class Work>
void tma_queues_ring_cp_async(const Work& work, QueueShape shape, cudaStream_t stream) {
  tma_queues_check_shape(shape, work.length);
  const std::size_t bytes = static_cast<std::size_t>(shape.slots) * Work::vectors *
                            static_cast<std::size_t>(shape.tile) * sizeof(float);
  // BEGIN SOLUTION
  tma_queues_launch(tma_queues_ring_cp_async_kernel<Work>, work, shape, shape, cp_async_threads, bytes,
                    stream);
  // STUB (void)bytes;
  // STUB warplab::todo("tma_queues_ring_cp_async: a warp fills the slots, others empty them; launch here");
  // END SOLUTION
}

#define INSTANTIATE(Work) template void tma_queues_ring_cp_async(const Work&, QueueShape, cudaStream_t);
TMA_QUEUES_FOR_EACH_WORK(INSTANTIATE)
