#pragma once

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Turns `k<<<grid, block, shared, stream>>>(x)` into a call that queues a launch, and gives cudaLaunchKernel
/// and its kin a kernel with a type in place of an address without one.
/// @throws std::runtime_error for a launch that can't be read
void rewrite_launches(const Source& source, const DeviceCode& code, Edits& edits);

}  // namespace warplab::translator
