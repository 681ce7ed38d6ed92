#pragma once

#include <cuda.h>

#include "common/device/transaction_barrier.hpp"

// Copies by the tensor memory accelerator (TMA). One thread starts a copy, the accelerator does it, and its
// bytes count at a barrier. PTX ISA 9.0, "cp.async.bulk", "cp.async.bulk.tensor"; needs sm_90.

/// Starts a copy from global to shared memory; its bytes count at the barrier.
/// @pre both addresses and `bytes` are multiples of 16
__device__ inline void copy_bulk(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}
/// The same for what is read once: L2 gives its lines up first, before those that a kernel still needs, or
/// that must be written back.
__device__ inline void copy_bulk_once(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  std::uint64_t evict_first = 0;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(evict_first));
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, "
      "[%3], "
      "%4;" ::"r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier)), "l"(evict_first)
      : "memory");
}
/// The same into the shared memory of all `blocks` of the cluster, at the same places,
/// each block's own barrier included.
template <int blocks>
__device__ inline void copy_bulk_for_all(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier)), "h"(static_cast<unsigned short>((1 << blocks) - 1))
      : "memory");
}

/// Starts the copy of a box whose first element is (row, col), which may lie outside the matrix; its bytes
/// count at the barrier.
__device__ inline void tma_load(void* to, const CUtensorMap* map, int row, int col, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
      "%3}], [%4];" ::"r"(shared_address(to)),
      "l"(map), "r"(col), "r"(row), "r"(shared_address(barrier))
      : "memory");
}
/// The same into the shared memory of all `blocks` of the cluster.
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

/// What this thread has stored in shared memory comes before what the
/// accelerator, or wgmma, later does there.
__device__ inline void fence_for_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
