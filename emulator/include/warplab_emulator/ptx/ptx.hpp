#pragma once

// Inline PTX: the instructions that the translator knows, one function each (see emulator/README-ptx.md).

#include "warplab_emulator/block/cluster_intrinsics.hpp"
#include "warplab_emulator/copies/tensor_copies.hpp"
#include "warplab_emulator/ptx/ptx_arithmetic.hpp"
#include "warplab_emulator/ptx/ptx_async.hpp"
#include "warplab_emulator/ptx/ptx_bits.hpp"
#include "warplab_emulator/ptx/ptx_carry.hpp"
#include "warplab_emulator/ptx/ptx_convert.hpp"
#include "warplab_emulator/ptx/ptx_matrix.hpp"
#include "warplab_emulator/ptx/ptx_memory.hpp"
#include "warplab_emulator/ptx/ptx_warp.hpp"
#include "warplab_emulator/tensor_cores/wgmma.hpp"
