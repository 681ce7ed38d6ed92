#pragma once

#include <vector>

// What the runtime does not tell of a GPU, measured on it with queues of operands as the kernels of this lab
// use them. Cycles are the multiprocessor's. Each function throws warplab::CudaError where the GPU fails, and
// std::invalid_argument where it has no tensor memory accelerator.

namespace warplab::acta {

/// What a tile costs beside its bytes, with 8 consumer warps.
struct TileCosts {
  double push = 0;      ///< cycles of the producer for a push by itself, of 16 bytes to an empty slot
  double copy = 0;      ///< the same per further vector that a push brings
  double issue = 0;     ///< the same in a whole kernel, whose consumers wait and arrive meanwhile
  double handover = 0;  ///< cycles of the consumers: wait for a full slot, arrival
};
TileCosts measure_tile_costs();

/// Cycles from the start of a copy of 16 bytes until its barrier's phase ends, nothing else going on.
struct CopyLatency {
  double l2 = 0, dram = 0;
};
CopyLatency measure_copy_latency();

/// Cycles of a dependent load from shared memory.
double measure_shared_latency();

/// How fast all multiprocessors read, one block each, with so many bytes on their way per block.
struct RatePoint {
  double bytes = 0;                 ///< per block: slots x bytes of a tile
  double gigabytes_per_second = 0;  ///< of the whole GPU
};
/// @param buffer_bytes what is read again and again: more than L2 for DRAM, less for L2
std::vector<RatePoint> measure_bandwidth_in_flight(double buffer_bytes);

/// 10^9 bytes read and written per second by cudaMemcpyAsync from device to device.
double measure_copy_bandwidth();

}  // namespace warplab::acta
