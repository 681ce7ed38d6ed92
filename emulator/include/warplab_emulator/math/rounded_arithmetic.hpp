#pragma once

// Arithmetic with a stated rounding: __fadd_rn, __dmul_rd, __fmaf_rz and their kin. The compiler must not
// contract them, which it does not across a function whose result is rounded to its type.

#include <cmath>

#include "warplab_emulator/math/rounding.hpp"

namespace warplab::emulator {

/// Operands of an operation, so that each can be kept from the optimiser as one object.
template <class T>
struct Operands {
  T a{}, b{}, c{};
};

template <Rounding rounding, class T, class Operation>
T rounded(Operands<T> operands, Operation operation) noexcept {
  if constexpr (rounding == Rounding::nearest) {
    // The barrier keeps a product from being contracted with a later sum into one operation that rounds once.
    return __builtin_assoc_barrier(operation(operands.a, operands.b, operands.c));
  } else {
    volatile T b = operands.b, c = operands.c;
    return with_rounding<rounding>(operands.a, [&](T a) -> T { return operation(a, T{b}, T{c}); });
  }
}

}  // namespace warplab::emulator

#define WARPLAB_ROUNDED_AS(T, f, fma_name, mode, rounding)                       \
  template <class...>                                                            \
  inline T __##f##add_##mode(T x, T y) noexcept {                                \
    return warplab::emulator::rounded<warplab::emulator::Rounding::rounding, T>( \
        {x, y}, [](T a, T b, T) -> T { return a + b; });                         \
  }                                                                              \
  template <class...>                                                            \
  inline T __##f##sub_##mode(T x, T y) noexcept {                                \
    return warplab::emulator::rounded<warplab::emulator::Rounding::rounding, T>( \
        {x, y}, [](T a, T b, T) -> T { return a - b; });                         \
  }                                                                              \
  template <class...>                                                            \
  inline T __##f##mul_##mode(T x, T y) noexcept {                                \
    return warplab::emulator::rounded<warplab::emulator::Rounding::rounding, T>( \
        {x, y}, [](T a, T b, T) -> T { return a * b; });                         \
  }                                                                              \
  template <class...>                                                            \
  inline T __##f##div_##mode(T x, T y) noexcept {                                \
    return warplab::emulator::rounded<warplab::emulator::Rounding::rounding, T>( \
        {x, y}, [](T a, T b, T) -> T { return a / b; });                         \
  }                                                                              \
  template <class...>                                                            \
  inline T __##f##rcp_##mode(T x) noexcept {                                     \
    return __##f##div_##mode(T{1}, x);                                           \
  }                                                                              \
  template <class...>                                                            \
  inline T __##f##sqrt_##mode(T x) noexcept {                                    \
    return warplab::emulator::rounded<warplab::emulator::Rounding::rounding, T>( \
        {x}, [](T a, T, T) -> T { return std::sqrt(a); });                       \
  }                                                                              \
  template <class...>                                                            \
  inline T __##fma_name##_##mode(T x, T y, T z) noexcept {                       \
    return warplab::emulator::rounded<warplab::emulator::Rounding::rounding, T>( \
        {x, y, z}, [](T a, T b, T c) -> T { return std::fma(a, b, c); });        \
  }
#define WARPLAB_ROUNDED(mode, rounding)                                 \
  WARPLAB_ROUNDED_AS(float, f, fmaf, mode, rounding)                    \
  WARPLAB_ROUNDED_AS(double, d, fma, mode, rounding)                    \
  template <class...>                                                   \
  inline float __fmaf_ieee_##mode(float x, float y, float z) noexcept { \
    return __fmaf_##mode(x, y, z);                                      \
  }

WARPLAB_ROUNDED(rn, nearest)
WARPLAB_ROUNDED(rz, to_zero)
WARPLAB_ROUNDED(ru, up)
WARPLAB_ROUNDED(rd, down)
#undef WARPLAB_ROUNDED
#undef WARPLAB_ROUNDED_AS

/// 1 / sqrt(x) as if rounded once: by way of doubles, which a test shows to be exact.
inline float __frsqrt_rn(float x) noexcept {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
