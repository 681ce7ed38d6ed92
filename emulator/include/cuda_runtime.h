#pragma once

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
#include "warplab_emulator/atomic_builtins.hpp"
#include "warplab_emulator/atomics.hpp"
#include "warplab_emulator/block.hpp"
#include "warplab_emulator/coroutine.hpp"
#include "warplab_emulator/intrinsics.hpp"
#include "warplab_emulator/kernel.hpp"
#include "warplab_emulator/launch_functions.hpp"
#include "warplab_emulator/lens_markers.hpp"
#include "warplab_emulator/math.hpp"
#include "warplab_emulator/ptx.hpp"
#include "warplab_emulator/regions.hpp"
#include "warplab_emulator/textures.hpp"
#include "warplab_emulator/thread.hpp"
#include "warplab_emulator/warp.hpp"

#ifndef WARPLAB_TRANSLATING
// Host files that g++ compiles as they are. In .cu files the translator gives these words their meaning.
#define __host__
#define __device__

#define __forceinline__ inline __attribute__((always_inline))
#endif
