#pragma once

#include "grader/validator/instruction.hpp"

namespace warplab::validator {

/// Whether a module may have an instruction: a listed one, with one operand in memory at most, that touches
/// general and vector registers only, and is encoded as an assembler does it. Where it touches memory or
/// jumps to is not looked at here.
bool is_allowed(const Instruction& instruction);

/// Whether it does nothing, whatever its operands are.
bool is_no_operation(ZydisMnemonic mnemonic);

}  // namespace warplab::validator
