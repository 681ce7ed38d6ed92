#pragma once

#include <ctime>

#include "driver_types.h"

#include "warplab_emulator/block/synchronization.hpp"
#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/block/warp_match_reduce.hpp"
#include "warplab_emulator/ptx/ptx_registers.hpp"

// What PTX has for warps and blocks: special registers, shuffles, votes and barriers.

namespace warplab::emulator::ptx {

/// The number of the calling thread in its block.
WARPLAB_PTX unsigned thread_rank() {
  return static_cast<unsigned>(number_in(current_indices.block_dim, current_indices.thread));
}
WARPLAB_PTX unsigned block_rank() {
  return static_cast<unsigned>(number_in(current_indices.grid_dim, current_indices.block));
}
WARPLAB_PTX unsigned block_threads() { return static_cast<unsigned>(count_in(current_indices.block_dim)); }
WARPLAB_PTX unsigned laneid() { return static_cast<unsigned>(lane()); }
/// The emulated device's multiprocessors.
unsigned nsmid() noexcept;
/// Blocks are dealt out to the multiprocessors in turn.
WARPLAB_PTX unsigned smid() { return block_rank() % nsmid(); }

/// The dynamic shared memory of the launch, in bytes.
unsigned dynamic_smem_size() noexcept;
/// With the static variables that threads have used, in the units of 128 bytes in which it is given out.
unsigned total_smem_size() noexcept;
/// The same to the byte, with the 1024 bytes that a GPU keeps for itself.
unsigned aggr_smem_size() noexcept;

/// %globaltimer: like a GPU's in ns since 1970. That of clock64() begins elsewhere.
WARPLAB_PTX unsigned long long globaltimer() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<unsigned long long>(now.tv_sec) * 1'000'000'000ull +
         static_cast<unsigned long long>(now.tv_nsec);
}
/// The upper half of a register of 64 bits.
WARPLAB_PTX unsigned high(unsigned long long value) { return static_cast<unsigned>(value >> 32); }

/// What shfl.sync leaves in its two destinations.
struct Shuffled {
  unsigned value;
  bool in_range;
};
/// shfl.sync: `c` holds the last lane (bits 0 to 4) and the mask of the segments (bits 8 to 12).
inline Shuffled shfl(Shuffle kind, unsigned value, unsigned b, unsigned c, unsigned mask, const Site& site) {
  const unsigned me = laneid(), segment = c >> 8 & 31u, clamp = c & 31u;
  const unsigned by = b & 31u, first = me & segment, last = first | (clamp & ~segment);
  bool in_range = true;
  unsigned source = me;
  switch (kind) {
    case Shuffle::up:
      in_range = static_cast<int>(me) - static_cast<int>(by) >= static_cast<int>(last);
      source = me - by;
      break;
    case Shuffle::down:
      source = me + by;
      in_range = source <= last;
      break;
    case Shuffle::exclusive_or:
      source = me ^ by;
      in_range = source <= last;
      break;
    case Shuffle::index:
      source = first | (by & ~segment);
      in_range = source <= last;
      break;
  }
  if (!in_range) source = me;
  const Exchanged all = exchange(mask, value, site);
  const unsigned long long got = all.lanes >> source & 1u ? all.values[source] : poison_bits;
  return {static_cast<unsigned>(got), in_range};
}

inline bool vote_all(unsigned mask, bool p, const Site& site) { return ballot(mask, !p, site) == 0; }
inline bool vote_any(unsigned mask, bool p, const Site& site) { return ballot(mask, p, site) != 0; }
inline bool vote_uni(unsigned mask, bool p, const Site& site) {
  const Exchanged all = exchange(mask, p, site);
  bool same = true;
  for (int i = 0; i < warpSize; ++i) same &= (all.lanes >> i & 1u) == 0 || (all.values[i] & 1u) == p;
  return same;
}

/// What match.all.sync leaves in its two destinations.
struct MatchedAll {
  unsigned lanes;
  bool all;
};
template <class T>
MatchedAll match_all(unsigned mask, T value, const Site& site) {
  int all = 0;
  const unsigned lanes = emulator::match_all(mask, value, &all, site);
  return {lanes, all != 0};
}

/// The lowest lane of the mask is the leader.
struct Elected {
  unsigned leader;
  bool is_leader;
};
inline Elected elect(unsigned mask, const Site& site) {
  const Exchanged all = exchange(mask, 0, site);
  const auto leader = static_cast<unsigned>(__builtin_ctz(all.lanes));
  return {leader, leader == laneid()};
}

inline void bar_warp_sync(unsigned mask, const Site& site) {
  exchange(mask, 0, {site.what, site.file, site.line, Site::orders_memory});
}
/// @param threads that are to arrive; 0 or all of them: barrier 0 is then that of __syncthreads()
inline void bar_sync(unsigned number, unsigned threads, const Site& site) {
  if (number == 0 && (threads == 0 || threads == (block_threads() + 31u) / 32u * 32u))
    block_barrier(site);
  else
    named_barrier(number, threads, true, site);
}
/// bar.red: a barrier of all threads of the block. @return how many brought true
inline unsigned bar_count(unsigned number, unsigned threads, bool p, const Site& site) {
  if (number != 0 || (threads != 0 && threads != (block_threads() + 31u) / 32u * 32u))
    device_fault(cudaErrorNotSupported, "%s at %s:%d: the emulator has it for barrier 0 and all threads only",
                 site.what, site.file, site.line);
  return static_cast<unsigned>(block_barrier_count(p, site));
}
inline void bar_arrive(unsigned number, unsigned threads, const Site& site) {
  named_barrier(number, threads, false, site);
}

}  // namespace warplab::emulator::ptx
