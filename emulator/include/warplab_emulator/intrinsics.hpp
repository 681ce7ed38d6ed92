#pragma once

// CUDA's intrinsics: one concept a header.

#include "warplab_emulator/conversions.hpp"
#include "warplab_emulator/integer_intrinsics.hpp"
#include "warplab_emulator/memory_hints.hpp"
#include "warplab_emulator/rounded_arithmetic.hpp"
#include "warplab_emulator/simd_in_a_word.hpp"
#include "warplab_emulator/synchronization.hpp"
#include "warplab_emulator/warp_match_reduce.hpp"

/// nvcc's: what may be taken for true.
#define __builtin_assume(condition) static_cast<void>(0)
