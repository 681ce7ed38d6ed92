#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA's vector types, with CUDA's alignments: a float4 is 16-byte aligned, so that it is loaded and stored
// as one access.

// NOLINTBEGIN: the names are CUDA's.
#define WARPLAB_VECTOR_TYPES(T, name, align2, align4) \
  struct name##1 {                                    \
    T x;                                              \
  };                                                  \
  struct alignas(align2) name##2 {                    \
    T x, y;                                           \
  };                                                  \
  struct name##3 {                                    \
    T x, y, z;                                        \
  };                                                  \
  struct alignas(align4) name##4 {                    \
    T x, y, z, w;                                     \
  }

WARPLAB_VECTOR_TYPES(signed char, char, 2, 4);
WARPLAB_VECTOR_TYPES(unsigned char, uchar, 2, 4);
WARPLAB_VECTOR_TYPES(short, short, 4, 8);
WARPLAB_VECTOR_TYPES(unsigned short, ushort, 4, 8);
WARPLAB_VECTOR_TYPES(int, int, 8, 16);
WARPLAB_VECTOR_TYPES(unsigned int, uint, 8, 16);
WARPLAB_VECTOR_TYPES(long, long, 16, 16);
WARPLAB_VECTOR_TYPES(unsigned long, ulong, 16, 16);
WARPLAB_VECTOR_TYPES(long long, longlong, 16, 16);
WARPLAB_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16);
WARPLAB_VECTOR_TYPES(float, float, 8, 16);
WARPLAB_VECTOR_TYPES(double, double, 16, 16);

#undef WARPLAB_VECTOR_TYPES

// The 32-byte vectors whose alignment is in the name, which CUDA 13 prefers.
#define WARPLAB_VECTOR4_ALIGNED(T, name) \
  struct alignas(16) name##4_16a {       \
    T x, y, z, w;                        \
  };                                     \
  struct alignas(32) name##4_32a {       \
    T x, y, z, w;                        \
  }

WARPLAB_VECTOR4_ALIGNED(long, long);
WARPLAB_VECTOR4_ALIGNED(unsigned long, ulong);
WARPLAB_VECTOR4_ALIGNED(long long, longlong);
WARPLAB_VECTOR4_ALIGNED(unsigned long long, ulonglong);
WARPLAB_VECTOR4_ALIGNED(double, double);

#undef WARPLAB_VECTOR4_ALIGNED

/// Extents of a grid or a block; what is not given is 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
// NOLINTEND

#include "warplab_emulator/user_macros_back.inc"
