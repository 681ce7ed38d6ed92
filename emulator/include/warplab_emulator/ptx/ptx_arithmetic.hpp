#pragma once

#include <climits>
#include <cmath>

#include "warplab_emulator/math/integer_intrinsics.hpp"
#include "warplab_emulator/math/rounded_arithmetic.hpp"
#include "warplab_emulator/ptx/ptx_registers.hpp"

// PTX's arithmetic: add, sub, mul, mad, fma, div, min, max and their kin. Integers wrap. Approximations are
// at least as accurate as a GPU's.

namespace warplab::emulator::ptx {

template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T>;

/// An integer operation on unsigned numbers, which wrap.
template <class T, class Operation>
WARPLAB_PTX T wrapped(T a, T b, Operation operation) {
  using U = std::make_unsigned_t<T>;
  using Wide = std::conditional_t<sizeof(U) < sizeof(unsigned), unsigned, U>;  // else a small one is an int
  return static_cast<T>(static_cast<U>(operation(Wide{static_cast<U>(a)}, Wide{static_cast<U>(b)})));
}

#define WARPLAB_PTX_BINARY(name, op)                                           \
  template <Rounding rounding = Rounding::nearest, class T>                    \
  WARPLAB_PTX T name(T a, T b) {                                               \
    if constexpr (is_float<T>)                                                 \
      return rounded<rounding, T>({a, b}, [](T x, T y, T) { return x op y; }); \
    else                                                                       \
      return wrapped(a, b, [](auto x, auto y) { return x op y; });             \
  }                                                                            \
  template <Rounding rounding = Rounding::nearest, class Format>               \
  WARPLAB_PTX Float16<Format> name(Float16<Format> a, Float16<Format> b) {     \
    const double x = Format::decode(a.bits), y = Format::decode(b.bits);       \
    return {Format::encode(to_odd(x op y))};                                   \
  }
WARPLAB_PTX_BINARY(add, +)
WARPLAB_PTX_BINARY(sub, -)
WARPLAB_PTX_BINARY(mul, *)
#undef WARPLAB_PTX_BINARY

template <Rounding rounding = Rounding::nearest, class T>
WARPLAB_PTX T div(T a, T b) {
  if constexpr (is_float<T>) return rounded<rounding, T>({a, b}, [](T x, T y, T) { return x / y; });
  if constexpr (!is_float<T>) {
    if (b == 0) return static_cast<T>(-1);
    return b == static_cast<T>(-1) && std::is_signed_v<T>
               ? wrapped(T{0}, a, [](auto x, auto y) { return x - y; })
               : static_cast<T>(a / b);
  }
}
template <class T>
WARPLAB_PTX T rem(T a, T b) {
  if (b == 0) return a;
  return b == static_cast<T>(-1) && std::is_signed_v<T> ? T{0} : static_cast<T>(a % b);
}

template <Rounding rounding = Rounding::nearest, class T>
WARPLAB_PTX T fma(T a, T b, T c) {
  return rounded<rounding, T>({a, b, c}, [](T x, T y, T z) { return std::fma(x, y, z); });
}
template <Rounding rounding = Rounding::nearest, class Format>
WARPLAB_PTX Float16<Format> fma(Float16<Format> a, Float16<Format> b, Float16<Format> c) {
  return {
      Format::encode(fused_to_odd(Format::decode(a.bits), Format::decode(b.bits), Format::decode(c.bits)))};
}

// A NaN loses against a number, and -0 is below +0.
template <class T>
WARPLAB_PTX T min(T a, T b) {
  if constexpr (is_float<T>)
    return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
  else
    return b < a ? b : a;
}
template <class T>
WARPLAB_PTX T max(T a, T b) {
  if constexpr (is_float<T>)
    return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
  else
    return a < b ? b : a;
}
template <class Format>
WARPLAB_PTX Float16<Format> min(Float16<Format> a, Float16<Format> b) {
  return {Format::encode(min(Format::decode(a.bits), Format::decode(b.bits)))};
}
template <class Format>
WARPLAB_PTX Float16<Format> max(Float16<Format> a, Float16<Format> b) {
  return {Format::encode(max(Format::decode(a.bits), Format::decode(b.bits)))};
}

template <class T>
WARPLAB_PTX bool is_nan(T x) {
  return x != x;
}
template <class Format>
WARPLAB_PTX bool is_nan(Float16<Format> x) {
  return is_nan(Format::decode(x.bits));
}
// .NaN: a NaN wins.
template <class T>
WARPLAB_PTX T min_nan(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : min(a, b);
}
template <class T>
WARPLAB_PTX T max_nan(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : max(a, b);
}

template <class T>
WARPLAB_PTX T neg(T a) {
  if constexpr (is_float<T>) return -a;
  if constexpr (!is_float<T>) return wrapped(T{0}, a, [](auto x, auto y) { return x - y; });
}
template <class T>
WARPLAB_PTX T abs(T a) {
  if constexpr (is_float<T>) return std::fabs(a);
  return a < 0 ? neg(a) : a;
}
template <class Format>
WARPLAB_PTX Float16<Format> neg(Float16<Format> a) {
  return {static_cast<std::uint16_t>(a.bits ^ 0x8000u)};
}
template <class Format>
WARPLAB_PTX Float16<Format> abs(Float16<Format> a) {
  return {static_cast<std::uint16_t>(a.bits & 0x7fffu)};
}

// Pairs of 16-bit numbers: each half for itself.
#define WARPLAB_PTX_PAIRS(name, parameters, lower, upper)        \
  template <Rounding rounding = Rounding::nearest, class Format> \
  WARPLAB_PTX Float16Pair<Format> name parameters {              \
    return {name lower, name upper};                             \
  }
#define WARPLAB_PTX_PAIRS_1(name) WARPLAB_PTX_PAIRS(name, (Float16Pair<Format> a), (a.lower), (a.upper))
#define WARPLAB_PTX_PAIRS_2(name)                                                             \
  WARPLAB_PTX_PAIRS(name, (Float16Pair<Format> a, Float16Pair<Format> b), (a.lower, b.lower), \
                    (a.upper, b.upper))
#define WARPLAB_PTX_PAIRS_3(name)                                                                \
  WARPLAB_PTX_PAIRS(name, (Float16Pair<Format> a, Float16Pair<Format> b, Float16Pair<Format> c), \
                    (a.lower, b.lower, c.lower), (a.upper, b.upper, c.upper))
WARPLAB_PTX_PAIRS_2(add)
WARPLAB_PTX_PAIRS_2(sub)
WARPLAB_PTX_PAIRS_2(mul)
WARPLAB_PTX_PAIRS_3(fma)
WARPLAB_PTX_PAIRS_2(min)
WARPLAB_PTX_PAIRS_2(max)
WARPLAB_PTX_PAIRS_2(min_nan)
WARPLAB_PTX_PAIRS_2(max_nan)
WARPLAB_PTX_PAIRS_1(neg)
WARPLAB_PTX_PAIRS_1(abs)
#undef WARPLAB_PTX_PAIRS_1
#undef WARPLAB_PTX_PAIRS_2
#undef WARPLAB_PTX_PAIRS_3
#undef WARPLAB_PTX_PAIRS

/// The product of integers, with twice as many bits.
template <class T>
WARPLAB_PTX auto mul_wide(T a, T b) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "mul.wide takes integers of 2 or 4 bytes");
  if constexpr (sizeof(T) == 2)
    return std::conditional_t<std::is_signed_v<T>, int, unsigned>{a} * b;
  else
    return static_cast<std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>(
        static_cast<std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>(a) * b);
}
template <class T>
WARPLAB_PTX T mul_hi(T a, T b) {
  __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>((static_cast<Wide>(a) * b) >> 8 * sizeof(T));
}

/// c + |a - b|, which wraps.
template <class T>
WARPLAB_PTX T sad(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
}
/// add.sat.s32 and sub.sat.s32: the nearest that 32 bits hold.
WARPLAB_PTX int add_saturated(int a, int b) {
  int sum;
  return !__builtin_add_overflow(a, b, &sum) ? sum : a < 0 ? INT_MIN : INT_MAX;
}
WARPLAB_PTX int sub_saturated(int a, int b) {
  int difference;
  return !__builtin_sub_overflow(a, b, &difference) ? difference : a < 0 ? INT_MIN : INT_MAX;
}

/// .ftz: a number too small for a normal float becomes 0 of its sign.
template <class T>
WARPLAB_PTX T flush(T x) {
  if constexpr (std::is_same_v<T, float>) return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
  return x;
}
/// .sat: 0 to 1; 0 for a NaN.
WARPLAB_PTX float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
WARPLAB_PTX double saturate(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }

#define WARPLAB_PTX_FUNCTION(name, expression)              \
  template <Rounding rounding = Rounding::nearest, class T> \
  WARPLAB_PTX T name(T x) {                                 \
    return expression;                                      \
  }
WARPLAB_PTX_FUNCTION(sqrt, (rounded<rounding, T>({x}, [](T a, T, T) { return std::sqrt(a); })))
WARPLAB_PTX_FUNCTION(rcp, (rounded<rounding, T>({x}, [](T a, T, T) { return T{1} / a; })))
WARPLAB_PTX_FUNCTION(rsqrt, T{1} / std::sqrt(x))
WARPLAB_PTX_FUNCTION(ex2, std::exp2(x))
WARPLAB_PTX_FUNCTION(lg2, std::log2(x))
WARPLAB_PTX_FUNCTION(sin, std::sin(x))
WARPLAB_PTX_FUNCTION(cos, std::cos(x))
WARPLAB_PTX_FUNCTION(tanh, std::tanh(x))
#undef WARPLAB_PTX_FUNCTION

}  // namespace warplab::emulator::ptx
