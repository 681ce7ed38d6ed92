#pragma once

#include <cstddef>
#include <vector>

#include "gpu_specification.hpp"
#include "workload.hpp"

namespace warplab::acta {

/// What the busiest block of a kernel has to do, and what it gets of the GPU. Both our algorithm and the
/// simulator start from these figures; what happens in between is theirs.
struct BlockShare {
  std::size_t elements = 0;    ///< per pass, of the longest queue: the others are taken as long
  std::size_t passes = 1;      ///< through the vectors
  double bytes_per_cycle = 0;  ///< that arrive from L2 or DRAM, beside the block's own stores
  double latency = 0;  ///< cycles from the end of a transfer in the memory's pipe to the tile's arrival
};

BlockShare block_share(const GpuSpecification& specification, const Workload& workload);

/// Whether a kernel can run with queues of these sizes: they have room in shared memory, and no queue that
/// streams is longer than its vector, slots that would stay empty.
bool fits(const GpuSpecification& specification, const Workload& workload,
          const std::vector<QueueSize>& sizes);

/// Cycles that the consumers need for `elements` of every streaming queue, once these are in shared memory:
/// the longer of the reads from shared memory and the arithmetic.
double processing_cycles(const GpuSpecification& specification, const Workload& workload, double elements);

/// Cycles of the producer for one tile of every streaming queue.
double issue_cycles(const GpuSpecification& specification, const Workload& workload);

/// Streaming queues of a workload.
std::size_t streaming_queues(const Workload& workload);

}  // namespace warplab::acta
