#pragma once

#include <algorithm>
#include <cmath>

#include "queue_sizing.hpp"

// What a kernel of this lab demands of a GPU. Host code, which knows nothing of CUDA: the rung acta and the
// judgement of its choices use the same figures.

/// What the size depends on of a GPU. Cycles are the multiprocessor's.
struct QueueGpu {
  double processors = 0, clock = 0;                           ///< clock: cycles per second
  double dram_bytes_per_second = 0, l2_bytes_per_second = 0;  ///< as a copy reaches them
  double l2_latency = 0, dram_latency = 0;                    ///< cycles, the second one on top of the first
  double push = 0, copy = 0;                                  ///< cycles of the producer, see QueueWork
  double wait = 0, start = 0;                                 ///< cycles of the consumers, as in QueueDemand
  double shared_bytes_per_cycle = 0, products_per_cycle = 0;  ///< per multiprocessor
  double shared_bytes = 0;                                    ///< that a block may have for its queues
};

/// The figures that the runtime does not give: an H100's, of devices/h100.json.
inline constexpr QueueGpu queue_gpu_probed = {.l2_bytes_per_second = 6.21e12,
                                              .l2_latency = 216,
                                              .dram_latency = 393,
                                              .push = 672,
                                              .copy = 56.5,
                                              .wait = 89.8,
                                              .start = 29.1,
                                              .shared_bytes_per_cycle = 128,
                                              .products_per_cycle = 128};
inline constexpr double queue_share_of_peak = 0.886;  ///< of the memory's bandwidth, that a copy reaches

/// What the size depends on of a kernel of this lab.
struct QueueWork {
  double length;      ///< elements of each vector
  double passes;      ///< of all blocks together; 0 where blocks share the length
  double streaming;   ///< vectors whose tiles pass by
  double pushes;      ///< of the producer per step: each costs push cycles, each further vector copy cycles
  double stationary;  ///< vectors that stay in shared memory
  bool stores;        ///< whether an element is stored per element of the vectors
  bool in_l2;         ///< whether the vectors are read again and again, so that L2 has them
};

/// The demand of the busiest of as many blocks as there are multiprocessors.
inline QueueDemand queue_demand(const QueueGpu& gpu, const QueueWork& work) {
  const auto busiest = [&](double count) { return std::max(1.0, std::ceil(count / gpu.processors)); };
  const double loaded = 4 * work.streaming, stored = work.stores ? 4 : 0;
  const double bytes_per_second = work.in_l2 ? gpu.l2_bytes_per_second : gpu.dram_bytes_per_second;
  QueueDemand demand{};
  demand.elements = work.passes > 0 ? work.length : busiest(work.length);
  demand.passes = work.passes > 0 ? busiest(work.passes) : 1;
  demand.streaming = work.streaming;
  demand.stationary = work.stationary;
  demand.bytes_per_cycle = bytes_per_second / gpu.clock / gpu.processors * loaded / (loaded + stored);
  demand.latency = gpu.l2_latency + (work.in_l2 ? 0 : gpu.dram_latency);
  demand.first_issue = gpu.push;
  demand.issue = work.pushes * gpu.push + (work.streaming - work.pushes) * gpu.copy;
  demand.wait = gpu.wait;
  demand.start = gpu.start;
  demand.use = std::max((loaded + 4 * work.stationary * work.streaming) / gpu.shared_bytes_per_cycle,
                        work.streaming * std::max(1.0, work.stationary) / gpu.products_per_cycle);
  demand.shared_bytes = gpu.shared_bytes;
  return demand;
}
