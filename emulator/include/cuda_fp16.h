#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: __half and __half2, in place of the CUDA Toolkit's header of this name.

#include <cmath>

#include "vector_types.h"
#include "warplab_emulator/atomics/atomics.hpp"
#include "warplab_emulator/atomics/memory_hints.hpp"
#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/math/conversions.hpp"
#include "warplab_emulator/math/float16_conversions.hpp"
#include "warplab_emulator/math/float16_formats.hpp"
#include "warplab_emulator/math/math.hpp"

#define FLOAT16 __half
#define FLOAT16_PAIR __half2
#define FLOAT16_RAW __half_raw
#define FLOAT16_PAIR_RAW __half2_raw
#define FLOAT16_FORMAT HalfFormat
#include "warplab_emulator/math/float16_type.inc"

#include "warplab_emulator/math/float16_functions.inc"
#undef FLOAT16
#undef FLOAT16_PAIR
#undef FLOAT16_RAW
#undef FLOAT16_PAIR_RAW
#undef FLOAT16_FORMAT

WARPLAB_FLOAT16_CONVERSIONS(__half, __half2, __half_raw, HalfFormat, half, half2)
inline __half2 __lowhigh2highlow(__half2 x) { return {x.y, x.x}; }

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half nv_half;
typedef __half2 nv_half2;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#include "warplab_emulator/user_macros_back.inc"
