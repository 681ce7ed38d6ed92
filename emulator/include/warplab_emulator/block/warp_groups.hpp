#pragma once

#include <type_traits>

#include "warplab_emulator/block/warp_match_reduce.hpp"

// Cooperative groups within one warp: what tiles and coalesced groups have in common.

namespace warplab::emulator {

/// Gives every lane of the mask the value of lane `source`, of any size.
template <class T>
T value_of_lane(unsigned mask, const T& value, int source, const Site& site) {
  static_assert(std::is_trivially_copyable_v<T>, "a shuffled type must be trivially copyable");
  constexpr unsigned word = sizeof(unsigned long long);
  T result = value;
  for (unsigned at = 0; at < sizeof(T); at += word) {
    const unsigned size = sizeof(T) - at < word ? sizeof(T) - at : word;
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, reinterpret_cast<const char*>(&value) + at, size);
    const Exchanged all = exchange(mask, bits, site);
    bits = (all.lanes >> source) & 1u ? all.values[source] : poison_bits;
    __builtin_memcpy(reinterpret_cast<char*>(&result) + at, &bits, size);
  }
  return result;
}

/// The `rank`-th set bit of the mask; -1 if there is none.
inline int lane_of_rank(unsigned mask, unsigned rank) {
  for (; mask != 0; mask &= mask - 1)
    if (rank-- == 0) return __builtin_ctz(mask);
  return -1;
}

inline unsigned thread_rank_in_block() {
  return static_cast<unsigned>(number_in(current_indices.block_dim, current_indices.thread));
}

inline unsigned threads_in_block() { return static_cast<unsigned>(count_in(current_indices.block_dim)); }

/// Threads of one warp that work together. Ranks count its lanes from the lowest.
class WarpGroup {
 public:
  explicit WarpGroup(unsigned lanes, unsigned meta_rank = 0, unsigned meta_size = 1)
      : lanes_(lanes), meta_rank_(meta_rank), meta_size_(meta_size) {}

  unsigned num_threads() const { return static_cast<unsigned>(__builtin_popcount(lanes_)); }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const {
    return static_cast<unsigned>(__builtin_popcount(lanes_ & ((1u << lane()) - 1)));
  }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

  void sync(WARPLAB_CALLER) const { exchange(lanes_, 0, {"group.sync", file, line, Site::orders_memory}); }

  int any(int predicate, WARPLAB_CALLER) const {
    return emulator::ballot(lanes_, predicate != 0, {"group.any", file, line}) != 0;
  }
  int all(int predicate, WARPLAB_CALLER) const {
    return emulator::ballot(lanes_, predicate == 0, {"group.all", file, line}) == 0;
  }
  /// Bit r is rank r's.
  unsigned ballot(int predicate, WARPLAB_CALLER) const {
    return to_ranks(emulator::ballot(lanes_, predicate != 0, {"group.ballot", file, line}));
  }
  template <class T>
  unsigned match_any(T value, WARPLAB_CALLER) const {
    return to_ranks(emulator::match_any(lanes_, value, {"group.match_any", file, line}));
  }
  template <class T>
  unsigned match_all(T value, int& predicate, WARPLAB_CALLER) const {
    return to_ranks(emulator::match_all(lanes_, value, &predicate, {"group.match_all", file, line}));
  }

  template <class T>
  T shfl(T value, unsigned rank, WARPLAB_CALLER) const {
    return from_rank(value, rank, {"group.shfl", file, line});
  }
  /// A rank beyond the group's ends gets its own value.
  template <class T>
  T shfl_down(T value, unsigned delta, WARPLAB_CALLER) const {
    const unsigned rank = thread_rank();
    return from_rank(value, rank + delta < size() ? rank + delta : rank, {"group.shfl_down", file, line});
  }
  template <class T>
  T shfl_up(T value, unsigned delta, WARPLAB_CALLER) const {
    const unsigned rank = thread_rank();
    return from_rank(value, rank >= delta ? rank - delta : rank, {"group.shfl_up", file, line});
  }

  /// The group's lanes in the warp (the emulator's own; CUDA keeps it private).
  unsigned lanes() const { return lanes_; }

 protected:
  template <class T>
  T from_rank(const T& value, unsigned rank, const Site& site) const {
    const int source = lane_of_rank(lanes_, rank);
    if (source < 0)
      device_fault(illegal_instruction, "%s reads rank %u of a group of %u threads (%s:%d)", site.what, rank,
                   size(), site.file, site.line);
    return value_of_lane(lanes_, value, source, site);
  }

 private:
  unsigned to_ranks(unsigned lanes) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned rest = lanes_; rest != 0; rest &= rest - 1, ++rank)
      if (lanes & rest & (0u - rest)) ranks |= 1u << rank;
    return ranks;
  }

  unsigned lanes_, meta_rank_, meta_size_;
};

}  // namespace warplab::emulator
