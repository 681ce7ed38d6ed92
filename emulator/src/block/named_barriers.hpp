#pragma once

#include <array>
#include <cstdint>

#include "warplab_emulator/block/thread.hpp"

namespace warplab::emulator {

/// The 16 barriers of a block that some of its warps meet at: PTX's bar.sync and bar.arrive with a number.
/// The hardware counts whole warps: lanes that have returned, or never were, arrive with the others of their
/// warp.
class NamedBarriers {
 public:
  static constexpr unsigned count = 16;

  /// Threads as PTX counts them.
  struct Barrier {
    unsigned expected = 0;  ///< 0: all threads of the block
    unsigned arrived = 0;
    Site site{};                                   ///< where the first one arrived
    std::array<std::uint32_t, 32> lanes{};         ///< that have arrived, by warp
    bool is_open() const { return arrived != 0; }  ///< somebody has arrived, and others are to come
  };

  /// The block begins.
  void clear() { barriers_ = {}; }
  Barrier& operator[](unsigned number) { return barriers_[number]; }

  /// A lane of `warp` arrives. Ends the kernel unless the number of threads is possible, and that of the
  /// others.
  /// @param live lanes of the warp that have not returned
  void arrive(unsigned number, unsigned threads, unsigned warp, unsigned lane, std::uint32_t live,
              const Site& site);
  /// A lane of `warp` returns.
  void leave(unsigned warp, unsigned lane);
  /// Whether all have arrived. @param live threads of the block that have not returned
  bool is_complete(unsigned number, unsigned live) const;
  /// The next phase begins.
  void reset(unsigned number) { barriers_[number] = {}; }

 private:
  std::array<Barrier, count> barriers_{};
};

}  // namespace warplab::emulator
