#pragma once

#include "warplab_emulator/block/thread.hpp"

inline constexpr int warpSize = 32;

namespace warplab::emulator {

/// What a read that CUDA leaves undefined returns: a NaN in every floating-point
/// format, and an improbable integer.
inline constexpr unsigned long long poison_bits = 0xFFFBFFFBFFFBFFFBull;

/// cudaErrorIllegalInstruction: what a warp instruction with impossible operands ends the kernel with.
inline constexpr int illegal_instruction = 715;

/// The lanes of the calling thread's warp that are at this call now: those that come here before every other
/// lane waits, ends or spins.
unsigned active_lanes(const Site& site);

/// How a shuffle finds its source lane.
enum class Shuffle { index, up, down, exclusive_or };

/// The lane that `lane` reads from, by the rules of the PTX instruction shfl: a source outside the segment is
/// the lane itself, and only the low five bits of `offset` count.
inline int shuffle_source(Shuffle shuffle, int lane, unsigned offset, int width) {
  const int first = lane & ~(width - 1);
  const int last = first + width - 1;
  const int by = static_cast<int>(offset & 31u);
  switch (shuffle) {
    case Shuffle::index:
      return first + (by & (width - 1));
    case Shuffle::up:
      return lane - by < first ? lane : lane - by;
    case Shuffle::down:
      return lane + by > last ? lane : lane + by;
    case Shuffle::exclusive_or:
      break;
  }
  return (lane ^ by) > last ? lane : lane ^ by;
}

/// A value of at most 8 bytes as the 8 bytes of a collective, and back.
template <class T>
unsigned long long to_bits(T value) {
  static_assert(sizeof(T) <= sizeof(unsigned long long));
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
T from_bits(unsigned long long bits) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

template <class T>
T shuffle(Shuffle kind, unsigned mask, T value, unsigned offset, int width, const Site& site) {
  if (width < 1 || width > warpSize || (width & (width - 1)) != 0)
    device_fault(illegal_instruction, "%s: the width is %d; it must be a power of two from 1 to 32 (%s:%d)",
                 site.what, width, site.file, site.line);
  const int source = shuffle_source(kind, lane(), offset, width);
  const Exchanged all = exchange(mask, to_bits(value), site);
  return from_bits<T>((all.lanes >> source) & 1u ? all.values[source] : poison_bits);
}

/// The lanes of the mask that brought a true predicate.
unsigned ballot(unsigned mask, bool predicate, const Site& site);

}  // namespace warplab::emulator

#define WARPLAB_CALLER const char *file = __builtin_FILE(), int line = __builtin_LINE()

#define WARPLAB_SHUFFLES(T)                                                                               \
  template <class...>                                                                                     \
  inline T __shfl_sync(unsigned mask, T var, int srcLane, int width = warpSize, WARPLAB_CALLER) {         \
    using namespace warplab::emulator;                                                                    \
    return shuffle(Shuffle::index, mask, var, static_cast<unsigned>(srcLane), width,                      \
                   {"__shfl_sync", file, line});                                                          \
  }                                                                                                       \
  template <class...>                                                                                     \
  inline T __shfl_up_sync(unsigned mask, T var, unsigned delta, int width = warpSize, WARPLAB_CALLER) {   \
    using namespace warplab::emulator;                                                                    \
    return shuffle(Shuffle::up, mask, var, delta, width, {"__shfl_up_sync", file, line});                 \
  }                                                                                                       \
  template <class...>                                                                                     \
  inline T __shfl_down_sync(unsigned mask, T var, unsigned delta, int width = warpSize, WARPLAB_CALLER) { \
    using namespace warplab::emulator;                                                                    \
    return shuffle(Shuffle::down, mask, var, delta, width, {"__shfl_down_sync", file, line});             \
  }                                                                                                       \
  template <class...>                                                                                     \
  inline T __shfl_xor_sync(unsigned mask, T var, int laneMask, int width = warpSize, WARPLAB_CALLER) {    \
    using namespace warplab::emulator;                                                                    \
    return shuffle(Shuffle::exclusive_or, mask, var, static_cast<unsigned>(laneMask), width,              \
                   {"__shfl_xor_sync", file, line});                                                      \
  }

WARPLAB_SHUFFLES(int)
WARPLAB_SHUFFLES(unsigned)
WARPLAB_SHUFFLES(long)
WARPLAB_SHUFFLES(unsigned long)
WARPLAB_SHUFFLES(long long)
WARPLAB_SHUFFLES(unsigned long long)
WARPLAB_SHUFFLES(float)
WARPLAB_SHUFFLES(double)

inline void __syncwarp(unsigned mask = 0xffffffffu, WARPLAB_CALLER) {
  warplab::emulator::exchange(mask, 0, {"__syncwarp", file, line, warplab::emulator::Site::orders_memory});
}

inline unsigned __ballot_sync(unsigned mask, int predicate, WARPLAB_CALLER) {
  return warplab::emulator::ballot(mask, predicate != 0, {"__ballot_sync", file, line});
}

inline int __any_sync(unsigned mask, int predicate, WARPLAB_CALLER) {
  return warplab::emulator::ballot(mask, predicate != 0, {"__any_sync", file, line}) != 0;
}

inline int __all_sync(unsigned mask, int predicate, WARPLAB_CALLER) {
  return warplab::emulator::ballot(mask, predicate == 0, {"__all_sync", file, line}) == 0;
}

inline unsigned __activemask(WARPLAB_CALLER) {
  return warplab::emulator::active_lanes({"__activemask", file, line});
}
