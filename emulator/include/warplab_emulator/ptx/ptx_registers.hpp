#pragma once

#include <cstdint>
#include <type_traits>

#include "warplab_emulator/block/thread.hpp"
#include "warplab_emulator/math/float16_formats.hpp"

// Inline PTX: what the translator makes of `asm volatile("..." : ...)` in device code. A register is an
// unsigned integer that holds bits, or a bool for a predicate; an instruction views it as its type.

#define WARPLAB_PTX [[gnu::always_inline]] inline

namespace warplab::emulator::ptx {

/// The unsigned integer of so many bytes.
template <std::size_t bytes>
struct BitsOfSize;
template <>
struct BitsOfSize<1> {
  using type = std::uint8_t;
};
template <>
struct BitsOfSize<2> {
  using type = std::uint16_t;
};
template <>
struct BitsOfSize<4> {
  using type = std::uint32_t;
};
template <>
struct BitsOfSize<8> {
  using type = std::uint64_t;
};
/// The register that holds a T.
template <class T>
using Bits = typename BitsOfSize<sizeof(T)>::type;

/// A 16-bit floating-point number, and two in a register.
template <class Format>
struct Float16 {
  std::uint16_t bits;
};
/// Two floats of 16 bits in a register of 32.
template <class Format>
struct Float16Pair {
  Float16<Format> lower, upper;
};
using Half = Float16<HalfFormat>;
using Bfloat16 = Float16<Bfloat16Format>;
using HalfPair = Float16Pair<HalfFormat>;
using Bfloat16Pair = Float16Pair<Bfloat16Format>;

/// An operand of an asm statement as a register of so many bytes.
template <unsigned bytes, bool floating, class T>
WARPLAB_PTX auto take(T value) {
  static_assert(sizeof(T) == bytes && std::is_floating_point_v<T> == floating,
                "the operand's type does not match its constraint: h takes integers of 2 bytes, r of 4, l of "
                "8 (and pointers); f takes a float, d a double");
  static_assert(std::is_scalar_v<T>, "an asm operand must be a number or a pointer");
  return __builtin_bit_cast(Bits<T>, value);
}
template <unsigned bytes, bool floating, class T, class R>
WARPLAB_PTX void give(T& variable, R reg) {
  static_assert(sizeof(T) == bytes && std::is_floating_point_v<T> == floating,
                "the operand's type does not match its constraint: h takes integers of 2 bytes, r of 4, l of "
                "8 (and pointers); f takes a float, d a double");
  variable = __builtin_bit_cast(std::remove_volatile_t<T>, reg);
}

/// A register as a T of its size.
template <class T, class R>
WARPLAB_PTX T as(R reg) {
  static_assert(sizeof(T) == sizeof(R) && std::is_same_v<T, bool> == std::is_same_v<R, bool>,
                "the register's size does not match the type of the PTX instruction");
  return __builtin_bit_cast(T, reg);
}

/// The lower bits of a register as a T: what stores and conversions take.
template <class T, class R>
WARPLAB_PTX T narrow(R reg) {
  static_assert(sizeof(T) <= sizeof(R), "the register is too small for the type of the PTX instruction");
  return __builtin_bit_cast(T, static_cast<Bits<T>>(reg));
}

/// Sets a register to a T; integers smaller than it are extended by their sign.
template <class R, class T>
WARPLAB_PTX void put(R& reg, T value) {
  static_assert(std::is_same_v<T, bool> == std::is_same_v<R, bool> && sizeof(T) <= sizeof(R),
                "the register's size does not match the type of the PTX instruction");
  if constexpr (sizeof(T) == sizeof(R))
    reg = __builtin_bit_cast(R, value);
  else if constexpr (std::is_integral_v<T>)
    reg = static_cast<R>(static_cast<std::make_signed_t<R>>(value));
  else
    reg = __builtin_bit_cast(Bits<T>, value);
}

/// Two registers as one of twice the size, and back.
template <class R, class Low>
WARPLAB_PTX R join(Low low, Low high) {
  static_assert(sizeof(R) == 2 * sizeof(Low), "two registers make one of twice their size");
  return static_cast<R>(static_cast<R>(high) << 8 * sizeof(Low) | low);
}
template <class Low, class R>
WARPLAB_PTX void split(Low& low, Low& high, R reg) {
  static_assert(sizeof(R) == 2 * sizeof(Low), "a register makes two of half its size");
  low = static_cast<Low>(reg);
  high = static_cast<Low>(reg >> 8 * sizeof(Low));
}

}  // namespace warplab::emulator::ptx
