#pragma once

#include "warplab_emulator/math/integer_intrinsics.hpp"
#include "warplab_emulator/math/simd_in_a_word.hpp"
#include "warplab_emulator/ptx/ptx_arithmetic.hpp"

// PTX's operations on bits, comparisons, and products of bytes.

namespace warplab::emulator::ptx {

// Shifts by the width or more give 0, or the sign.
template <class T>
WARPLAB_PTX T shl(T a, unsigned by) {
  return by < 8 * sizeof(T) ? static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << by) : T{0};
}
template <class T>
WARPLAB_PTX T shr(T a, unsigned by) {
  constexpr unsigned last = 8 * sizeof(T) - 1;
  if (by <= last) return static_cast<T>(a >> by);
  return std::is_signed_v<T> ? static_cast<T>(a >> last) : T{0};
}

/// `width` bits that are 1, from bit `position` on; those beyond bit 31 are lost.
WARPLAB_PTX unsigned bmsk_clamp(unsigned position, unsigned width) {
  const unsigned long long ones = (1ull << (width < 32 ? width : 32)) - 1;
  return static_cast<unsigned>(ones << (position < 32 ? position : 32));
}
WARPLAB_PTX unsigned bmsk_wrap(unsigned position, unsigned width) {
  return bmsk_clamp(position & 31, width & 31);
}

/// Bit i of the result is bit (a_i, b_i, c_i) of the table.
WARPLAB_PTX unsigned lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table >> i & 1u) result |= (i & 4u ? a : ~a) & (i & 2u ? b : ~b) & (i & 1u ? c : ~c);
  return result;
}

/// Four bytes of b:a, each chosen by three bits of a nibble; the nibble's fourth bit spreads the byte's sign.
WARPLAB_PTX unsigned prmt(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> 4 * i & 15u;
    unsigned byte = static_cast<unsigned>(bytes >> 8 * (nibble & 7u)) & 0xffu;
    if (nibble & 8u) byte = byte & 0x80u ? 0xffu : 0u;
    result |= byte << 8 * i;
  }
  return result;
}

// prmt's modes: four bytes of b:a from byte `at` on, forward or back; one of a, four times; bytes of a from
// `at` to the last, or from the first to `at`, with it at both sides; a half, twice.
template <class Choose>
WARPLAB_PTX unsigned prmt_chosen(unsigned a, unsigned b, Choose choose) {
  unsigned selector = 0;
  for (unsigned i = 0; i < 4; ++i) selector |= (choose(i) & 7u) << 4 * i;
  return prmt(a, b, selector);
}
WARPLAB_PTX unsigned prmt_f4e(unsigned a, unsigned b, unsigned at) {
  return prmt_chosen(a, b, [at](unsigned i) { return (at & 3u) + i; });
}
WARPLAB_PTX unsigned prmt_b4e(unsigned a, unsigned b, unsigned at) {
  return prmt_chosen(a, b, [at](unsigned i) { return (at & 3u) - i; });
}
WARPLAB_PTX unsigned prmt_rc8(unsigned a, unsigned b, unsigned at) {
  return prmt_chosen(a, b, [at](unsigned) { return at & 3u; });
}
WARPLAB_PTX unsigned prmt_ecl(unsigned a, unsigned b, unsigned at) {
  return prmt_chosen(a, b, [at](unsigned i) { return i > (at & 3u) ? i : at & 3u; });
}
WARPLAB_PTX unsigned prmt_ecr(unsigned a, unsigned b, unsigned at) {
  return prmt_chosen(a, b, [at](unsigned i) { return i < (at & 3u) ? i : at & 3u; });
}
WARPLAB_PTX unsigned prmt_rc16(unsigned a, unsigned b, unsigned at) {
  return prmt_chosen(a, b, [at](unsigned i) { return 2 * (at & 1u) + i % 2; });
}

/// The field of `length` bits at `position`, extended by its sign for signed types.
template <class T>
WARPLAB_PTX T bfe(T a, unsigned position, unsigned length) {
  constexpr unsigned width = 8 * sizeof(T);
  position &= 0xffu;
  length &= 0xffu;
  if (length == 0) return T{0};
  const unsigned last = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
  const bool sign = std::is_signed_v<T> && (static_cast<std::make_unsigned_t<T>>(a) >> last & 1u);
  std::make_unsigned_t<T> result = 0;
  for (unsigned i = 0; i < width; ++i) {
    const bool bit = i < length && position + i < width
                         ? (static_cast<std::make_unsigned_t<T>>(a) >> (position + i) & 1u)
                         : sign;
    result |= static_cast<std::make_unsigned_t<T>>(bit) << i;
  }
  return static_cast<T>(result);
}
template <class T>
WARPLAB_PTX T bfi(T field, T into, unsigned position, unsigned length) {
  constexpr unsigned width = 8 * sizeof(T);
  position &= 0xffu;
  length &= 0xffu;
  if (position >= width || length == 0) return into;
  const T ones = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
  const T mask = static_cast<T>(ones << position);
  return static_cast<T>((into & ~mask) | (field << position & mask));
}

template <class T>
WARPLAB_PTX unsigned popc(T a) {
  return static_cast<unsigned>(__builtin_popcountll(a));
}
template <class T>
WARPLAB_PTX unsigned clz(T a) {
  return static_cast<unsigned>(sizeof(T) == 4 ? __clz(static_cast<int>(a))
                                              : __clzll(static_cast<long long>(a)));
}
/// The highest bit that is not the sign; ~0u if there is none.
template <class T>
WARPLAB_PTX unsigned bfind(T a) {
  return 8 * sizeof(T) - 1 - clz(a < 0 ? static_cast<T>(~a) : a);
}
/// How far it is from the last bit.
template <class T>
WARPLAB_PTX unsigned bfind_shiftamt(T a) {
  const unsigned bit = bfind(a);
  return bit == ~0u ? bit : 8 * sizeof(T) - 1 - bit;
}
template <class T>
WARPLAB_PTX T brev(T a) {
  if constexpr (sizeof(T) == 4) return __brev(a);
  if constexpr (sizeof(T) == 8) return __brevll(a);
}

// What vadd4, vadd2 and their kin do to one lane of two words, which is a byte or a half.
WARPLAB_PTX int vadd(int a, int b) { return a + b; }
WARPLAB_PTX int vsub(int a, int b) { return a - b; }
WARPLAB_PTX int vavrg(int a, int b) { return (a + b + (a + b >= 0)) >> 1; }
WARPLAB_PTX int vabsdiff(int a, int b) { return a > b ? a - b : b - a; }
WARPLAB_PTX int vmin(int a, int b) { return a < b ? a : b; }
WARPLAB_PTX int vmax(int a, int b) { return a > b ? a : b; }

/// The result of lane `i`. @tparam A, B the lanes' types
template <class A, class B, int operation(int, int)>
WARPLAB_PTX int lane_result(unsigned a, unsigned b, unsigned i) {
  const unsigned shift = 8 * sizeof(A) * i;
  return operation(static_cast<A>(a >> shift), static_cast<B>(b >> shift));
}
/// The results side by side. @tparam D their type @tparam saturates whether they become its nearest values
template <class D, class A, class B, int operation(int, int), bool saturates>
WARPLAB_PTX unsigned lanes(unsigned a, unsigned b) {
  unsigned result = 0;
  for (unsigned i = 0; i < 4 / sizeof(D); ++i) {
    const int each = lane_result<A, B, operation>(a, b, i);
    const D kept = static_cast<D>(saturates ? saturated<D>(each) : each);
    result |= static_cast<unsigned>(static_cast<std::make_unsigned_t<D>>(kept)) << 8 * sizeof(D) * i;
  }
  return result;
}
/// The sum of c and the results.
template <class A, class B, int operation(int, int)>
WARPLAB_PTX unsigned lane_sum(unsigned a, unsigned b, unsigned c) {
  for (unsigned i = 0; i < 4 / sizeof(A); ++i)
    c += static_cast<unsigned>(lane_result<A, B, operation>(a, b, i));
  return c;
}

// Comparisons as setp has them: those of floats are false for a NaN, those that end in u are true.
template <class T>
WARPLAB_PTX auto number(T x) {
  return x;
}
template <class Format>
WARPLAB_PTX float number(Float16<Format> x) {
  return Format::decode(x.bits);
}
#define WARPLAB_PTX_COMPARISON(name, expression)      \
  template <class T>                                  \
  WARPLAB_PTX bool name(T first, T second) {          \
    const auto a = number(first), b = number(second); \
    return expression;                                \
  }
WARPLAB_PTX_COMPARISON(eq, a == b)
WARPLAB_PTX_COMPARISON(ne, a < b || b < a)
WARPLAB_PTX_COMPARISON(lt, a < b)
WARPLAB_PTX_COMPARISON(le, a <= b)
WARPLAB_PTX_COMPARISON(gt, a > b)
WARPLAB_PTX_COMPARISON(ge, a >= b)
WARPLAB_PTX_COMPARISON(lo, a < b)
WARPLAB_PTX_COMPARISON(ls, a <= b)
WARPLAB_PTX_COMPARISON(hi, a > b)
WARPLAB_PTX_COMPARISON(hs, a >= b)
WARPLAB_PTX_COMPARISON(equ, !(a < b || b < a))
WARPLAB_PTX_COMPARISON(neu, !(a == b))
WARPLAB_PTX_COMPARISON(ltu, !(a >= b))
WARPLAB_PTX_COMPARISON(leu, !(a > b))
WARPLAB_PTX_COMPARISON(gtu, !(a <= b))
WARPLAB_PTX_COMPARISON(geu, !(a < b))
WARPLAB_PTX_COMPARISON(num, a == a && b == b)
WARPLAB_PTX_COMPARISON(nan, a != a || b != b)
#undef WARPLAB_PTX_COMPARISON

/// What set.lt.u32.f32 and its kin write: all bits, or 1.0.
template <class T>
WARPLAB_PTX T truth(bool is_true) {
  if constexpr (is_float<T>) return is_true ? T{1} : T{0};
  if constexpr (!is_float<T>) return is_true ? static_cast<T>(~T{0}) : T{0};
}
// What testp asks.
#define WARPLAB_PTX_PROPERTY(name, expression) \
  template <class T>                           \
  WARPLAB_PTX bool testp_##name(T x) {         \
    return expression;                         \
  }
WARPLAB_PTX_PROPERTY(finite, std::isfinite(x))
WARPLAB_PTX_PROPERTY(infinite, std::isinf(x))
WARPLAB_PTX_PROPERTY(number, !is_nan(x))
WARPLAB_PTX_PROPERTY(notanumber, is_nan(x))
WARPLAB_PTX_PROPERTY(normal, std::isnormal(x))
WARPLAB_PTX_PROPERTY(subnormal, std::fpclassify(x) == FP_SUBNORMAL)
#undef WARPLAB_PTX_PROPERTY

}  // namespace warplab::emulator::ptx
