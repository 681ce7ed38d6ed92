#pragma once

#include <vector>

#include "gpu_specification.hpp"
#include "workload.hpp"

namespace warplab::acta {

/// What the busiest block of a simulated kernel did, in the multiprocessor's cycles.
struct Simulation {
  double cycles = 0;
  double bytes = 0;          ///< brought into shared memory
  double producer_wait = 0;  ///< cycles that the producer waited for empty slots
  double consumer_wait = 0;  ///< cycles that the consumers waited for full slots
  double slot_cycles = 0;    ///< sum over all tiles of the cycles from issue to release
  std::size_t tiles = 0;     ///< issued

  double bytes_per_cycle() const { return cycles > 0 ? bytes / cycles : 0; }
};

/// Simulates one block with its share of the memory's bandwidth, tile by tile.
///
/// The producer issues tiles in the order of need, tma_cycles per push and copy_cycles per further
/// tile of it, and waits where the tile's ring is full.
/// Transfers go through one pipe per block, bytes / bandwidth each, and arrive a latency later. The consumers
/// wait for their tiles, process them, and free the slots. Deterministic, without a GPU.
/// @throws std::invalid_argument if the queues do not fit in shared memory
Simulation simulate(const GpuSpecification& specification, const Workload& workload,
                    const std::vector<QueueSize>& sizes, double latency_spread = 0);

/// Cycles of an ideal TMA, with shared memory for all data at once: no waits for slots, no barriers, every
/// byte brought once.
double ideal_cycles(const GpuSpecification& specification, const Workload& workload);

}  // namespace warplab::acta
