#pragma once

#include "grader/validator/code_context.hpp"
#include "grader/validator/frame.hpp"

namespace warplab::validator {

/// A check that ran directly before an instruction.
struct AccessCheck {
  const Instruction* address = nullptr;  ///< lea rdi, [...], 16 bytes of pushes below; null if none ran
  std::int64_t what = 0;                 ///< 2 * bytes + 1 if it is a write
};

/// Whether an instruction may touch the memory that it touches: behind its check; in the frame; a constant,
/// or an address that the loader filled in; a thread-local variable of the runtime's that device code reads.
/// @throws Violation
void require_access(const CodeContext& context, const MachineState& state, const Frame& frame,
                    const Instruction& instruction, const AccessCheck& check);

/// Whether an instruction's operand in memory is a word that the loader fills in, with the address of a
/// symbol or the offset of a thread-local variable, and that nothing else shares a relocation with.
bool is_loaded_address(const Instruction& instruction);

/// Where an operand in memory lies on the stack; unknown if it is not known to lie there.
Value stack_place(const MachineState& state, const ZydisDecodedOperandMem& memory);

}  // namespace warplab::validator
