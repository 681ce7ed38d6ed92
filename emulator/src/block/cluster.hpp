#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "warplab_emulator/block/cluster.hpp"
#include "warplab_emulator/block/thread.hpp"

namespace warplab::emulator {

struct Worker;

/// The blocks of one cluster while they run, and the barrier of their threads (barrier.cluster): a thread
/// arrives, and may do something else before it waits. A thread that has returned is not waited for.
class Cluster {
 public:
  /// @param blocks by rank
  /// @param threads of each block that have not returned
  Cluster(std::vector<Worker*> blocks, std::size_t threads)
      : blocks_(std::move(blocks)), live_(blocks_.size() * threads), arrived_in_(blocks_.size() * 1024) {}

  /// The block of this rank, or null.
  Worker* block(unsigned rank) const { return rank < blocks_.size() ? blocks_[rank] : nullptr; }
  unsigned rank_of(const Worker& worker) const;

  // What a running thread calls. @param thread its number in its block
  void arrive(unsigned thread, bool releases, const Site& site);
  void wait(unsigned thread, const Site& site);
  void note_return(unsigned thread);

  /// What threads wait for that wait here: " (3 of 256 threads have not arrived)".
  std::string missing() const;

 private:
  unsigned long long& arrived_in(unsigned thread);
  void complete();

  std::vector<Worker*> blocks_;
  unsigned long long live_, arrived_ = 0, phase_ = 1;
  bool releases_ = true;                        ///< all of this phase's arrivals
  std::vector<unsigned long long> arrived_in_;  ///< by block and thread: the phase, or 0 once it has waited
};

}  // namespace warplab::emulator
