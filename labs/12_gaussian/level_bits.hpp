#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

/// The grey level that is nearest to sum * gain, in a word's lowest byte. Two instructions: one multiplies
/// and saturates to 0..1, the other one goes back to 0..255 and rounds, since the floats next to 2^23 are
/// integers. A sum within 1/32768 of the middle between two levels may become either.
__device__ inline unsigned level_bits(float sum, float gain = 1) {
  return __float_as_uint(fmaf(__saturatef(sum * (gain * (1.0f / 255))), 255.0f, 0x1p23f));
}

/// What is taken from levels before they become halves: so halves round them by at most 1/32.
inline constexpr float middle_level = 128.0f;

/// Two grey levels in bytes 0 and 2 of a word, from levels less middle_level that may lie beyond 0 to 255. To
/// add 1024 rounds a half to a whole number, whose last byte is the level.
__device__ inline unsigned level_pair_bits(__half2 levels) {
  levels = __hadd2(levels, __float2half2_rn(1024 + middle_level));
  levels = __hmin2(__hmax2(levels, __float2half2_rn(1024.0f)), __float2half2_rn(1279.0f));
  return *reinterpret_cast<const unsigned*>(&levels);
}
