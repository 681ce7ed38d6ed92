#pragma once

#include <cstddef>
#include <vector>

#include "context.hpp"
#include "warplab_emulator/block.hpp"
#include "warplab_emulator/thread.hpp"

namespace warplab::emulator {

struct Job;
struct Worker;
namespace lens {
class LaunchRecorder;
}

/// Runs all blocks of a cooperative launch side by side on one OS thread, so that they can wait for each
/// other. Each block has a worker of its own: scheduler and shared memory. One of them is running; it gives
/// way to the next when all its threads wait, or have spun in vain.
class CooperativeGrid {
 public:
  /// Runs the launch on the calling OS thread, whose worker is `host`. A fault is left in `host.caught`.
  /// @param recorder records it, all its blocks; or null
  /// @return false after a fault
  static bool run(Worker& host, Job& job, lens::LaunchRecorder* recorder);

  // What a block's scheduler calls.

  /// Lets other blocks run. `blocked`: until a grid barrier opens this one can't go on.
  /// @return false if it is blocked and so are all the others
  bool give_way(bool blocked);

  /// All are blocked: threads that do not wait for ever go on. @return whether there are any
  bool let_time_pass();
  /// The block of `worker` can go on.
  void unblock(const Worker& worker);
  /// The block in whose shared memory an address is, or null.
  Worker* owner_of_shared(const void* address) const noexcept;

  /// Counts a thread that has come to a grid barrier. @return whether it is the last: then all blocks may go
  /// on.
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
  CooperativeGrid(Worker& host, Job& job, const Stacks& stacks, lens::LaunchRecorder* recorder);
  const void* code() const;
  static void block_main();
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t next_block() const;
  void switch_to(std::size_t block, Context* from);

  Job& job_;
  lens::LaunchRecorder* recorder_;
  std::vector<Block> blocks_;
  std::size_t current_ = 0, finished_ = 0;
  unsigned long long threads_ = 0, arrived_ = 0, returned_ = 0;
  const Site* site_ = nullptr;
  Context host_ = nullptr;
};

}  // namespace warplab::emulator
