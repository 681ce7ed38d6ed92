#pragma once

#include <vector>

#include "gpu_specification.hpp"
#include "workload.hpp"

namespace warplab::acta {

/// ACTA's algorithms 1 to 3 as published. Where the paper leaves a formula open, a function below says so,
/// and the README lists what was chosen.
std::vector<QueueSize> published_sizes(const GpuSpecification& specification, const Workload& workload);

// The steps, for tests and for readers.

/// Algorithm 2: cycles to process a tile over cycles to bring it.
double merit(const GpuSpecification& specification, const Workload& workload, const Queue& queue,
             std::size_t tile);

/// Not in the paper: the share of shared memory that two tiles of each queue take, 1 for all of it.
double memory_cost(const GpuSpecification& specification, const Workload& workload, const Queue& queue,
                   std::size_t tile);

/// Not in the paper: how merit and cost become one score.
double weighted_merit(double merit, double cost);

/// Algorithm 1: the tile with the best weighted merit, scaled by the intensity.
std::size_t optimal_tile(const GpuSpecification& specification, const Workload& workload, const Queue& queue);

/// Not in the paper: Little's law, slots = arrivals per cycle x cycles that a tile stays in the queue.
double littles_law_slots(const GpuSpecification& specification, const Workload& workload, const Queue& queue,
                         std::size_t tile);

}  // namespace warplab::acta
