#include "grader/validator/register_rules.hpp"

#include <elf.h>

#include "grader/validator/memory_rules.hpp"

namespace warplab::validator {
namespace {

void move_stack_pointer(const CodeContext& context, const Frame& frame, const Instruction& instruction,
                        MachineState& state, const Value& to) {
  if (!frame.may_reach(to))
    context.refuse(Rule::stack_pointer, instruction, "moves the stack pointer out of the frame");
  state.set_stack_pointer(to);
}

void push(const CodeContext& context, const Frame& frame, const Instruction& instruction,
          MachineState& state) {
  const auto source = instruction.whole_register(0);
  const Value pushed = source ? state[*source] : Value{}, place = state.stack_pointer().plus(-word_bytes);
  if (instruction.code.operand_width != 64)
    context.refuse(Rule::stack_pointer, instruction, "pushes less than a word");
  move_stack_pointer(context, frame, instruction, state, place);
  state.set_word(place, frame.is_protected(place) ? pushed : Value{});
}

void pop(const CodeContext& context, const Frame& frame, const Instruction& instruction,
         MachineState& state) {
  const auto to = instruction.whole_register(0);
  if (!to || *to == rsp) context.refuse(Rule::stack_pointer, instruction, "does not pop a register");
  const Value popped = state.word_at(state.stack_pointer());
  move_stack_pointer(context, frame, instruction, state, state.stack_pointer().plus(word_bytes));
  state.set(*to, popped);
}

/// What an instruction makes of its first operand; unknown but for what prologues and epilogues are made of.
Value result_of(const Frame& frame, const Instruction& instruction, const MachineState& state,
                RegisterNumber to) {
  const auto number = instruction.immediate(1);
  switch (instruction.mnemonic()) {
    case ZYDIS_MNEMONIC_ADD:
      return number ? state[to].plus(*number) : Value{};
    case ZYDIS_MNEMONIC_SUB:
      return number ? state[to].plus(-*number) : Value{};
    case ZYDIS_MNEMONIC_AND:
      return number && to == rsp ? frame.aligned(state[to], *number) : Value{};
    case ZYDIS_MNEMONIC_LEA:
      return stack_place(state, instruction.memory()->mem);
    case ZYDIS_MNEMONIC_MOV:
      break;
    default:
      return {};
  }
  if (const auto from = instruction.whole_register(1)) return state[*from];
  if (instruction.memory() == nullptr) return {};
  if (is_loaded_address(instruction) && instruction.relocation->type == R_X86_64_GOTTPOFF)
    return {Value::Kind::thread, instruction.relocation->symbol};
  const Value place = stack_place(state, instruction.memory()->mem);
  return place.is_stack() ? state.word_at(place) : Value{};
}

}  // namespace

void apply(const CodeContext& context, const Frame& frame, const Instruction& instruction,
           MachineState& state) {
  if (instruction.mnemonic() == ZYDIS_MNEMONIC_PUSH) return push(context, frame, instruction, state);
  if (instruction.mnemonic() == ZYDIS_MNEMONIC_POP) return pop(context, frame, instruction, state);
  if (instruction.mnemonic() == ZYDIS_MNEMONIC_LEAVE) {
    move_stack_pointer(context, frame, instruction, state, state[rbp]);
    const Value popped = state.word_at(state.stack_pointer());
    move_stack_pointer(context, frame, instruction, state, state.stack_pointer().plus(word_bytes));
    return state.set(rbp, popped);
  }
  const auto to = instruction.whole_register(0);
  const bool writes_first = (instruction.operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  const Value result = to && writes_first ? result_of(frame, instruction, state, *to) : Value{};
  for (unsigned i = 0; i < instruction.code.operand_count; ++i) {
    const ZydisDecodedOperand& operand = instruction.operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER ||
        (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
      continue;
    const auto written = general_register(operand.reg.value);
    if (!written) continue;
    const Value value = i == 0 && written == to ? result : Value{};
    if (*written == rsp)
      move_stack_pointer(context, frame, instruction, state, value);
    else
      state.set(*written, value);
  }
}

}  // namespace warplab::validator
