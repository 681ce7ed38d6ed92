#pragma once

#include "warplab_emulator/block/cluster.hpp"
#include "warplab_emulator/copies/bulk_copies.hpp"
#include "warplab_emulator/copies/phase_barrier.hpp"
#include "warplab_emulator/ptx/ptx_memory.hpp"

// PTX's barriers in shared memory (mbarrier) and bulk copies (cp.async.bulk).

namespace warplab::emulator::ptx {

/// mapa of a generic address.
WARPLAB_PTX unsigned long long mapped_address(unsigned long long address, unsigned rank, const Site& site) {
  return reinterpret_cast<unsigned long long>(
      shared_of_rank(reinterpret_cast<const void*>(address), rank, site));
}

/// An mbarrier's address, checked: 8 bytes of shared memory.
WARPLAB_PTX unsigned long long* barrier_at(char* address, const Site& site) {
  require_aligned<8>(address, site);
  require_shared(address, 8, site);
  return reinterpret_cast<unsigned long long*>(address);
}

WARPLAB_PTX void mbarrier_init(char* barrier, unsigned count, const Site& site) {
  init_barrier(barrier_at(barrier, site), count, site);
}
WARPLAB_PTX void mbarrier_inval(char* barrier, const Site& site) {
  invalidate_barrier(barrier_at(barrier, site), site);
}
WARPLAB_PTX void mbarrier_expect_tx(char* barrier, unsigned bytes, const Site& site) {
  expect_bytes(barrier_at(barrier, site), bytes, site);
}
WARPLAB_PTX void mbarrier_complete_tx(char* barrier, unsigned bytes, const Site& site) {
  complete_bytes(barrier_at(barrier, site), bytes, site);
}
WARPLAB_PTX unsigned long long mbarrier_arrive(char* barrier, const Arrival& arrival, const Site& site) {
  return arrive(barrier_at(barrier, site), arrival, site);
}
WARPLAB_PTX bool mbarrier_test_wait(char* barrier, unsigned parity, bool acquires, const Site& site) {
  const bool ended = has_ended(barrier_at(barrier, site), parity & 1u, site, acquires);
  if (!ended) yield();
  return ended;
}
WARPLAB_PTX bool mbarrier_try_wait(char* barrier, unsigned parity, bool acquires, const Site& site) {
  return has_ended_in_time(barrier_at(barrier, site), parity & 1u, site, acquires);
}
/// cp.async.mbarrier.arrive: the thread's copies land before the phase ends. `counts`: with an arrival.
WARPLAB_PTX void cp_async_mbarrier_arrive(char* barrier, bool counts, const Site& site) {
  unsigned long long* const at = barrier_at(barrier, site);
  bind_all_copies(at);
  if (counts) arrive(at, {}, site);
}

/// Global to shared memory.
WARPLAB_PTX void cp_async_bulk_load(char* to, const char* from, unsigned bytes, char* barrier,
                                    const Site& site) {
  require_bulk_alignment(to, from, bytes, site);
  stage_global(from, bytes, site);
  issue_staged_load(reinterpret_cast<std::byte*>(to), bytes, barrier_at(barrier, site), false, site);
}
/// The same into the blocks of the cluster whose bits are set in `ranks`, each at the place that `to` and
/// `barrier` have in the caller's.
WARPLAB_PTX void cp_async_bulk_multicast(char* to, const char* from, unsigned bytes, char* barrier,
                                         unsigned short ranks, const Site& site) {
  require_bulk_alignment(to, from, bytes, site);
  stage_global(from, bytes, site);
  for (unsigned rank = 0; rank < 16; ++rank)
    if (ranks >> rank & 1u)
      issue_staged_load(
          static_cast<std::byte*>(shared_of_rank(to, rank, site)), bytes,
          static_cast<unsigned long long*>(shared_of_rank(barrier_at(barrier, site), rank, site)),
          ranks >> rank != 1, site);
}
/// Shared memory to that of another block of the cluster.
WARPLAB_PTX void cp_async_bulk_transfer(char* to, const char* from, unsigned bytes, char* barrier,
                                        BulkReduction reduction, const Site& site) {
  require_bulk_alignment(to, from, bytes, site);
  issue_bulk_transfer(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from), bytes,
                      barrier_at(barrier, site), reduction, site);
}
/// Shared to global memory.
WARPLAB_PTX void cp_async_bulk_store(char* to, const char* from, unsigned bytes, BulkReduction reduction,
                                     const Site& site) {
  require_bulk_alignment(to, from, bytes, site);
  const BulkPiece whole{reinterpret_cast<std::byte*>(to), 0, bytes};
  issue_bulk_store(&whole, 1, reinterpret_cast<const std::byte*>(from), bytes, reduction, site);
}
/// st.async: registers to the shared memory of another block of the cluster.
template <class T, unsigned n>
WARPLAB_PTX void st_async(char* to, Group<T, n> group, char* barrier, const Site& site) {
  require_aligned<sizeof group>(to, site);
  issue_bulk_load(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(&group), sizeof group,
                  barrier_at(barrier, site), site);
}

}  // namespace warplab::emulator::ptx
