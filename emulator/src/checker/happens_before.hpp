#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/src/checker/access_stamp.hpp"

namespace warplab::emulator::lens {

/// A component of a vector clock.
using Tick = std::uint32_t;

/// What a thread has acquired: of each synchronisation object, its first `count` releases.
struct Acquired {
  struct Entry {
    std::uint32_t object, count;
  };
  std::vector<Entry> entries;  ///< the latest last
};
using AcquiredPtr = std::shared_ptr<const Acquired>;

/// A thread's vector clock at a fence: what its later releases make known.
struct ClockSnapshot {
  std::uint32_t block;
  unsigned thread;
  Tick block_start, warp_start, tick;
  std::shared_ptr<const std::vector<Tick>> lanes;
  AcquiredPtr own, of_block;
  std::shared_ptr<const std::vector<Tick>> threads;  ///< of all threads, if these had fences before a barrier
};

/// A thread's last access to a word that threads synchronise through; for the texts of findings.
struct SyncAccess {
  std::uintptr_t object = 0;
  const void* code = nullptr;
  Tick tick = 0;
};

/// The vector clocks of a block's threads. A barrier orders everything before it at once, and so is one
/// number for the block; so is a __syncwarp() of a whole warp for the warp. The rest is kept per thread, from
/// the first time on that it is needed.
class VectorClocks {
 public:
  void begin(std::uint32_t block, unsigned threads);

  std::uint32_t block() const { return block_; }
  Tick tick(unsigned thread) const {
    const Tick a = ticks_[thread], b = warp_start_[thread / 32];
    return a > b ? a : b;
  }
  /// Whether `stamp`, of this block, comes before what `thread` does now, as far as barriers and warps go.
  bool ordered(const AccessStamp& stamp, unsigned thread) const {
    if (stamp.tick < start_ || stamp.thread() == thread) return true;
    if (stamp.warp() != thread / 32) return false;
    return stamp.tick < warp_start_[thread / 32] ||
           (!lanes_.empty() && stamp.tick <= lanes_[thread][stamp.thread() % 32]);
  }

  void block_barrier();
  void warp_barrier(unsigned warp, unsigned mask);
  void fence(unsigned thread);

  // Synchronisation through objects; see HappensBefore.
  struct Sync {
    std::shared_ptr<const ClockSnapshot> fence;
    AcquiredPtr acquired;
    SyncAccess read, write;
  };
  Sync& sync(unsigned thread) {
    if (syncs_.empty()) syncs_.resize(threads_);
    return syncs_[thread];
  }
  const Sync* find_sync(unsigned thread) const { return syncs_.empty() ? nullptr : &syncs_[thread]; }
  void note_acquired() { any_acquired_ = true; }
  const AcquiredPtr& acquired() const { return acquired_; }
  /// What a release by the thread makes known: all that came before its last fence, and what other threads
  /// did before theirs if a barrier has come since. Null without fences.
  std::shared_ptr<const ClockSnapshot> released_by(unsigned thread) const;
  Tick start() const { return start_; }
  std::shared_ptr<const ClockSnapshot> snapshot(unsigned thread);
  /// What the thread does from now on is told from what it has done.
  void advance(unsigned thread) { ticks_[thread] = ++now_; }

 private:
  void join_fences();

  std::uint32_t block_ = 0;
  unsigned threads_ = 0;
  Tick now_ = 1, start_ = 1;
  std::vector<Tick> ticks_, warp_start_;
  std::vector<std::vector<Tick>> lanes_;  ///< by thread: what it knows of the lanes of its warp
  std::vector<Sync> syncs_;
  AcquiredPtr acquired_;                              ///< by all threads, since the last barrier
  std::shared_ptr<const ClockSnapshot> block_fence_;  ///< fences of all threads before the last barrier
  bool any_acquired_ = false, any_fence_ = false;
};

/// The happens-before order of what threads of all blocks do. Between blocks it comes through atomics,
/// volatile words and barrier objects: a write releases what the thread knew at its last fence, a read
/// acquires what was released until then. As in FastTrack (Flanagan and Freund, 2009), memory keeps one epoch
/// per access and the threads keep the vector clocks.
class HappensBefore {
 public:
  /// What is kept of each block that has begun.
  struct BlockInfo {
    uint3 index;
    Tick ordered_for_all = 0;  ///< what it did before that tick precedes a grid barrier
    SyncAccess write;
    bool released = false;
    std::uint32_t cluster = 0;     ///< the least number of a block of its cluster; 0: not known to be in one
    Tick ordered_for_cluster = 0;  ///< what it did before that tick precedes a barrier of its cluster
  };
  std::uint32_t add_block(uint3 index) {
    blocks_.push_back({index, 0, {}, false, 0, 0});
    return static_cast<std::uint32_t>(blocks_.size()) - 1;
  }
  BlockInfo& block(std::uint32_t number) { return blocks_[number]; }
  const BlockInfo& block(std::uint32_t number) const { return blocks_[number]; }

  /// `owner` is the block whose shared memory `object` lies in, or all_blocks.
  static constexpr std::uint32_t all_blocks = ~0u;
  void release(std::uintptr_t object, std::uint32_t owner, std::shared_ptr<const ClockSnapshot> snapshot);
  void acquire(std::uintptr_t object, std::uint32_t owner, VectorClocks& clock, unsigned thread);

  /// Whether `stamp` comes before what `thread` of `clock`'s block does now.
  bool ordered(const AccessStamp& stamp, const VectorClocks& clock, unsigned thread) const {
    if (stamp.block() == clock.block()) {
      if (clock.ordered(stamp, thread)) return true;
    } else if (ordered_by_barriers(stamp, clock.block())) {
      return true;
    }
    return releases_ != 0 && known(stamp, clock, thread);
  }
  /// As far as that can be said at once.
  bool surely_ordered(const AccessStamp& stamp, const VectorClocks& clock, unsigned thread) const {
    return stamp.block() == clock.block() ? clock.ordered(stamp, thread)
                                          : ordered_by_barriers(stamp, clock.block());
  }
  /// Whether `stamp` precedes a barrier that another block has also been at.
  bool ordered_by_barriers(const AccessStamp& stamp, std::uint32_t other) const {
    const BlockInfo& block = blocks_[stamp.block()];
    return stamp.tick < block.ordered_for_all ||
           (stamp.tick < block.ordered_for_cluster && block.cluster == blocks_[other].cluster);
  }
  /// Whether no more releases are kept, for want of memory: then not all that is ordered is known to be.
  bool is_full() const { return releases_ >= max_releases; }
  /// Whether any were lost: those of blocks that have ended, which order others through them, are let go
  /// first.
  bool has_lost() const { return has_lost_ || is_full(); }
  /// A block has ended: nobody releases in its shared memory any more.
  void end_block(std::uint32_t owner);

 private:
  static constexpr std::size_t max_releases = 500'000;
  struct Object {
    std::uintptr_t address;
    std::uint32_t owner;
    std::vector<std::shared_ptr<const ClockSnapshot>> releases;
  };
  bool known(const AccessStamp& stamp, const VectorClocks& clock, unsigned thread) const;
  bool find_path(const AccessStamp& stamp, const VectorClocks& clock, unsigned thread) const;

  /// What a thread has been found to know of another one, and will always know: all before `tick`.
  struct Known {
    std::uint32_t block, thread, of_block, of_thread;
    Tick tick = 0;
  };
  mutable std::array<Known, 4096> known_{};
  std::vector<BlockInfo> blocks_;
  std::vector<Object> objects_;
  std::unordered_map<std::uintptr_t, std::uint32_t> object_at_;
  std::size_t releases_ = 0;
  bool has_lost_ = false;
};

}  // namespace warplab::emulator::lens
