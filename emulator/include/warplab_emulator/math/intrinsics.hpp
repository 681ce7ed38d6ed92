#pragma once

// CUDA's intrinsics: one concept a header.

#include "warplab_emulator/atomics/memory_hints.hpp"
#include "warplab_emulator/block/synchronization.hpp"
#include "warplab_emulator/block/warp_match_reduce.hpp"
#include "warplab_emulator/math/conversions.hpp"
#include "warplab_emulator/math/dpx.hpp"
#include "warplab_emulator/math/integer_intrinsics.hpp"
#include "warplab_emulator/math/rounded_arithmetic.hpp"
#include "warplab_emulator/math/simd_in_a_word.hpp"

/// nvcc's: what may be taken for true.
#define __builtin_assume(condition) static_cast<void>(0)
