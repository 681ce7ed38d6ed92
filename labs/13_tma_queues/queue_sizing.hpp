#pragma once

#include "tma_queues_shape.hpp"

// What the size of a kernel's queues depends on. Knows nothing of CUDA.

/// The work of a kernel's busiest block, and what it gets of the GPU. Cycles are the multiprocessor's. One
/// block runs per multiprocessor. In a step its consumers take one tile of each vector that streams.
struct QueueDemand {
  double elements;         ///< of each vector, per pass
  double passes;           ///< through the vectors
  double streaming;        ///< vectors whose tiles pass by
  double stationary;       ///< vectors that stay in shared memory, where they fit
  double bytes_per_cycle;  ///< that arrive from memory
  double latency;          ///< cycles from the end of a transfer to the tile's arrival
  double first_issue;      ///< cycles of the producer until the first copy of a step is started
  double issue;            ///< cycles of the producer per step
  double wait;             ///< cycles of the consumers per tile
  double start;            ///< cycles of the consumers per step
  double use;              ///< cycles of the consumers per element of every vector
  double shared_bytes;     ///< of shared memory that a block may have

  /// The vectors' elements have 4 bytes. @return bytes of shared memory that queues of this shape take
  double bytes(QueueShape shape) const {
    return 4 * (streaming * shape.tile * shape.slots + stationary * elements);
  }
  /// Whether a kernel can run with this shape: queues have room, and are no longer than their vectors.
  bool fits(QueueShape shape) const {
    return bytes(shape) <= shared_bytes && double(shape.slots - 1) * shape.tile < elements;
  }
};
inline constexpr int queue_demand_numbers = 12;

/// The rung acta, asked for a size only: tile and slots of the vectors that stream. A tile has a
/// power of two from 64 to 8192 elements, a queue 1 to 8 slots, and all take demand.shared_bytes or less.
QueueShape tma_queues_acta(const QueueDemand& demand);
