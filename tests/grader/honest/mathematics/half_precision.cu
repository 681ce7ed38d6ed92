// Numbers of 16 bits.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const __half one = __float2half(1.0f), two = __hadd(one, one);
  const __half2 pair = __halves2half2(one, one);
  const float x = __half2float(__hmul(two, __low2half(pair))) - __bfloat162float(__float2bfloat16(1.0f));
  if (i < n) c[i] = T(x) * a[i] + b[i];
