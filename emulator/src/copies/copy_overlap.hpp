#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplab::emulator {

/// Whether a thread starts asynchronous copies while earlier ones of it are under way. Its copies land in the
/// order in which they were started, at its own waits: at a barrier also when it binds copies to a later
/// phase, since it cannot fill a place again before others have used it.
class CopyOverlap {
 public:
  /// Copies of a group start.
  void start_group(std::uint64_t bytes);
  /// Copies start that land when a phase of the barrier ends. @param parity of that phase
  void start_bound(std::uint64_t bytes, const void* barrier, unsigned parity);
  /// All groups that have not landed are bound to the barrier.
  void bind_groups(const void* barrier, unsigned parity);
  /// The thread has waited for this many groups, the oldest.
  void await_groups(std::size_t count);
  /// It has waited at the barrier, whose present phase has this parity.
  void await_barrier(const void* barrier, unsigned parity);

 private:
  struct Started {
    const void* barrier;  ///< null: a group
    unsigned parity;
    std::uint64_t bytes;
  };
  void start(const Started& copies);
  void land(std::size_t count);

  std::vector<Started> under_way_;  ///< the oldest first
  std::uint64_t bytes_ = 0;         ///< of these
  std::uint64_t most_ = 0;          ///< of `bytes_`, since copies started after a wait
  bool has_waited_ = false;         ///< since copies started
};

}  // namespace warplab::emulator
