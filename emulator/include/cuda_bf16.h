#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: __nv_bfloat16 and __nv_bfloat162, in place of the CUDA Toolkit's header of this name.

#include <cmath>

#include "vector_types.h"
#include "warplab_emulator/atomics/atomics.hpp"
#include "warplab_emulator/atomics/memory_hints.hpp"
#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/math/conversions.hpp"
#include "warplab_emulator/math/float16_conversions.hpp"
#include "warplab_emulator/math/float16_formats.hpp"
#include "warplab_emulator/math/math.hpp"

#define FLOAT16 __nv_bfloat16
#define FLOAT16_PAIR __nv_bfloat162
#define FLOAT16_RAW __nv_bfloat16_raw
#define FLOAT16_PAIR_RAW __nv_bfloat162_raw
#define FLOAT16_FORMAT Bfloat16Format
#include "warplab_emulator/math/float16_type.inc"

#include "warplab_emulator/math/float16_functions.inc"
#undef FLOAT16
#undef FLOAT16_PAIR
#undef FLOAT16_RAW
#undef FLOAT16_PAIR_RAW
#undef FLOAT16_FORMAT

WARPLAB_FLOAT16_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, Bfloat16Format, bfloat16,
                            bfloat162)
inline __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 x) { return {x.y, x.x}; }

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#include "warplab_emulator/user_macros_back.inc"
