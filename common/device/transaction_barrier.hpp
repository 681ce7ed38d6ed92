#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Barriers in shared memory that count arrivals and bytes. A phase ends when all arrivals have
// come, and all bytes that were announced. Then the next phase begins, with the other parity.
// PTX ISA 9.0, "mbarrier"; needs sm_90.

__device__ inline unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

/// One thread makes the barrier; others use it after fence_barriers() and a barrier of the block.
__device__ inline void barrier_init(std::uint64_t* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals));
}
/// What was written to barriers may be seen by bulk copies, and by other blocks of
/// the cluster after cluster_sync().
__device__ inline void fence_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ inline void barrier_arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
/// Arrives, and adds `bytes` to those that must come before the phase ends.
__device__ inline void barrier_expect(std::uint64_t* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
}
/// Waits for the end of the barrier's phase of this parity: 0 for the first phase, then 1, 0, ... A wait for
/// parity 1 at a new barrier returns at once.
__device__ inline void barrier_wait(std::uint64_t* barrier, unsigned parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
