#pragma once

// Conversions whose names spell the format: __float2half, __float2bfloat16. `N` and
// `N2` are the words in the names.

#define WARPLAB_FLOAT16_ROUNDED(T, RAW, FORMAT, N, mode, rounding)                                       \
  inline T __float2##N##_##mode(float x) {                                                               \
    return RAW{                                                                                          \
        warplab::emulator::encode<warplab::emulator::FORMAT, warplab::emulator::Rounding::rounding>(x)}; \
  }                                                                                                      \
  WARPLAB_FLOAT16_INTEGER(T, N, int, int, mode, rounding)                                                \
  WARPLAB_FLOAT16_INTEGER(T, N, unsigned, uint, mode, rounding)                                          \
  WARPLAB_FLOAT16_INTEGER(T, N, short, short, mode, rounding)                                            \
  WARPLAB_FLOAT16_INTEGER(T, N, unsigned short, ushort, mode, rounding)                                  \
  WARPLAB_FLOAT16_INTEGER(T, N, long long, ll, mode, rounding)                                           \
  WARPLAB_FLOAT16_INTEGER(T, N, unsigned long long, ull, mode, rounding)

#define WARPLAB_FLOAT16_INTEGER(T, N, I, i, mode, rounding)                                         \
  inline T __##i##2##N##_##mode(I x) { return __float2##N##_##mode(warplab::emulator::to_odd(x)); } \
  inline I __##N##2##i##_##mode(T x) {                                                              \
    return warplab::emulator::to_integer<I, warplab::emulator::Rounding::rounding, float>(x);       \
  }

#define WARPLAB_FLOAT16_CONVERSIONS(T, T2, RAW, FORMAT, N, N2)                                   \
  WARPLAB_FLOAT16_ROUNDED(T, RAW, FORMAT, N, rn, nearest)                                        \
  WARPLAB_FLOAT16_ROUNDED(T, RAW, FORMAT, N, rz, to_zero)                                        \
  WARPLAB_FLOAT16_ROUNDED(T, RAW, FORMAT, N, ru, up)                                             \
  WARPLAB_FLOAT16_ROUNDED(T, RAW, FORMAT, N, rd, down)                                           \
  inline T __float2##N(float x) { return x; }                                                    \
  inline T __double2##N(double x) { return x; }                                                  \
  inline float __##N##2float(T x) { return x; }                                                  \
  inline signed char __##N##2char_rz(T x) { return x; }                                          \
  inline unsigned char __##N##2uchar_rz(T x) { return x; }                                       \
  inline short __##N##_as_short(T x) { return __builtin_bit_cast(short, x); }                    \
  inline unsigned short __##N##_as_ushort(T x) { return __builtin_bit_cast(unsigned short, x); } \
  inline T __short_as_##N(short x) { return __builtin_bit_cast(T, x); }                          \
  inline T __ushort_as_##N(unsigned short x) { return __builtin_bit_cast(T, x); }                \
  inline T2 __float2##N2##_rn(float x) { return {T(x), T(x)}; }                                  \
  inline T2 __floats2##N2##_rn(float low, float high) { return {T(low), T(high)}; }              \
  inline T2 __float22##N2##_rn(float2 x) { return {T(x.x), T(x.y)}; }                            \
  inline float2 __##N2##2float2(T2 x) { return {x.x, x.y}; }                                     \
  inline T2 __##N##2##N2(T x) { return {x, x}; }                                                 \
  inline T __low2##N(T2 x) { return x.x; }                                                       \
  inline T __high2##N(T2 x) { return x.y; }                                                      \
  inline T2 __low2##N2(T2 x) { return {x.x, x.x}; }                                              \
  inline T2 __high2##N2(T2 x) { return {x.y, x.y}; }                                             \
  inline T2 __lows2##N2(T2 a, T2 b) { return {a.x, b.x}; }                                       \
  inline T2 __highs2##N2(T2 a, T2 b) { return {a.y, b.y}; }                                      \
  inline T2 __halves2##N2(T low, T high) { return {low, high}; }                                 \
  inline T2 make_##N2(T low, T high) { return {low, high}; }
