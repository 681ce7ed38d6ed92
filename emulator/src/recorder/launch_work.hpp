#pragma once

#include <cstdint>
#include <unordered_map>

#include "emulator/src/recorder/block_work.hpp"

namespace warplab::emulator::lens {

/// The least work of a launch, from the blocks that were recorded. Where these are a sample, sums are scaled
/// to all blocks. The sectors of an allocation that the launch touches are scaled where blocks share none,
/// and end with the allocation; where they share many, they are those of the sample.
class LaunchWork {
 public:
  void add(const BlockWork& block);
  /// All blocks have ended. Lets go of what is needed only until then.
  void close(std::uint64_t blocks);
  /// @pre closed
  const warplab::lens::Work& work() const { return sums_; }

 private:
  struct Page {
    PageUse use;
    std::uint32_t read = 0, written = 0;  ///< sectors, added up over the blocks that touched it
  };

  std::uint64_t recorded_ = 0;
  warplab::lens::Work sums_;
  std::unordered_map<std::uint64_t, Page> pages_;
  std::unordered_map<std::uint64_t, std::uint64_t> atomics_, atomic_sums_;
};

}  // namespace warplab::emulator::lens
