#pragma once

#include "warplab_emulator/block/warp.hpp"

namespace warplab::emulator {

/// The functions of a warp that loops over threads run: see ThreadRegions.
enum class Collective {
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_exclusive_or,
  ballot,
  any,
  all,
  active,
  barrier
};

/// What a thread brings to such a function, and then what it gets.
struct Brought {
  unsigned long long value;
  unsigned mask;
  int source;  ///< of a shuffle: the lane that is read
};

/// What thread number `thread` of a block brings to a shuffle, whose parameters follow.
template <Collective collective, class T>
[[gnu::always_inline]] inline Brought bring(int thread, unsigned mask, T value, int offset,
                                            int width = warpSize) {
  if (width < 1 || width > warpSize || (width & (width - 1)) != 0)
    device_fault(illegal_instruction, "the width of a shuffle is %d; it must be a power of two from 1 to 32",
                 width);
  constexpr Shuffle kind = collective == Collective::shuffle_index  ? Shuffle::index
                           : collective == Collective::shuffle_up   ? Shuffle::up
                           : collective == Collective::shuffle_down ? Shuffle::down
                                                                    : Shuffle::exclusive_or;
  return {to_bits(value), mask,
          shuffle_source(kind, thread % warpSize, static_cast<unsigned>(offset), width)};
}

/// The same for a vote.
template <Collective collective, class T>
[[gnu::always_inline]] inline Brought bring(int, unsigned mask, int predicate) {
  return {predicate != 0, mask, 0};
}

/// The same for __syncwarp.
template <Collective collective, class T>
[[gnu::always_inline]] inline Brought bring(int, unsigned mask) {
  return {0, mask, 0};
}

/// The same for __activemask.
template <Collective collective, class T>
[[gnu::always_inline]] inline Brought bring(int) {
  return {0, ~0u, 0};
}

/// What the thread got.
template <class T>
[[gnu::always_inline]] inline T brought(const Brought& place) {
  return from_bits<T>(place.value);
}

/// Lanes of a warp: those that bring something, and those that have not returned.
struct Lanes {
  unsigned here, live;
};

/// Exchanges what the threads of a block's warps brought. Ends the kernel if lanes of a mask are not here, or
/// brought another mask.
/// @param all by thread
/// @param lanes by warp
void exchange_brought(Brought* all, unsigned threads, const Lanes* lanes, Collective collective,
                      const Site& site);

}  // namespace warplab::emulator
