#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "operand_queue.hpp"
#include "tma_queues_consumers.hpp"
#include "tma_queues_launch.hpp"

// A kernel that reads its operands from queues: the rungs ring and acta differ only in their sizes.

/// The two queues of a block. The second one is stationary where it has a slot for each of a vector's tiles.
struct RingPlan {
  QueueDescriptor first, second;
  bool stationary;
  std::size_t bytes() const { return first.bytes() + second.bytes(); }
};

/// Shared memory that a stationary queue may take.
inline constexpr std::int64_t ring_stationary_bytes = 128 * 1024;

template <class Work>
RingPlan ring_plan(const Work& work, QueueShape shape) {
  const int second_slots = Work::is_matrix ? tma_queues_stationary_slots(
                                                 shape, work.length, Work::second_rows, ring_stationary_bytes)
                                           : shape.slots;
  return {{Work::first_rows, shape.tile, shape.slots, Work::first_once},
          {Work::second_rows, shape.tile, second_slots, Work::second_once},
          Work::is_matrix && second_slots >= work.steps(shape.tile)};
}

inline constexpr int ring_threads = tma_queues_consumers + 32;  ///< 8 warps of consumers and the producer's

template <class Work>
__global__ void __launch_bounds__(ring_threads) operand_queue_ring_kernel(const Work work, RingPlan plan) {
  extern __shared__ __align__(128) unsigned char shared[];
  constexpr int consumer_warps = tma_queues_consumers / 32;
  OperandQueue first(plan.first, shared), second(plan.second, shared + plan.first.bytes());
  const int thread = static_cast<int>(threadIdx.x), pitch = plan.first.tile;
  if (thread == 0) {
    first.initialize(consumer_warps);
    if (Work::second_rows > 0) second.initialize(consumer_warps);
  }
  __syncthreads();  // waits until the barriers are made

  const bool produces = thread >= tma_queues_consumers;  // this warp fills the queues
  if (produces) {
    const std::int64_t kept_run = plan.stationary ? std::int64_t{blockIdx.x} : -1;
    for (TileCursor<Work> load(work, pitch); load.more(); load.next()) {
      const Tile next = load.tile();
      first.push([&](int v) { return vector_at(work, v, next); }, next.count);
      if (Work::second_rows > 0 && (kept_run < 0 || next.run == kept_run))  // a stationary vector comes once
        second.push([&](int v) { return vector_at(work, Work::first_rows + v, next); }, next.count);
    }
    return;
  }

  typename Work::Sums sums;
  for (TileCursor<Work> use(work, pitch); use.more(); use.next()) {
    const float* const of_first = first.acquire();  // (first_rows, tile)
    const float* of_second = nullptr;               // (second_rows, tile)
    if (Work::second_rows > 0) of_second = plan.stationary ? second.keep(use.step()) : second.acquire();
    take(work, sums, of_first, of_second, pitch, use.tile(), thread);
    first.release();
    if (Work::second_rows > 0 && !plan.stationary) second.release();
  }
  finish(work, sums, thread);
}

/// Queues the kernel with queues of this size. @throws std::invalid_argument as tma_queues.hpp says
template <class Work>
void operand_queue_ring(const Work& work, QueueShape shape, cudaStream_t stream) {
  tma_queues_check_device();
  tma_queues_check_shape(shape, work.length);
  const RingPlan plan = ring_plan(work, shape);
  tma_queues_launch(operand_queue_ring_kernel<Work>, work, plan, shape, ring_threads, plan.bytes(), stream);
}
