#pragma once

#include <cuda_runtime.h>

namespace warplab {

/// Four bytes of memory as two words of two 16-bit numbers each: an addition of words is one of two pixels,
/// as long as no sum leaves its 16 bits.
struct PackedBytes {
  unsigned even;  ///< byte 0 in the low half, byte 2 in the high half
  unsigned odd;   ///< bytes 1 and 3
};

/// Bytes to 16-bit numbers.
__device__ inline PackedBytes unpack(unsigned word) {
  return {__byte_perm(word, 0, 0x4240), __byte_perm(word, 0, 0x4341)};
}

/// The low bytes of the four numbers, as they lie in memory.
__device__ inline unsigned pack(PackedBytes p) { return __byte_perm(p.even, p.odd, 0x6240); }

/// The four numbers that are `offset` places after those of `here`, -4 to 4, given
/// the words before and after it.
template <int offset>
__device__ inline PackedBytes shifted(PackedBytes before, PackedBytes here, PackedBytes after) {
  static_assert(offset >= -4 && offset <= 4);
  // The upper half of one word and the lower half of the next.
  const auto join = [](unsigned low, unsigned high) { return __byte_perm(low, high, 0x5432); };
  if constexpr (offset == -4) return before;
  if constexpr (offset == -3) return {before.odd, join(before.even, here.even)};
  if constexpr (offset == -2) return {join(before.even, here.even), join(before.odd, here.odd)};
  if constexpr (offset == -1) return {join(before.odd, here.odd), here.even};
  if constexpr (offset == 0) return here;
  if constexpr (offset == 1) return {here.odd, join(here.even, after.even)};
  if constexpr (offset == 2) return {join(here.even, after.even), join(here.odd, after.odd)};
  if constexpr (offset == 3) return {join(here.odd, after.odd), after.even};
  return after;
}

}  // namespace warplab
