#pragma once

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

// What CUDA C++ has no function for: barriers that count bytes, the tensor memory accelerator (TMA), and a
// warpgroup's product (wgmma). PTX ISA 9.0, "mbarrier", "cp.async.bulk.tensor", "wgmma". Needs sm_90a.

__device__ inline unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ inline void barrier_init(std::uint64_t* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals));
}
/// Arrives, and adds `bytes` to those that must come before the phase ends.
__device__ inline void barrier_expect(std::uint64_t* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
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
/// Waits for the end of the barrier's phase of this parity.
__device__ inline void barrier_wait(std::uint64_t* barrier, unsigned parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
/// What was written to barriers in this cluster's blocks may be seen by its other blocks, after
/// cluster_sync().
__device__ inline void fence_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ inline void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ inline unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// Starts the copy of a box whose first element is (row, col); its bytes count at the barrier.
__device__ inline void tma_load(void* to, const CUtensorMap* map, int row, int col, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
      "%3}], [%4];" ::"r"(shared_address(to)),
      "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier))
      : "memory");
}
/// The same into the shared memory of all `blocks` of the cluster, at the same places, each block's own
/// barrier included.
template <int blocks>
__device__ inline void tma_load_for_all(void* to, const CUtensorMap* map, int row, int col,
                                        std::uint64_t* barrier) {
  if constexpr (blocks == 1)
    tma_load(to, map, row, col, barrier);
  else
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
        "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier)),
        "h"(static_cast<unsigned short>((1 << blocks) - 1))
        : "memory");
}

/// Where an operand lies in shared memory, in lines of 128 bytes that are swizzled by 128 bytes. @param
/// leading bytes between blocks of 64 columns (B) @param stride bytes between groups of 8 lines
__device__ inline std::uint64_t operand_at(const void* p, unsigned leading, unsigned stride) {
  constexpr std::uint64_t swizzle_128_bytes = std::uint64_t{1} << 62;
  return ((shared_address(p) & 0x3ffff) >> 4) | std::uint64_t{leading >> 4} << 16 |
         std::uint64_t{stride >> 4} << 32 | swizzle_128_bytes;
}

/// sums[i] may be written by products still running: the compiler must not move it across this.
template <int n>
__device__ inline void pin(float (&sums)[n]) {
#pragma unroll
  for (int i = 0; i < n; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}
__device__ inline void products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void products_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Waits until at most `left` groups of products are still running.
template <int left>
__device__ inline void products_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}
/// A warpgroup gives registers back, so that others can have more. @tparam registers per thread
template <int registers>
__device__ inline void registers_down() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ inline void registers_up() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}
