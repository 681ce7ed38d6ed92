#pragma once

#include <vector>

#include "emulator/translator/ptx/emitter.hpp"

namespace warplab::translator {

/// Appends what the emitter's present instruction does. @throws PtxError if it is none of the subset.
void emit_ptx_instruction(PtxEmitter& emitter, const std::vector<PtxOperand>& operands);

}  // namespace warplab::translator
