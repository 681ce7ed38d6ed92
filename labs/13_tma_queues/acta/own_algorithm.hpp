#pragma once

#include <vector>

#include "gpu_specification.hpp"
#include "workload.hpp"

namespace warplab::acta {

/// Our algorithm: predicts the time of every configuration by a formula, see predict(), and takes the one
/// that is close to the fastest whether or not the table's figures are right.
///
/// Each configuration that fits is predicted twice: with the table's figures, and with all latencies and
/// costs per tile `pessimism` times as long, since they vary under load and some are assumed. How far it is
/// from the fastest is its regret. The configuration whose larger regret is the smallest is chosen. Of
/// those within 0.1 % of it, it is the one that takes the most shared memory: the formula knows means only,
/// and more tiles on their way make up for one that comes late.
///
/// Streaming queues share one tile and one number of slots, since the consumers take a tile of each at a
/// time. A stationary queue holds its whole vector where it fits, in as few slots of the streaming tile as
/// that takes; elsewhere it is sized as if it were streaming.
std::vector<QueueSize> own_sizes(const GpuSpecification& specification, const Workload& workload);

/// How many times longer the second prediction takes latencies and costs to be.
inline constexpr double pessimism = 2;

/// Predictions that differ by no more than this are taken for equal.
inline constexpr double as_fast = 0.001;

/// Bytes in flight that keep one multiprocessor's share of the memory busy: bytes
/// per cycle x cycles of latency.
double bytes_in_flight_needed(const GpuSpecification& specification, const Workload& workload);

/// The predicted time of the busiest block, in its parts.
struct Prediction {
  double first_step = 0;   ///< cycles until the consumers have their first tiles
  double later_steps = 0;  ///< cycles from then until they have their last tiles
  double last_step = 0;    ///< cycles that they need for those

  double cycles() const { return first_step + later_steps + last_step; }
};

/// Predicts the busiest block's time. In a step the consumers take one tile of every streaming queue.
///
///     issue    = pushes x tma_cycles + further tiles of the pushes x copy_cycles   [cycles per step]
///     transfer = bytes per step / bytes per cycle                                  [cycles per step]
///     consume  = tiles per step x barrier_cycles + shared_latency + processing     [cycles per step]
///     arrival  = max(issue + transfer of one tile, tma_cycles + transfer) + latency   [cycles]
///     step     = max(issue, transfer, consume, (arrival + consume) / slots)        [cycles per step]
///     time     = arrival + (steps - 1) x step + consume                            [cycles]
///
/// The last term of `step` is Little's law: a slot is taken from its tile's issue until the tile is consumed,
/// which lasts arrival + consume, and `slots` tiles pass through the ring in that time. The tiles that fill
/// stationary queues lengthen the steps of the first pass where the producer or the memory limits them.
Prediction predict(const GpuSpecification& specification, const Workload& workload,
                   const std::vector<QueueSize>& sizes);

}  // namespace warplab::acta
