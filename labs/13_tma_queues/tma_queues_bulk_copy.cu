// Bulk copy: one instruction brings a vector's tile, and a barrier counts its bytes.
//
// The tensor memory accelerator (TMA) copies a run of bytes by itself. One thread starts it; no thread
// computes addresses. The barrier of the slot expects one arrival and a number of bytes: barrier_arrive_tx()
// arrives and announces the bytes, and each copy takes its own bytes off when they have landed. So the phase
// ends when the tile is there. A slot's phases have parities 0, 1, 0, ...: who waits with the wrong one reads
// too early, or waits for ever. A bulk copy takes multiples of 16 bytes at multiples of 16 bytes; one thread
// loads what is left.
// Cost per tile: one instruction per vector, by one thread.
// Stops being good: a slot is filled again after a barrier of the whole block. ring has a barrier per slot
// for that too.
// Source: CUDA Programming Guide, "Tensor Memory Accelerator"; N. Meseguer et al., section II.

#include "common/device/bulk_copy.hpp"
#include "common/todo.hpp"
#include "tma_queues.hpp"
#include "tma_queues_barriers.hpp"
#include "tma_queues_consumers.hpp"
#include "tma_queues_launch.hpp"

template <class Work>
__global__ void __launch_bounds__(tma_queues_consumers)
    tma_queues_bulk_copy_kernel(const Work work, QueueShape shape) {
  extern __shared__ __align__(128) float stages[];  // (slots, vectors, tile)
  // BEGIN SOLUTION
  __shared__ BlockBarrier full[tma_queues_max_slots];
  const int pitch = shape.tile, thread = static_cast<int>(threadIdx.x);
  if (thread == 0) {
    for (int s = 0; s < shape.slots; ++s) init(&full[s], 1);
    fence_for_async();  // the accelerator sees the barriers
  }
  __syncthreads();  // waits for the barriers

  const auto start = [&](const Tile& tile, int slot) {
    const int whole = tile.count / 4 * 4;
    const auto bytes = cuda::aligned_size_t<16>(static_cast<std::size_t>(whole) * sizeof(float));
    float* const stage = stages + slot * Work::vectors * pitch;  // (vectors, tile)
    for (int v = 0; v < Work::vectors; ++v)
      for (int i = whole; i < tile.count; ++i) stage[v * pitch + i] = vector_at(work, v, tile)[i];
    fence_for_async();  // copies come after what was read and stored in this slot before
    for (int v = 0; v < Work::vectors && whole > 0; ++v)
      cuda::device::memcpy_async_tx(stage + v * pitch, vector_at(work, v, tile), bytes, full[slot]);
    (void)cuda::device::barrier_arrive_tx(full[slot], 1,
                                          Work::vectors * whole * std::ptrdiff_t{sizeof(float)});
  };
  typename Work::Sums sums;
  TileCursor<Work> use(work, pitch), load = use;
  for (int slot = 0; slot < shape.slots && load.more(); ++slot, load.next())
    if (thread == 0) start(load.tile(), slot);
  int slot = 0;
  bool parity = false;
  for (; use.more(); use.next()) {
    const float* const stage = stages + slot * Work::vectors * pitch;  // (vectors, tile)
    full[slot].wait_parity(parity);
    take(work, sums, stage, stage + Work::first_rows * pitch, pitch, use.tile(), thread);
    __syncthreads();  // waits until nobody reads this slot any more
    if (load.more()) {
      if (thread == 0) start(load.tile(), slot);
      load.next();
    }
    if (++slot == shape.slots) slot = 0, parity = !parity;
  }
  finish(work, sums, thread);
  // STUB // 1. A barrier per slot, made by one thread: one arrival per phase.
  // STUB // 2. Thread 0 fills the slots: a bulk copy per vector, and one arrival that announces all bytes.
  // STUB // 3. All: wait for the phase, use the tile, and meet before thread 0 fills the slot again.
  // STUB // fence_for_async() orders a thread's own stores before later bulk copies.
  // END SOLUTION
}

template <class Work>
void tma_queues_bulk_copy(const Work& work, QueueShape shape, cudaStream_t stream) {
  tma_queues_check_device();
  tma_queues_check_shape(shape, work.length);
  const std::size_t bytes = static_cast<std::size_t>(shape.slots) * Work::vectors *
                            static_cast<std::size_t>(shape.tile) * sizeof(float);
  // BEGIN SOLUTION
  tma_queues_launch(tma_queues_bulk_copy_kernel<Work>, work, shape, shape, tma_queues_consumers, bytes,
                    stream);
  // STUB (void)bytes;
  // STUB warplab::todo("tma_queues_bulk_copy: one thread copies, a barrier counts bytes; launch here");
  // END SOLUTION
}

#define INSTANTIATE(Work) template void tma_queues_bulk_copy(const Work&, QueueShape, cudaStream_t);
TMA_QUEUES_FOR_EACH_WORK(INSTANTIATE)
