#pragma once

#include "warplab_emulator/user_macros_aside.inc"

#include "vector_types.h"

// CUDA's constructors of vector types: make_float4(x, y, z, w) and its like.

// NOLINTBEGIN: the names are CUDA's.
#define WARPLAB_MAKE_4(T, type) \
  inline type make_##type(T x, T y, T z, T w) { return type{x, y, z, w}; }
#define WARPLAB_MAKE(T, name)                                                \
  inline name##1 make_##name##1(T x) { return name##1 {x}; }                 \
  inline name##2 make_##name##2(T x, T y) { return name##2 {x, y}; }         \
  inline name##3 make_##name##3(T x, T y, T z) { return name##3 {x, y, z}; } \
  WARPLAB_MAKE_4(T, name##4)

WARPLAB_MAKE(signed char, char)
WARPLAB_MAKE(unsigned char, uchar)
WARPLAB_MAKE(short, short)
WARPLAB_MAKE(unsigned short, ushort)
WARPLAB_MAKE(int, int)
WARPLAB_MAKE(unsigned int, uint)
WARPLAB_MAKE(long, long)
WARPLAB_MAKE(unsigned long, ulong)
WARPLAB_MAKE(long long, longlong)
WARPLAB_MAKE(unsigned long long, ulonglong)
WARPLAB_MAKE(float, float)
WARPLAB_MAKE(double, double)

WARPLAB_MAKE_4(long, long4_16a)
WARPLAB_MAKE_4(long, long4_32a)
WARPLAB_MAKE_4(unsigned long, ulong4_16a)
WARPLAB_MAKE_4(unsigned long, ulong4_32a)
WARPLAB_MAKE_4(long long, longlong4_16a)
WARPLAB_MAKE_4(long long, longlong4_32a)
WARPLAB_MAKE_4(unsigned long long, ulonglong4_16a)
WARPLAB_MAKE_4(unsigned long long, ulonglong4_32a)
WARPLAB_MAKE_4(double, double4_16a)
WARPLAB_MAKE_4(double, double4_32a)

#undef WARPLAB_MAKE
#undef WARPLAB_MAKE_4
// NOLINTEND

#include "warplab_emulator/user_macros_back.inc"
