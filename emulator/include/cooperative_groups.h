#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: cooperative groups, in place of the CUDA Toolkit's header of this name. Groups of a grid,
// a block, tiles of up to a warp and coalesced threads.

#include <type_traits>

#include "warplab_emulator/block/cluster_group.hpp"
#include "warplab_emulator/block/synchronization.hpp"
#include "warplab_emulator/block/warp_groups.hpp"

namespace cooperative_groups {

namespace details {
using warplab::emulator::current_indices;
using warplab::emulator::WarpGroup;

/// The lanes of the tile of `size` lanes that the calling thread is in.
inline unsigned tile_lanes(unsigned size) {
  const unsigned first = static_cast<unsigned>(warplab::emulator::lane()) & ~(size - 1);
  return (size == 32 ? 0xffffffffu : (1u << size) - 1) << first;
}

inline dim3 as_dim3(uint3 v) { return dim3(v.x, v.y, v.z); }
}  // namespace details

class thread_block;
thread_block this_thread_block();

class thread_block {
 public:
  class arrival_token {};

  static unsigned thread_rank() { return warplab::emulator::thread_rank_in_block(); }
  static unsigned num_threads() { return warplab::emulator::threads_in_block(); }
  static unsigned size() { return num_threads(); }
  static dim3 thread_index() { return details::as_dim3(details::current_indices.thread); }
  static dim3 group_index() { return details::as_dim3(details::current_indices.block); }
  static dim3 dim_threads() { return details::current_indices.block_dim; }
  static dim3 group_dim() { return dim_threads(); }
  static void sync(WARPLAB_CALLER) { warplab::emulator::block_barrier({"thread_block.sync", file, line}); }
  /// Arriving does not wait here; waiting is a whole barrier.
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, WARPLAB_CALLER) { sync(file, line); }

 private:
  friend thread_block this_thread_block();
  thread_block() = default;
};

inline thread_block this_thread_block() { return {}; }

/// What tiles of more than a warp need on a GPU, in shared memory.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  unsigned long long unused;
};
template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return this_thread_block();
}

/// The active threads of a warp, or some of its lanes.
class coalesced_group : public details::WarpGroup {
 public:
  using WarpGroup::WarpGroup;
};

/// The threads of the warp that take this branch together.
inline coalesced_group coalesced_threads(WARPLAB_CALLER) {
  return coalesced_group(warplab::emulator::active_lanes({"coalesced_threads", file, line}));
}

/// `Size` neighbouring threads of a block: a power of two, at most a warp.
template <unsigned Size, class Parent = void>
class thread_block_tile : public details::WarpGroup {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "the emulator has tiles of 1, 2, 4, 8, 16 and 32 threads, and none of several warps "
                "(cooperative_groups::block_tile_memory)");

 public:
  thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : WarpGroup(details::tile_lanes(Size), meta_rank, meta_size) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& other) : WarpGroup(other) {}

  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  static unsigned thread_rank() { return static_cast<unsigned>(warplab::emulator::lane()) & (Size - 1); }

  // As __shfl_*_sync with the tile's width: ranks wrap, and who would read beyond
  // the tile gets its own value.
  template <class T>
  T shfl(T value, int rank, WARPLAB_CALLER) const {
    return from(warplab::emulator::Shuffle::index, value, static_cast<unsigned>(rank),
                {"tile.shfl", file, line});
  }
  template <class T>
  T shfl_down(T value, unsigned delta, WARPLAB_CALLER) const {
    return from(warplab::emulator::Shuffle::down, value, delta, {"tile.shfl_down", file, line});
  }
  template <class T>
  T shfl_up(T value, unsigned delta, WARPLAB_CALLER) const {
    return from(warplab::emulator::Shuffle::up, value, delta, {"tile.shfl_up", file, line});
  }
  template <class T>
  T shfl_xor(T value, unsigned mask, WARPLAB_CALLER) const {
    return from(warplab::emulator::Shuffle::exclusive_or, value, mask, {"tile.shfl_xor", file, line});
  }

 private:
  template <class T>
  T from(warplab::emulator::Shuffle kind, const T& value, unsigned offset,
         const warplab::emulator::Site& site) const {
    using namespace warplab::emulator;
    return value_of_lane(lanes(), value, shuffle_source(kind, lane(), offset, Size), site);
  }
};

template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return {block.thread_rank() / Size, (block.size() + Size - 1) / Size};
}

template <unsigned Size, unsigned ParentSize, class GrandParent>
thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>> tiled_partition(
    const thread_block_tile<ParentSize, GrandParent>& tile) {
  static_assert(Size <= ParentSize, "a tile is no larger than the tile that it is cut from");
  return {tile.thread_rank() / Size, ParentSize / Size};
}

/// A block, a tile or coalesced threads, where the kind does not matter.
class thread_group {
 public:
  thread_group(const thread_block&) : is_block_(true), warp_(0) {}
  thread_group(const details::WarpGroup& group) : is_block_(false), warp_(group) {}

  unsigned long long size() const { return is_block_ ? thread_block::size() : warp_.size(); }
  unsigned long long num_threads() const { return size(); }
  unsigned long long thread_rank() const {
    return is_block_ ? thread_block::thread_rank() : warp_.thread_rank();
  }
  void sync(WARPLAB_CALLER) const {
    if (is_block_)
      thread_block::sync(file, line);
    else
      warp_.sync(file, line);
  }
  /// Those of the calling thread's warp; a block's last warp may be shorter.
  unsigned lanes() const {
    if (!is_block_) return warp_.lanes();
    const unsigned left = thread_block::size() - thread_block::thread_rank() / 32 * 32;
    return left >= 32 ? 0xffffffffu : (1u << left) - 1;
  }

 private:
  bool is_block_;
  details::WarpGroup warp_;
};

/// The caller's part of a warp's threads, cut every `size` ranks.
inline coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0)
    warplab::emulator::device_fault(
        warplab::emulator::illegal_instruction,
        "tiled_partition into %u threads: the size must be a power of two up to 32", size);
  const unsigned part = group.thread_rank() / size;
  unsigned lanes = 0;
  for (unsigned rank = part * size; rank < (part + 1) * size && rank < group.size(); ++rank)
    lanes |= 1u << warplab::emulator::lane_of_rank(group.lanes(), rank);
  return coalesced_group(lanes, part, (group.size() + size - 1) / size);
}

inline thread_group tiled_partition(const thread_group& group, unsigned size) {
  return tiled_partition(coalesced_group(group.lanes()), size);
}

/// The threads of the group for which the predicate is the caller's. Its rank among the two is the predicate.
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, WARPLAB_CALLER) {
  const unsigned all = group.lanes();
  const unsigned set = warplab::emulator::ballot(all, predicate, {"binary_partition", file, line});
  if (set == 0 || set == all) return coalesced_group(all);
  return coalesced_group(predicate ? set : all & ~set, predicate, 2);
}

/// The threads of the group that bring the same label. Groups are ranked by their first lanes.
template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label, WARPLAB_CALLER) {
  if constexpr (std::is_same_v<Label, bool>) {
    return binary_partition(group, label, file, line);
  } else {
    const warplab::emulator::Site site{"labeled_partition", file, line};
    const unsigned own = warplab::emulator::match_any(group.lanes(), label, site);
    const int leader = __builtin_ctz(own);
    const unsigned leaders =
        warplab::emulator::ballot(group.lanes(), leader == warplab::emulator::lane(), site);
    return coalesced_group(own, static_cast<unsigned>(__builtin_popcount(leaders & ((1u << leader) - 1))),
                           static_cast<unsigned>(__builtin_popcount(leaders)));
  }
}

/// All threads of a launch. They can wait for each other in a cooperative one.
class grid_group : public details::ClustersOfGrid {
 public:
  class arrival_token {};

  static bool is_valid() { return warplab::emulator::in_cooperative_launch(); }
  static void sync(WARPLAB_CALLER) { warplab::emulator::grid_barrier({"grid.sync", file, line}); }
  /// Arriving does not wait here; waiting is a whole barrier.
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, WARPLAB_CALLER) { sync(file, line); }
  static dim3 dim_blocks() { return details::current_indices.grid_dim; }
  static dim3 group_dim() { return dim_blocks(); }
  static dim3 block_index() { return details::as_dim3(details::current_indices.block); }
  static unsigned long long num_blocks() {
    const dim3 grid = dim_blocks();
    return 1ull * grid.x * grid.y * grid.z;
  }
  static unsigned long long block_rank() {
    const dim3 grid = dim_blocks(), block = block_index();
    return block.x + 1ull * grid.x * (block.y + 1ull * grid.y * block.z);
  }
  static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned long long size() { return num_threads(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
};

inline grid_group this_grid() { return {}; }

/// Calls the function in one thread of the group, which others do not wait for.
template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
/// The same, and gives its result to all threads of a warp's group.
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

template <class Group>
void sync(const Group& group, WARPLAB_CALLER) {
  group.sync(file, line);
}
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups

#include "warplab_emulator/user_macros_back.inc"
