#pragma once

#include <vector>

#include "gpu_specification.hpp"
#include "workload.hpp"

namespace warplab::acta {

/// Our algorithm: predicts the time of a configuration with a formula, and takes the fastest that fits.
///
/// See predicted_cycles() for the formula. Streaming queues share one tile and one number of slots, since the
/// consumers take a tile of each at a time; stationary queues hold their whole vector where it fits.
std::vector<QueueSize> own_sizes(const GpuSpecification& specification, const Workload& workload);

/// What one configuration is predicted to cost, and of which parts.
struct Prediction {
  double first_tile = 0;  ///< cycles until the consumers have their first step
  double per_step = 0;    ///< cycles between steps from then on
  double last_step = 0;   ///< cycles of the last step's processing
  double steps = 0;       ///< of the busiest block

  double cycles() const { return first_tile + (steps - 1) * per_step + last_step; }
};

/// Predicts the busiest block's time. A step is one tile of every streaming queue.
///
///     issue    = queues x tma_cycles                                             [cycles per step]
///     transfer = bytes of a step / bytes per cycle                               [cycles per step]
///     consume  = barriers + shared latency + max(shared reads, arithmetic)       [cycles per step]
///     latency  = L2 + DRAM latency, or L2's where the data stay in L2            [cycles]
///     per_step = max(issue, transfer, consume, (issue + transfer + latency + consume) / slots)
///
/// The last term is Little's law: a slot is taken from a tile's issue until it is consumed, and `slots` of
/// them turn over in that time.
Prediction predict(const GpuSpecification& specification, const Workload& workload,
                   const std::vector<QueueSize>& sizes);

}  // namespace warplab::acta
