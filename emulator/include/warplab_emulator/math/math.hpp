#pragma once

// CUDA's mathematical functions, in the global namespace: those of <math.h> for every floating-point type,
// and CUDA's own.

#include <math.h>  // the C++ wrapper: brings std's overloads for float and double into the global namespace
#include <stdlib.h>

#include "warplab_emulator/math/fast_math.hpp"
#include "warplab_emulator/math/math_functions.hpp"
#include "warplab_emulator/math/min_max.hpp"
