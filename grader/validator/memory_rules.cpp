#include "grader/validator/memory_rules.hpp"

#include <elf.h>

#include <algorithm>

namespace warplab::validator {
namespace {

constexpr std::int64_t pushed_by_check = 16;
/// The runtime's thread-local variables (current_block, current_indices) are no larger.
constexpr std::int64_t thread_variable_bytes = 128;

bool is_global(const ZydisDecodedOperandMem& memory) { return memory.base == ZYDIS_REGISTER_RIP; }

/// The symbol and place that a rip-relative operand means, with its distance to the instruction's end.
bool same_global(const Instruction& a, const Instruction& b) {
  if (a.relocation == nullptr || b.relocation == nullptr) return false;
  const auto from_end = [](const Instruction& i) {
    return i.relocation->addend + static_cast<std::int64_t>(i.end() - i.relocation->offset);
  };
  return a.relocation->type == b.relocation->type && a.relocation->symbol == b.relocation->symbol &&
         from_end(a) == from_end(b);
}

/// Whether the check's lea computes the address that the instruction uses.
bool is_same_address(const Instruction& check, const Instruction& instruction) {
  const ZydisDecodedOperandMem& checked = check.memory()->mem;
  const ZydisDecodedOperandMem& used = instruction.memory()->mem;
  if (is_global(used) || is_global(checked))
    return is_global(used) && is_global(checked) && same_global(check, instruction);
  const std::int64_t moved = used.base == ZYDIS_REGISTER_RSP ? pushed_by_check : 0;
  return checked.base == used.base && checked.index == used.index &&
         (used.index == ZYDIS_REGISTER_NONE || checked.scale == used.scale) &&
         checked.disp.value == used.disp.value + moved;
}

bool has_segment(const ZydisDecodedOperandMem& memory) {
  return memory.segment != ZYDIS_REGISTER_DS && memory.segment != ZYDIS_REGISTER_SS;
}

void require_check(const CodeContext& context, const Instruction& instruction, const AccessCheck& check,
                   std::int64_t bytes, bool write) {
  if (!is_same_address(*check.address, instruction))
    context.refuse(Rule::other_address, instruction, "uses another address than its check");
  if (bytes > check.what >> 1 || (write && (check.what & 1) == 0))
    context.refuse(Rule::narrow_check, instruction, "touches more than its check asks for");
}

/// Whether a rip-relative operand lies in a section of constants.
bool is_constant(const CodeContext& context, const Instruction& instruction, std::int64_t bytes) {
  const Relocation* const relocation = instruction.relocation;
  if (relocation == nullptr || relocation->type != R_X86_64_PC32) return false;
  const std::optional<Place> place = context.object.place_of(*relocation);
  if (!place) return false;
  const Section& section = context.object.sections()[place->section];
  const std::uint64_t begin = place->offset + (instruction.end() - relocation->offset);
  // The linker moves the parts of a section that it merges: an operand is one part.
  const bool merged = (section.flags & SHF_MERGE) != 0;
  if (merged && (begin != context.object.symbol_of(*relocation).value || bytes > 32)) return false;
  return (section.flags & (SHF_WRITE | SHF_EXECINSTR | SHF_ALLOC)) == SHF_ALLOC && begin <= section.size &&
         static_cast<std::uint64_t>(bytes) <= section.size - begin;
}

void require_thread_variable(const CodeContext& context, const MachineState& state,
                             const Instruction& instruction, std::int64_t bytes, bool write) {
  const ZydisDecodedOperandMem& memory = instruction.memory()->mem;
  const std::int64_t at = memory.disp.value;
  const bool thread_pointer = memory.base == ZYDIS_REGISTER_NONE && at == 0 && bytes == 8;
  const auto base = general_register(memory.base);
  const bool variable =
      base && state[*base].kind == Value::Kind::thread && at >= 0 && at + bytes <= thread_variable_bytes;
  if (write || memory.segment != ZYDIS_REGISTER_FS || memory.index != ZYDIS_REGISTER_NONE ||
      (!thread_pointer && !variable))
    context.refuse(Rule::segment, instruction, "touches thread-local storage that is not device code's");
}

}  // namespace

bool is_loaded_address(const Instruction& instruction) {
  const Relocation* const relocation = instruction.relocation;
  if (relocation == nullptr || instruction.memory() == nullptr || instruction.memory()->size != 64)
    return false;
  switch (relocation->type) {
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
    case R_X86_64_GOTTPOFF:
      return relocation->addend == -static_cast<std::int64_t>(instruction.end() - relocation->offset);
    default:
      return false;
  }
}

Value stack_place(const MachineState& state, const ZydisDecodedOperandMem& memory) {
  const auto base = general_register(memory.base);
  if (!base || memory.index != ZYDIS_REGISTER_NONE || has_segment(memory)) return {};
  return state[*base].plus(memory.disp.value);
}

void require_access(const CodeContext& context, const MachineState& state, const Frame& frame,
                    const Instruction& instruction, const AccessCheck& check) {
  if (!instruction.touches_memory()) return;
  const ZydisDecodedOperand& operand = *instruction.memory();
  const std::int64_t bytes = (operand.size + 7) / 8;
  const bool write = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  if (has_segment(operand.mem)) return require_thread_variable(context, state, instruction, bytes, write);
  if (check.address != nullptr) return require_check(context, instruction, check, bytes, write);
  const Value place = stack_place(state, operand.mem);
  if (write ? frame.holds_variables(place, bytes) : frame.is_near(place, bytes)) return;
  if (!write && (is_loaded_address(instruction) || is_constant(context, instruction, bytes))) return;
  context.refuse(Rule::unchecked_access, instruction, "is not behind a check");
}

}  // namespace warplab::validator
