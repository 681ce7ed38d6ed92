#pragma once

#include "acta/gpu_specification.hpp"
#include "acta/workload.hpp"

namespace warplab::acta {

/// A GPU of round figures, for results that can be checked by hand: 16 bytes per cycle and multiprocessor
/// from DRAM, 32 from L2; a tile arrives 300 cycles after its transfer, from L2 100.
inline GpuSpecification round_gpu() {
  GpuSpecification gpu;
  gpu.name = "round GPU";
  gpu.clock_ghz = {1};
  gpu.multiprocessors = {10};
  gpu.warp_pools = {4};
  gpu.multiplications_per_cycle = {16};
  gpu.shared_bytes = {65536};
  gpu.l1_bytes = {16384};
  gpu.l2_bytes = {1 << 20};
  gpu.cache_line_bytes = {64};
  gpu.tma_cycles = {10};
  gpu.copy_cycles = {10};
  gpu.barrier_cycles = {4};
  gpu.shared_latency_cycles = {6};
  gpu.l2_latency_cycles = {100};
  gpu.dram_latency_cycles = {200};
  gpu.dram_gigabytes_per_second = {160};
  gpu.l2_gigabytes_per_second = {320};
  gpu.shared_bytes_per_cycle = {128};
  gpu.peak_gflops = {1280};
  return gpu;
}

/// One queue of 1024 floats per block, 8 consumer warps, 10 blocks.
inline Workload one_queue() {
  Workload workload;
  workload.multiprocessors = 10;
  workload.queues = {{10'240, 4, QueueKind::streaming}};
  return workload;
}

}  // namespace warplab::acta
