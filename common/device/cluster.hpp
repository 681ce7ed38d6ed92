#pragma once

#include "common/device/transaction_barrier.hpp"

// What the blocks of a cluster do together. PTX ISA 9.0, "barrier.cluster", "mapa"; needs sm_90.

/// Waits for all threads of all blocks of the cluster.
__device__ inline void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
/// This block's number in its cluster.
__device__ inline unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
/// Arrives at the barrier that has this place in the shared memory of the cluster's block `rank`. The default
/// scope is enough: no data is handed over. With `.release.cluster` each step waited for all earlier writes,
/// and took twice as long.
__device__ inline void barrier_arrive_at(std::uint64_t* barrier, unsigned rank) {
  asm volatile(
      "{\n.reg .b32 remote;\nmapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}" ::"r"(shared_address(barrier)),
      "r"(rank)
      : "memory");
}
