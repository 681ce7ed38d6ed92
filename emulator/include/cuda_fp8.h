#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: 8-bit floats with four or five bits of exponent, in place of the CUDA Toolkit's header of
// this name, and 8-bit exponents. They are only stored: what is computed is converted before.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "driver_types.h"
#include "vector_types.h"
#include "warplab_emulator/math/conversions.hpp"
#include "warplab_emulator/math/float8_formats.hpp"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;

/// What becomes of a number that is too large: NaN or an infinity, or the largest finite number.
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t format) {
  using namespace warplab::emulator;
  return format == __NV_E4M3 ? E4m3Format::encode(x, saturate == __NV_SATFINITE)
                             : E5m2Format::encode(x, saturate == __NV_SATFINITE);
}
inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(warplab::emulator::to_odd(x), saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__half(x), saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t format) {
  return __nv_cvt_float_to_fp8(__nv_bfloat16(x), saturate, format);
}

// Pairs: x is in the lower byte.
#define WARPLAB_FP8_PAIR(name, of_one, Pair)                                         \
  inline __nv_fp8x2_storage_t name(const Pair& pair, __nv_saturation_t saturate,     \
                                   __nv_fp8_interpretation_t format) {               \
    return static_cast<__nv_fp8x2_storage_t>(of_one(pair.x, saturate, format) |      \
                                             of_one(pair.y, saturate, format) << 8); \
  }
WARPLAB_FP8_PAIR(__nv_cvt_float2_to_fp8x2, __nv_cvt_float_to_fp8, float2)
WARPLAB_FP8_PAIR(__nv_cvt_double2_to_fp8x2, __nv_cvt_double_to_fp8, double2)
#undef WARPLAB_FP8_PAIR
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw& pair, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t format) {
  const __half2 halves(pair);
  return __nv_cvt_float2_to_fp8x2({halves.x, halves.y}, saturate, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw& pair,
                                                           __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t format) {
  const __nv_bfloat162 numbers(pair);
  return __nv_cvt_float2_to_fp8x2({numbers.x, numbers.y}, saturate, format);
}

inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
  using namespace warplab::emulator;
  return {HalfFormat::encode(format == __NV_E4M3 ? E4m3Format::decode(x) : E5m2Format::decode(x))};
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t pair, __nv_fp8_interpretation_t format) {
  const auto of = [&](int byte) {
    return __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(pair >> 8 * byte), format).x;
  };
  return {of(0), of(1)};
}

/// @param rounding cudaRoundZero or cudaRoundPosInf, of the magnitude
inline __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                                 cudaRoundMode rounding) {
  return warplab::emulator::E8m0Format::encode(x, saturate == __NV_SATFINITE, rounding == cudaRoundPosInf);
}
inline __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                                  cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(warplab::emulator::to_odd(x), saturate, rounding);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                       cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(__nv_bfloat16(x), saturate, rounding);
}
inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  using namespace warplab::emulator;
  return {Bfloat16Format::encode(E8m0Format::decode(x))};
}

#define FLOAT8 __nv_fp8_e4m3
#define FLOAT8_PAIR __nv_fp8x2_e4m3
#define FLOAT8_FOUR __nv_fp8x4_e4m3
#define FLOAT8_FORMAT E4m3Format
#include "warplab_emulator/math/float8_type.inc"
#undef FLOAT8
#undef FLOAT8_PAIR
#undef FLOAT8_FOUR
#undef FLOAT8_FORMAT

#define FLOAT8 __nv_fp8_e5m2
#define FLOAT8_PAIR __nv_fp8x2_e5m2
#define FLOAT8_FOUR __nv_fp8x4_e5m2
#define FLOAT8_FORMAT E5m2Format
#include "warplab_emulator/math/float8_type.inc"
#undef FLOAT8
#undef FLOAT8_PAIR
#undef FLOAT8_FOUR
#undef FLOAT8_FORMAT

#define FLOAT8 __nv_fp8_e8m0
#define FLOAT8_PAIR __nv_fp8x2_e8m0
#define FLOAT8_FOUR __nv_fp8x4_e8m0
#define FLOAT8_FORMAT E8m0Format
#include "warplab_emulator/math/float8_type.inc"
#undef FLOAT8
#undef FLOAT8_PAIR
#undef FLOAT8_FOUR
#undef FLOAT8_FORMAT

#include "warplab_emulator/user_macros_back.inc"
