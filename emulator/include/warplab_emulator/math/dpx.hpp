#pragma once

#include <cstdint>

// DPX: sums, minima and maxima of three integers, or of pairs of 16-bit integers in a word, as dynamic
// programming needs them. Sums wrap. `_relu`: not below 0.

namespace warplab::emulator {

/// `operation` on both halves of words, as integers of type T.
template <class T, class Operation, class... Words>
unsigned of_halves(Operation operation, Words... words) noexcept {
  const auto low = static_cast<std::uint16_t>(operation(static_cast<T>(words)...));
  const auto high = static_cast<std::uint16_t>(operation(static_cast<T>(words >> 16)...));
  return low | static_cast<unsigned>(high) << 16;
}

template <class T>
constexpr T dpx_larger(T a, T b) noexcept {
  return a > b ? a : b;
}
template <class T>
constexpr T dpx_smaller(T a, T b) noexcept {
  return a < b ? a : b;
}
template <class T>
constexpr T dpx_sum(T a, T b) noexcept {
  return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

}  // namespace warplab::emulator

#define WARPLAB_DPX(name, larger)                                                                           \
  inline int __vi##name##3_s32(int a, int b, int c) noexcept { return larger(larger(a, b), c); }            \
  inline unsigned __vi##name##3_u32(unsigned a, unsigned b, unsigned c) noexcept {                          \
    return larger(larger(a, b), c);                                                                         \
  }                                                                                                         \
  inline unsigned __vi##name##3_s16x2(unsigned a, unsigned b, unsigned c) noexcept {                        \
    return warplab::emulator::of_halves<std::int16_t>(                                                      \
        [](auto x, auto y, auto z) { return larger(larger(x, y), z); }, a, b, c);                           \
  }                                                                                                         \
  inline unsigned __vi##name##3_u16x2(unsigned a, unsigned b, unsigned c) noexcept {                        \
    return warplab::emulator::of_halves<std::uint16_t>(                                                     \
        [](auto x, auto y, auto z) { return larger(larger(x, y), z); }, a, b, c);                           \
  }                                                                                                         \
  inline int __vi##name##_s32_relu(int a, int b) noexcept {                                                 \
    return warplab::emulator::dpx_larger(larger(a, b), 0);                                                  \
  }                                                                                                         \
  inline unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b) noexcept {                                \
    return warplab::emulator::of_halves<std::int16_t>(                                                      \
        [](auto x, auto y) { return warplab::emulator::dpx_larger<std::int16_t>(larger(x, y), 0); }, a, b); \
  }                                                                                                         \
  inline int __vi##name##3_s32_relu(int a, int b, int c) noexcept {                                         \
    return warplab::emulator::dpx_larger(__vi##name##3_s32(a, b, c), 0);                                    \
  }                                                                                                         \
  inline unsigned __vi##name##3_s16x2_relu(unsigned a, unsigned b, unsigned c) noexcept {                   \
    return warplab::emulator::of_halves<std::int16_t>(                                                      \
        [](auto x, auto y, auto z) {                                                                        \
          return warplab::emulator::dpx_larger<std::int16_t>(larger(larger(x, y), z), 0);                   \
        },                                                                                                  \
        a, b, c);                                                                                           \
  }                                                                                                         \
  inline int __viadd##name##_s32(int a, int b, int c) noexcept {                                            \
    return larger(warplab::emulator::dpx_sum(a, b), c);                                                     \
  }                                                                                                         \
  inline unsigned __viadd##name##_u32(unsigned a, unsigned b, unsigned c) noexcept {                        \
    return larger(a + b, c);                                                                                \
  }                                                                                                         \
  inline unsigned __viadd##name##_s16x2(unsigned a, unsigned b, unsigned c) noexcept {                      \
    return warplab::emulator::of_halves<std::int16_t>(                                                      \
        [](auto x, auto y, auto z) { return larger(warplab::emulator::dpx_sum(x, y), z); }, a, b, c);       \
  }                                                                                                         \
  inline unsigned __viadd##name##_u16x2(unsigned a, unsigned b, unsigned c) noexcept {                      \
    return warplab::emulator::of_halves<std::uint16_t>(                                                     \
        [](auto x, auto y, auto z) { return larger(warplab::emulator::dpx_sum(x, y), z); }, a, b, c);       \
  }                                                                                                         \
  inline int __viadd##name##_s32_relu(int a, int b, int c) noexcept {                                       \
    return warplab::emulator::dpx_larger(__viadd##name##_s32(a, b, c), 0);                                  \
  }                                                                                                         \
  inline unsigned __viadd##name##_s16x2_relu(unsigned a, unsigned b, unsigned c) noexcept {                 \
    return warplab::emulator::of_halves<std::int16_t>(                                                      \
        [](auto x, auto y, auto z) {                                                                        \
          return warplab::emulator::dpx_larger<std::int16_t>(larger(warplab::emulator::dpx_sum(x, y), z),   \
                                                             0);                                            \
        },                                                                                                  \
        a, b, c);                                                                                           \
  }                                                                                                         \
  /* `first` tells whether the result is a, as it is where both are equal. */                               \
  inline int __vib##name##_s32(int a, int b, bool* first) noexcept {                                        \
    return (*first = larger(a, b) == a) ? a : b;                                                            \
  }                                                                                                         \
  inline unsigned __vib##name##_u32(unsigned a, unsigned b, bool* first) noexcept {                         \
    return (*first = larger(a, b) == a) ? a : b;                                                            \
  }

WARPLAB_DPX(max, warplab::emulator::dpx_larger)
WARPLAB_DPX(min, warplab::emulator::dpx_smaller)
#undef WARPLAB_DPX
