#pragma once

#include "grader/validator/code_context.hpp"
#include "grader/validator/frame.hpp"

namespace warplab::validator {

/// What is known after an instruction that is neither a jump, a call nor a return.
/// @throws Violation of Rule::stack_pointer
void apply(const CodeContext& context, const Frame& frame, const Instruction& instruction,
           MachineState& state);

}  // namespace warplab::validator
