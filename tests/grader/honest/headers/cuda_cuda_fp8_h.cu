// <cuda_fp8.h>.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cuda_fp8.h>

#include <cstdint>

__global__ void round_to_8_bits(float* x) {
  const __nv_fp8x2_e5m2 pair(float2{x[0], x[1]});
  x[threadIdx.x] = float(__nv_fp8_e4m3(x[threadIdx.x])) + float2(pair).x;
}
