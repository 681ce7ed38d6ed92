#pragma once

#include "warplab_emulator/user_macros_aside.inc"

#define CURAND_KERNEL_H_  // programs ask by it whether the header is included

// The device side of cuRAND: the generators XORWOW and Philox4x32-10 with cuRAND's own sequences, and what
// makes uniform, normal and log-normal numbers of them.

#include "curand.h"
#include "warplab_emulator/random/random_distributions.hpp"
#include "warplab_emulator/random/random_philox.hpp"
#include "warplab_emulator/random/random_xorwow.hpp"

using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;

#include "warplab_emulator/user_macros_back.inc"
