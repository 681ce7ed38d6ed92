#pragma once

#include <cuda_runtime.h>

/// A grey level in a word's lowest byte: the integers next to 2^23 are the floats there, so the addition
/// rounds, to nearest and ties to even.
__device__ inline unsigned level_bits(float sum) {
  return __float_as_uint(fminf(fmaxf(sum, 0.0f), 255.0f) + 0x1p23f);
}
