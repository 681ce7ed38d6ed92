#pragma once

// Inline PTX: the instructions that the translator knows, one function each (see emulator/README-ptx.md).

#include "warplab_emulator/cluster_intrinsics.hpp"
#include "warplab_emulator/ptx_arithmetic.hpp"
#include "warplab_emulator/ptx_async.hpp"
#include "warplab_emulator/ptx_bits.hpp"
#include "warplab_emulator/ptx_convert.hpp"
#include "warplab_emulator/ptx_matrix.hpp"
#include "warplab_emulator/ptx_memory.hpp"
#include "warplab_emulator/ptx_warp.hpp"
#include "warplab_emulator/tensor_copies.hpp"
#include "warplab_emulator/wgmma.hpp"
