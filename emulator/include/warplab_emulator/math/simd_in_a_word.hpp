#pragma once

// CUDA's "SIMD video" functions: two 16-bit or four 8-bit lanes in one 32-bit word. The name's last letters
// say how the lanes are taken: 2 or 4 of them, s signed, u unsigned, ss and us saturated.

#include <limits>

namespace warplab::emulator {

/// Applies `operation` (on int, which holds every lane's value) to each lane of type T of both words.
template <class T, class Operation>
unsigned each_lane(unsigned a, unsigned b, Operation operation) noexcept {
  constexpr unsigned bits = 8 * sizeof(T);
  constexpr unsigned mask = (1u << bits) - 1;
  unsigned result = 0;
  for (unsigned shift = 0; shift < 32; shift += bits) {
    const int lane =
        operation(static_cast<int>(static_cast<T>(a >> shift)), static_cast<int>(static_cast<T>(b >> shift)));
    result |= (static_cast<unsigned>(lane) & mask) << shift;
  }
  return result;
}

/// The sum of `operation` over the lanes.
template <class T, class Operation>
unsigned sum_lanes(unsigned a, unsigned b, Operation operation) noexcept {
  unsigned sum = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(T))
    sum += static_cast<unsigned>(operation(static_cast<int>(static_cast<T>(a >> shift)),
                                           static_cast<int>(static_cast<T>(b >> shift))));
  return sum;
}

template <class T>
int saturated(int x) noexcept {
  using Limits = std::numeric_limits<T>;
  return x < Limits::min() ? Limits::min() : x > Limits::max() ? Limits::max() : x;
}

}  // namespace warplab::emulator

#define WARPLAB_LANES_AS(name, T, expression)                                                     \
  template <class...>                                                                             \
  inline unsigned name(unsigned x, unsigned y) noexcept {                                         \
    return warplab::emulator::each_lane<T>(x, y, [](int a, int b) -> int { return expression; }); \
  }
#define WARPLAB_LANE_AS(name, T, expression)                                                    \
  template <class...>                                                                           \
  inline unsigned name(unsigned x) noexcept {                                                   \
    return warplab::emulator::each_lane<T>(x, 0, [](int a, int) -> int { return expression; }); \
  }
#define WARPLAB_LANE_SUM(name, T, expression)                                                     \
  template <class...>                                                                             \
  inline unsigned name(unsigned x, unsigned y) noexcept {                                         \
    return warplab::emulator::sum_lanes<T>(x, y, [](int a, int b) -> int { return expression; }); \
  }

#define WARPLAB_COMPARISON(n, S, sign, name, operator_)              \
  WARPLAB_LANES_AS(__vcmp##name##sign##n, S, a operator_ b ? -1 : 0) \
  WARPLAB_LANES_AS(__vset##name##sign##n, S, a operator_ b ? 1 : 0)
#define WARPLAB_ORDERINGS(n, S, sign)                               \
  WARPLAB_COMPARISON(n, S, sign, ge, >=)                            \
  WARPLAB_COMPARISON(n, S, sign, gt, >)                             \
  WARPLAB_COMPARISON(n, S, sign, le, <=)                            \
  WARPLAB_COMPARISON(n, S, sign, lt, <)                             \
  WARPLAB_LANES_AS(__vmax##sign##n, S, a > b ? a : b)               \
  WARPLAB_LANES_AS(__vmin##sign##n, S, a < b ? a : b)               \
  WARPLAB_LANES_AS(__vavg##sign##n, S, (a + b + (a + b >= 0)) >> 1) \
  WARPLAB_LANES_AS(__vabsdiff##sign##n, S, a > b ? a - b : b - a)   \
  WARPLAB_LANE_SUM(__vsad##sign##n, S, a > b ? a - b : b - a)

#define WARPLAB_WORD(n, S, U)                                                      \
  WARPLAB_LANES_AS(__vadd##n, U, a + b)                                            \
  WARPLAB_LANES_AS(__vsub##n, U, a - b)                                            \
  WARPLAB_LANES_AS(__vaddss##n, S, warplab::emulator::saturated<S>(a + b))         \
  WARPLAB_LANES_AS(__vaddus##n, U, warplab::emulator::saturated<U>(a + b))         \
  WARPLAB_LANES_AS(__vsubss##n, S, warplab::emulator::saturated<S>(a - b))         \
  WARPLAB_LANES_AS(__vsubus##n, U, warplab::emulator::saturated<U>(a - b))         \
  WARPLAB_LANES_AS(__vhaddu##n, U, (a + b) >> 1)                                   \
  WARPLAB_LANE_AS(__vabs##n, S, a < 0 ? -a : a)                                    \
  WARPLAB_LANE_AS(__vabsss##n, S, warplab::emulator::saturated<S>(a < 0 ? -a : a)) \
  WARPLAB_LANE_AS(__vneg##n, S, -a)                                                \
  WARPLAB_LANE_AS(__vnegss##n, S, warplab::emulator::saturated<S>(-a))             \
  WARPLAB_COMPARISON(n, U, , eq, ==)                                               \
  WARPLAB_COMPARISON(n, U, , ne, !=)                                               \
  WARPLAB_ORDERINGS(n, S, s)                                                       \
  WARPLAB_ORDERINGS(n, U, u)

WARPLAB_WORD(2, short, unsigned short)
WARPLAB_WORD(4, signed char, unsigned char)

#undef WARPLAB_WORD
#undef WARPLAB_ORDERINGS
#undef WARPLAB_COMPARISON
#undef WARPLAB_LANE_SUM
#undef WARPLAB_LANE_AS
#undef WARPLAB_LANES_AS
