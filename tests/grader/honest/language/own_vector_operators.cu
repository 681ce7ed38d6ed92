// Operators of one's own for CUDA's vectors.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

inline __host__ __device__ float4 operator*(float4 v, float s) { return make_float4(v.x * s, v.y * s, v.z
    * s, v.w * s); }
inline __device__ float4& operator*=(float4& v, float s) { return v = v * s; }
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const float4 one = make_float4(1, 1, 1, 1) * 1.0f;
  if (i < n) c[i] = T(one.x) * a[i] + b[i];
