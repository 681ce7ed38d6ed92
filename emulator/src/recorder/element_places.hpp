#pragma once

#include <cstdint>
#include <unordered_map>

#include "emulator/src/recorder/first_addresses.hpp"
#include "emulator/src/recorder/lane.hpp"

namespace warplab::emulator::lens {

/// Which arrays of a thread have an index that varies with a loop that nvcc does not unroll wholly, for all
/// lanes alike. What varies within an iteration too is a loop that has no markers: a library's, which may be
/// unrolled.
class ElementPlaces {
 public:
  /// The lane uses an element of an array. @param code the instruction
  void note(const Lane& lane, std::uint8_t array, std::uint32_t code, std::uint64_t offset) {
    if (lane.loops.empty() || !lane.loops.back().is_a_loop_for_sure()) return;
    const std::uint64_t use = std::uint64_t{code} << 8 | array;
    Use& at = uses_[use];
    at.varies = at.varies || !first_.is_first(mix(lane.path.unrolled, use), offset);
    at.varies_in_iteration = at.varies_in_iteration || !first_.is_first(mix(lane.path.whole, ~use), offset);
  }
  /// Whether the index of that array surely varies so.
  bool are_local(std::uint8_t array) const {
    for (const auto& [use, at] : uses_)
      if ((use & 0xff) == array && at.varies && !at.varies_in_iteration) return true;
    return false;
  }

 private:
  struct Use {
    bool varies = false, varies_in_iteration = false;
  };
  std::unordered_map<std::uint64_t, Use> uses_;  ///< by instruction and array
  FirstAddresses first_;
};

}  // namespace warplab::emulator::lens
