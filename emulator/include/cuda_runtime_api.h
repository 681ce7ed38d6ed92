#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// CUDA on the CPU: the host side of CUDA's runtime, in place of the CUDA Toolkit's header of this name.

#include "warplab_emulator/api/driver_entry_points.hpp"
#include "warplab_emulator/api/graph_functions.hpp"
#include "warplab_emulator/api/runtime_functions.hpp"
#include "warplab_emulator/api/runtime_templates.hpp"

#include "warplab_emulator/user_macros_back.inc"
