#pragma once

#include "warplab_emulator/math/simd_in_a_word.hpp"

// DPX: sums, minima and maxima of three integers, or of pairs of 16-bit integers in a word, as dynamic
// programming needs them. Sums wrap. `_relu`: not below 0.

namespace warplab::emulator {

template <class T>
constexpr T dpx_max(T a, T b) noexcept {
  return a > b ? a : b;
}
template <class T>
constexpr T dpx_min(T a, T b) noexcept {
  return a < b ? a : b;
}
constexpr int dpx_sum(int a, int b) noexcept {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
constexpr unsigned dpx_sum(unsigned a, unsigned b) noexcept { return a + b; }

}  // namespace warplab::emulator

// The functions of one element type. @param name max or min @param better the larger or lesser of two
// @param sum of two
#define WARPLAB_DPX(T, type, name, better, sum)                                             \
  inline T __vi##name##3_##type(T a, T b, T c) noexcept { return better(better(a, b), c); } \
  inline T __viadd##name##_##type(T a, T b, T c) noexcept { return better(sum(a, b), c); }
// @param floor what makes an element 0 if it is below
#define WARPLAB_DPX_SIGNED(T, type, name, better, sum, floor)                                 \
  WARPLAB_DPX(T, type, name, better, sum)                                                     \
  inline T __vi##name##_##type##_relu(T a, T b) noexcept { return floor(better(a, b), T{}); } \
  inline T __vi##name##3_##type##_relu(T a, T b, T c) noexcept {                              \
    return floor(__vi##name##3_##type(a, b, c), T{});                                         \
  }                                                                                           \
  inline T __viadd##name##_##type##_relu(T a, T b, T c) noexcept {                            \
    return floor(__viadd##name##_##type(a, b, c), T{});                                       \
  }
// `first` tells whether the result is a, as it is where both are equal.
#define WARPLAB_DPX_WITH_CHOICE(T, type, name, better)            \
  inline T __vib##name##_##type(T a, T b, bool* first) noexcept { \
    return (*first = better(a, b) == a) ? a : b;                  \
  }
// The same of each half of a word. @param not_worse sets all bits of the halves that are a's
#define WARPLAB_DPX_HALVES_WITH_CHOICE(type, name, not_worse)                                                \
  inline unsigned __vib##name##_##type(unsigned a, unsigned b, bool* first_high, bool* first_low) noexcept { \
    const unsigned first = not_worse(a, b);                                                                  \
    *first_high = (first >> 16) != 0;                                                                        \
    *first_low = (first & 0xffffu) != 0;                                                                     \
    return (a & first) | (b & ~first);                                                                       \
  }
#define WARPLAB_DPX_BOTH(name)                                                                  \
  WARPLAB_DPX_SIGNED(int, s32, name, warplab::emulator::dpx_##name, warplab::emulator::dpx_sum, \
                     warplab::emulator::dpx_max)                                                \
  WARPLAB_DPX(unsigned, u32, name, warplab::emulator::dpx_##name, warplab::emulator::dpx_sum)   \
  WARPLAB_DPX_SIGNED(unsigned, s16x2, name, __v##name##s2, __vadd2, __vmaxs2)                   \
  WARPLAB_DPX(unsigned, u16x2, name, __v##name##u2, __vadd2)                                    \
  WARPLAB_DPX_WITH_CHOICE(int, s32, name, warplab::emulator::dpx_##name)                        \
  WARPLAB_DPX_WITH_CHOICE(unsigned, u32, name, warplab::emulator::dpx_##name)

WARPLAB_DPX_BOTH(max)
WARPLAB_DPX_BOTH(min)
WARPLAB_DPX_HALVES_WITH_CHOICE(s16x2, max, __vcmpges2)
WARPLAB_DPX_HALVES_WITH_CHOICE(u16x2, max, __vcmpgeu2)
WARPLAB_DPX_HALVES_WITH_CHOICE(s16x2, min, __vcmples2)
WARPLAB_DPX_HALVES_WITH_CHOICE(u16x2, min, __vcmpleu2)
#undef WARPLAB_DPX_BOTH
#undef WARPLAB_DPX_HALVES_WITH_CHOICE
#undef WARPLAB_DPX_WITH_CHOICE
#undef WARPLAB_DPX_SIGNED
#undef WARPLAB_DPX
