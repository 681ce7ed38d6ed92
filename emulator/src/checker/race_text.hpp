#pragma once

#include <string>

#include "emulator/src/checker/access_stamp.hpp"
#include "emulator/src/checker/checker.hpp"

namespace warplab::emulator::lens {

/// Two accesses that nothing orders.
struct Race {
  enum class Distance { warp, block, grid };  ///< what both threads are in

  bool writes = false, other_writes = false;
  Manner manner = Manner::plain, other_manner = Manner::plain;
  Distance distance = Distance::block;
  unsigned bytes = 4;
  bool shared = false;
  bool fence_missing = false;  ///< both go through an atomic, and the first has no fence before it
  uint3 block{}, thread{}, other_block{}, other_thread{};
  std::string place;  ///< "of 'tile' (byte 124)"
};

/// Why, probably.
warplab::lens::Hint hint_of(const Race& race);

/// What happened and why, probably; "{other}" and "{through}" stand for places.
std::string describe(const Race& race);

/// The same, where both threads read the element and then write it.
std::string describe_update(const Race& race);

}  // namespace warplab::emulator::lens
