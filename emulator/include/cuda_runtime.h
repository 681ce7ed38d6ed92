#pragma once

#include "warplab_emulator/user_macros_aside.inc"

#define __CUDA_RUNTIME_H__  // programs ask by it whether CUDA's runtime is known

// CUDA on the CPU: what a .cu file sees in place of the CUDA Toolkit's header of this name.

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "vector_types.h"
#include "warplab_emulator/api/textures.hpp"
#include "warplab_emulator/atomics/atomic_builtins.hpp"
#include "warplab_emulator/atomics/atomics.hpp"
#include "warplab_emulator/block/block.hpp"
#include "warplab_emulator/block/coroutine.hpp"
#include "warplab_emulator/block/regions.hpp"
#include "warplab_emulator/block/thread.hpp"
#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/launch/kernel.hpp"
#include "warplab_emulator/launch/launch_functions.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"
#include "warplab_emulator/math/intrinsics.hpp"
#include "warplab_emulator/math/math.hpp"
#include "warplab_emulator/ptx/ptx.hpp"

#ifndef WARPLAB_TRANSLATING
// Host files that g++ compiles as they are. In .cu files the translator gives these words their meaning.
#define __host__
#define __device__

#define __forceinline__ inline __attribute__((always_inline))
#endif

#include "warplab_emulator/user_macros_back.inc"
