#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "emulator/src/block/cluster.hpp"
#include "emulator/src/block/context.hpp"
#include "warplab_emulator/block/block.hpp"
#include "warplab_emulator/block/thread.hpp"

namespace warplab::emulator {

struct Job;
struct Worker;
class LaunchObserver;

/// Runs blocks side by side on one OS thread, so that they can wait for each other: all those of a
/// cooperative launch, or those of one cluster after another. Each block has a worker of its own: scheduler
/// and shared memory. One of them is running; it gives way to the next when all its threads wait, or have
/// spun in vain.
class ConcurrentBlocks {
 public:
  /// Blocks of `job`, `count` at a time, on the calling OS thread, whose worker is `host`.
  /// @param observer follows them; or null
  ConcurrentBlocks(Worker& host, Job& job, std::size_t count, LaunchObserver* observer);
  ~ConcurrentBlocks();
  ConcurrentBlocks(const ConcurrentBlocks&) = delete;

  /// Runs the blocks of these numbers in the grid, as many as were announced. A fault is left in the host's
  /// `caught`. @return false after a fault
  bool run(std::span<const unsigned long long> numbers);

  // What a block's scheduler calls.

  /// Lets other blocks run. `blocked`: until others wake its threads this one can't go on.
  /// @return false if it is blocked and so are all the others
  bool give_way(bool blocked);
  /// All are blocked: threads that do not wait for ever go on. @return whether there are any
  bool let_time_pass();
  /// The block of `worker` can go on.
  void unblock(const Worker& worker);
  /// The block in whose shared memory an address is, or null.
  Worker* owner_of_shared(const void* address) const noexcept;

  /// How often a thread of any of the blocks got on.
  unsigned long long progress() const;

  /// Calls `act` with the worker of each other block.
  template <class Act>
  void for_each_other(Act act) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (i != current_) act(*blocks_[i].worker);
  }

  /// Counts a thread that has come to a grid barrier. @return whether it is the
  /// last: then all blocks may go on.
  bool arrive(const Site& site);

  /// A thread of the grid ends: an error while others wait in a grid barrier.
  void note_return();

  [[noreturn]] void report_deadlock();

 private:
  struct Block {
    Worker* worker = nullptr;
    Context context = nullptr;  ///< where it goes on
    Indices indices{};
    BlockState state{};
    bool blocked = false, finished = false;
  };
  struct Stacks;

  void begin(std::size_t i, unsigned long long number);
  void make_clusters();
  void leave();
  const void* code() const;
  static void block_main();
  void end_block();
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t next_block() const;
  void switch_to(std::size_t block, Context* from);

  Worker& worker_of_host_;
  Job& job_;
  LaunchObserver* observer_;
  std::unique_ptr<Stacks> stacks_;
  std::vector<Block> blocks_;
  std::vector<Cluster> clusters_;  ///< none where each block is one of its own
  std::size_t current_ = 0, finished_ = 0;
  unsigned long long threads_ = 0, arrived_ = 0, returned_ = 0;
  const Site* site_ = nullptr;
  Context host_ = nullptr;
};

}  // namespace warplab::emulator
