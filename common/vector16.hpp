#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace warplab {

/// The CUDA type of 16 bytes, the most that one access moves, whose elements are T.
template <class T>
struct Vector16;
template <>
struct Vector16<int> {
  using type = int4;
};
template <>
struct Vector16<std::int64_t> {
  using type = long2;
};
template <>
struct Vector16<float> {
  using type = float4;
};
template <>
struct Vector16<double> {
  using type = double2;
};

/// Whether a pointer may be used for accesses of 16 bytes. cudaMalloc's may, `a + 1` may not.
inline bool starts_at_16_bytes(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

}  // namespace warplab

// Element by element. In the global namespace, where CUDA has these types.
__device__ inline float4 operator+(float4 x, float4 y) {
  return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
__device__ inline double2 operator+(double2 x, double2 y) { return make_double2(x.x + y.x, x.y + y.y); }
__device__ inline int4 operator+(int4 x, int4 y) {
  return make_int4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
__device__ inline long2 operator+(long2 x, long2 y) { return make_long2(x.x + y.x, x.y + y.y); }
__device__ inline float4 operator-(float4 x, float4 y) {
  return make_float4(x.x - y.x, x.y - y.y, x.z - y.z, x.w - y.w);
}
__device__ inline double2 operator-(double2 x, double2 y) { return make_double2(x.x - y.x, x.y - y.y); }
__device__ inline int4 operator-(int4 x, int4 y) {
  return make_int4(x.x - y.x, x.y - y.y, x.z - y.z, x.w - y.w);
}
__device__ inline long2 operator-(long2 x, long2 y) { return make_long2(x.x - y.x, x.y - y.y); }
