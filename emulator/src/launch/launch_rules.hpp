#pragma once

#include "warplab_emulator/launch/launch.hpp"

namespace warplab::emulator {

/// Whether CUDA would accept this launch: the error codes are CUDA's own.
cudaError_t validate(const Launch& launch);

}  // namespace warplab::emulator
