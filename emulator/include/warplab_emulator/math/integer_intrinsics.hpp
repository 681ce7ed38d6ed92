#pragma once

#include "vector_types.h"

// --- Counting and reordering bits ---

inline int __popc(unsigned x) noexcept { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) noexcept { return __builtin_popcountll(x); }

/// Leading zeros; the width for 0, which the builtin leaves undefined.
inline int __clz(int x) noexcept { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) noexcept {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}

/// Position of the lowest set bit, from 1; 0 for 0.
inline int __ffs(int x) noexcept { return __builtin_ffs(x); }
inline int __ffsll(long long x) noexcept { return __builtin_ffsll(x); }

inline unsigned __brev(unsigned x) noexcept {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) noexcept {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}

/// Position of the offset-th set bit from `base` upwards (downwards for a negative
/// offset); all ones if there is none.
inline unsigned __fns(unsigned mask, unsigned base, int offset) noexcept {
  if (offset == 0) return (mask >> (base & 31u)) & 1u ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  for (int i = static_cast<int>(base & 31u); i >= 0 && i < 32; i += step)
    if ((mask >> i) & 1u && (offset -= step) == 0) return static_cast<unsigned>(i);
  return 0xffffffffu;
}

/// Four bytes chosen from the eight of y:x by three bits of each of the selector's nibbles. The fourth is not
/// used, unlike that of PTX's prmt.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) noexcept {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned selector = s >> (4 * i) & 7u;
    result |= (static_cast<unsigned>(bytes >> (8 * selector)) & 0xffu) << (8 * i);
  }
  return result;
}

// --- Funnel shifts of hi:lo; l and r wrap the shift at 32, lc and rc clamp it to 32 ---

inline unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) noexcept {
  const unsigned long long both = static_cast<unsigned long long>(hi) << 32 | lo;
  return static_cast<unsigned>((both << (shift < 32 ? shift : 32)) >> 32);
}
inline unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) noexcept {
  const unsigned long long both = static_cast<unsigned long long>(hi) << 32 | lo;
  return static_cast<unsigned>(both >> (shift < 32 ? shift : 32));
}
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) noexcept {
  return __funnelshift_lc(lo, hi, shift & 31u);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) noexcept {
  return __funnelshift_rc(lo, hi, shift & 31u);
}

// --- Products ---

inline int __mulhi(int a, int b) noexcept { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) noexcept {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<unsigned long long>((static_cast<Wide>(a) * b) >> 64);
}
inline long long __mul64hi(long long a, long long b) noexcept {
  __extension__ using Wide = __int128;
  return static_cast<long long>((static_cast<Wide>(a) * b) >> 64);
}
inline unsigned __umul24(unsigned a, unsigned b) noexcept { return (a & 0xffffffu) * (b & 0xffffffu); }

/// The low 32 bits of the product of the operands' low 24 bits, taken as signed.
inline int __mul24(int a, int b) noexcept {
  const auto low = [](int x) { return static_cast<int>(static_cast<unsigned>(x) << 8) >> 8; };
  return static_cast<int>(static_cast<long long>(low(a)) * low(b));
}
inline int mul24(int a, int b) noexcept { return __mul24(a, b); }
inline unsigned umul24(unsigned a, unsigned b) noexcept { return __umul24(a, b); }
inline int mulhi(int a, int b) noexcept { return __mulhi(a, b); }
inline unsigned umulhi(unsigned a, unsigned b) noexcept { return __umulhi(a, b); }
inline long long mul64hi(long long a, long long b) noexcept { return __mul64hi(a, b); }
inline unsigned long long umul64hi(unsigned long long a, unsigned long long b) noexcept {
  return __umul64hi(a, b);
}

// --- Averages that do not overflow (rh: rounded up), absolute differences ---

inline int __hadd(int a, int b) noexcept { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
inline int __rhadd(int a, int b) noexcept {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
inline unsigned __uhadd(unsigned a, unsigned b) noexcept {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) noexcept {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) noexcept { return (x > y ? x - y : y - x) + z; }
inline unsigned __sad(int x, int y, unsigned z) noexcept {
  const auto a = static_cast<unsigned>(x), b = static_cast<unsigned>(y);
  return (x > y ? a - b : b - a) + z;
}

// --- Dot products of bytes, and of shorts with bytes ---

namespace warplab::emulator {

/// c + sum of a's lanes of type A times b's lanes of type B, from B's lane `first`; sums wrap.
template <class A, class B, class C>
C dot(unsigned a, unsigned b, C c, int first = 0) noexcept {
  auto sum = static_cast<unsigned>(c);
  for (int i = 0; i < static_cast<int>(sizeof(int) / sizeof(A)); ++i)
    sum += static_cast<unsigned>(static_cast<A>(a >> (8 * sizeof(A) * static_cast<unsigned>(i))) *
                                 static_cast<B>(b >> (8 * sizeof(B) * static_cast<unsigned>(first + i))));
  return static_cast<C>(sum);
}

}  // namespace warplab::emulator

#define WARPLAB_DOT_PRODUCTS(C, A4, B4, A2, B2)                                                            \
  template <class...>                                                                                      \
  inline C __dp4a(C srcA, C srcB, C c) noexcept {                                                          \
    return warplab::emulator::dot<A4, A4>(static_cast<unsigned>(srcA), static_cast<unsigned>(srcB), c);    \
  }                                                                                                        \
  template <class...>                                                                                      \
  inline C __dp4a(B4 srcA, B4 srcB, C c) noexcept {                                                        \
    return __dp4a(__builtin_bit_cast(C, srcA), __builtin_bit_cast(C, srcB), c);                            \
  }                                                                                                        \
  template <class...>                                                                                      \
  inline C __dp2a_lo(C srcA, C srcB, C c) noexcept {                                                       \
    return warplab::emulator::dot<A2, A4>(static_cast<unsigned>(srcA), static_cast<unsigned>(srcB), c);    \
  }                                                                                                        \
  template <class...>                                                                                      \
  inline C __dp2a_lo(B2 srcA, B4 srcB, C c) noexcept {                                                     \
    return __dp2a_lo(__builtin_bit_cast(C, srcA), __builtin_bit_cast(C, srcB), c);                         \
  }                                                                                                        \
  template <class...>                                                                                      \
  inline C __dp2a_hi(C srcA, C srcB, C c) noexcept {                                                       \
    return warplab::emulator::dot<A2, A4>(static_cast<unsigned>(srcA), static_cast<unsigned>(srcB), c, 2); \
  }                                                                                                        \
  template <class...>                                                                                      \
  inline C __dp2a_hi(B2 srcA, B4 srcB, C c) noexcept {                                                     \
    return __dp2a_hi(__builtin_bit_cast(C, srcA), __builtin_bit_cast(C, srcB), c);                         \
  }

WARPLAB_DOT_PRODUCTS(int, signed char, char4, short, short2)
WARPLAB_DOT_PRODUCTS(unsigned, unsigned char, uchar4, unsigned short, ushort2)
#undef WARPLAB_DOT_PRODUCTS
