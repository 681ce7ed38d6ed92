#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>

#include "operand_queue_ring.hpp"
#include "queue_sizing.hpp"
#include "tma_queues_launch.hpp"
#include "tma_queues_works.hpp"

// What a work demands of the present device: the rung acta runs with it. Host code.

/// The figures that the runtime does not give: those of devices/h100.json.
struct LatencyFigures {
  double issue = 100, wait = 60, start = 30;    ///< cycles
  double l2_latency = 260, dram_latency = 740;  ///< cycles, the second one on top of the first
  double l2_bytes_per_second = 5.5e12;
  double share_of_peak = 0.9;  ///< of the memory's bandwidth, that a copy reaches
  double shared_bytes_per_cycle = 128, products_per_cycle = 128;  ///< per multiprocessor
};

/// The runtime's figures of a device.
struct DeviceFigures {
  int device = -1;
  double processors = 0, clock = 0;  ///< cycles per second
  double dram_bytes_per_second = 0;  ///< at the memory's peak
  double shared_bytes = 0;           ///< that a block may have
};

/// Asking for a clock takes half a millisecond, so the answers are kept. @throws CudaError
inline const DeviceFigures& device_figures() {
  static constinit DeviceFigures known;
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  if (known.device != device)
    known = {.device = device,
             .processors = double(tma_queues_attribute(cudaDevAttrMultiProcessorCount)),
             .clock = 1e3 * tma_queues_attribute(cudaDevAttrClockRate),
             .dram_bytes_per_second = 2e3 * tma_queues_attribute(cudaDevAttrMemoryClockRate) *
                                      tma_queues_attribute(cudaDevAttrGlobalMemoryBusWidth) / 8,
             .shared_bytes = double(tma_queues_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin))};
  return known;
}

template <class Work>
QueueDemand queue_demand_of(const Work& work) {
  const LatencyFigures figures;
  const DeviceFigures& gpu = device_figures();
  const bool in_l2 = work.groups() > 1;  // where columns are many, rows are read again and again
  const auto busiest = [&](double count) { return std::max(1.0, std::ceil(count / gpu.processors)); };
  const double streaming = Work::is_matrix ? Work::first_rows : Work::vectors;
  const double loaded = 4 * streaming, stored = Work::stores ? 4 : 0;
  const auto length = static_cast<double>(work.length);
  QueueDemand demand{};
  demand.elements = Work::is_matrix ? length : busiest(length);
  demand.passes =
      Work::is_matrix ? busiest(static_cast<double>(work.runs(1)) * static_cast<double>(work.groups())) : 1;
  demand.streaming = streaming;
  demand.stationary = Work::is_matrix ? Work::second_rows : 0;
  demand.bytes_per_cycle =
      (in_l2 ? figures.l2_bytes_per_second : figures.share_of_peak * gpu.dram_bytes_per_second) / gpu.clock /
      gpu.processors * loaded / (loaded + stored);
  demand.latency = figures.l2_latency + (in_l2 ? 0 : figures.dram_latency);
  demand.issue = figures.issue;
  demand.wait = figures.wait;
  demand.start = figures.start;
  demand.use = std::max((loaded + 4 * demand.stationary * streaming) / figures.shared_bytes_per_cycle,
                        streaming * std::max(1.0, demand.stationary) / figures.products_per_cycle);
  demand.shared_bytes = gpu.shared_bytes - 1024;  // for barriers
  return demand;
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
  const auto room = static_cast<std::size_t>(tma_queues_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  while (shape.slots > 1 && ring_plan(work, shape).bytes() > room) --shape.slots;
  while (shape.tile > 64 && ring_plan(work, shape).bytes() > room) shape.tile = shape.tile / 8 * 4;
  return shape;
}
