#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "operand_queue_ring.hpp"
#include "queue_demand.hpp"
#include "tma_queues_launch.hpp"
#include "tma_queues_works.hpp"

// The sizes of queues on the present device: the rung acta runs with them. Host code.

/// The present device. Asking for a clock takes half a millisecond, so the answers are kept. @throws
/// CudaError
inline const QueueGpu& queue_gpu() {
  static int known_device = -1;
  static QueueGpu known = queue_gpu_probed;
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  if (device == known_device) return known;
  known.processors = warplab::multiprocessors();
  known.clock = 1e3 * warplab::device_attribute(cudaDevAttrClockRate);
  known.dram_bytes_per_second = queue_share_of_peak * 2e3 *
                                warplab::device_attribute(cudaDevAttrMemoryClockRate) *
                                warplab::device_attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  known.shared_bytes =
      warplab::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - 1024;  // for barriers
  known_device = device;
  return known;
}

template <class Work>
QueueDemand queue_demand_of(const Work& work) {
  QueueWork demanded{};
  demanded.length = static_cast<double>(work.length);
  if (Work::is_matrix)
    demanded.passes = static_cast<double>(work.runs(1)) * static_cast<double>(work.groups());
  demanded.streaming = Work::is_matrix ? Work::first_rows : Work::vectors;
  demanded.pushes = Work::is_matrix ? 1 : Work::vectors;  // a queue brings all rows of a matrix
  demanded.stationary = Work::is_matrix ? Work::second_rows : 0;
  demanded.stores = Work::stores;
  demanded.in_l2 = work.groups() > 1;  // where columns are many, rows are read again and again
  return queue_demand(queue_gpu(), demanded);
}

/// The chosen shape for a ring with one block per multiprocessor, reduced where the vector is shorter or the
/// shared memory smaller.
template <class Work>
QueueShape queue_shape_for(const Work& work, QueueShape chosen) {
  QueueShape shape = chosen;
  shape.blocks = 1;
  shape.tile = static_cast<int>(std::clamp<std::int64_t>(tma_queues_leading(work.length), 4, chosen.tile));
  const std::int64_t tiles = tma_queues_share(work.length, shape.tile);
  shape.slots = static_cast<int>(std::clamp<std::int64_t>(tiles, 1, chosen.slots));
  const auto room =
      static_cast<std::size_t>(warplab::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  while (shape.slots > 1 && ring_plan(work, shape).bytes() > room) --shape.slots;
  while (shape.tile > 64 && ring_plan(work, shape).bytes() > room) shape.tile = shape.tile / 8 * 4;
  return shape;
}
