#include "grader/validator/instruction.hpp"

#include <elf.h>

#include "grader/validator/allowed_instructions.hpp"
#include "grader/validator/violation.hpp"

namespace warplab::validator {
namespace {

const ZydisDecoder& decoder() {
  static const ZydisDecoder instance = [] {
    ZydisDecoder made;
    ZydisDecoderInit(&made, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return made;
  }();
  return instance;
}

/// Where the linker may write in an instruction: its displacement from rip, or its relative target.
std::optional<std::uint64_t> place_for_linker(const Instruction& instruction) {
  const auto& raw = instruction.code.raw;
  if (const ZydisDecodedOperand* const memory = instruction.memory();
      memory != nullptr && memory->mem.base == ZYDIS_REGISTER_RIP && raw.disp.size == 32)
    return instruction.offset + raw.disp.offset;
  if ((instruction.is_branch() || instruction.mnemonic() == ZYDIS_MNEMONIC_CALL) && raw.imm[0].size == 32)
    return instruction.offset + raw.imm[0].offset;
  return std::nullopt;
}

void attach_relocation(Instruction& instruction, const Section& section, std::size_t& next,
                       const std::string& function, std::uint64_t begin) {
  if (next >= section.relocations.size() || section.relocations[next].offset >= instruction.end()) return;
  instruction.relocation = &section.relocations[next++];
  const bool one_only =
      next >= section.relocations.size() || section.relocations[next].offset >= instruction.end();
  if (!one_only || place_for_linker(instruction) != instruction.relocation->offset)
    throw Violation{Rule::code_relocation, function, instruction.offset - begin,
                    "`" + instruction.text() + "` has a relocation elsewhere than in its displacement"};
}

}  // namespace

const ZydisDecodedOperand* Instruction::memory() const {
  for (unsigned i = 0; i < code.operand_count_visible; ++i)
    if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY) return &operands[i];
  return nullptr;
}

bool Instruction::touches_memory() const {
  const ZydisDecodedOperand* const operand = memory();
  return operand != nullptr && operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN && operand->actions != 0 &&
         code.meta.category != ZYDIS_CATEGORY_PREFETCH && !is_no_operation(code.mnemonic);
}

std::optional<RegisterNumber> Instruction::whole_register(unsigned operand) const {
  if (operand >= code.operand_count_visible || operands[operand].type != ZYDIS_OPERAND_TYPE_REGISTER ||
      ZydisRegisterGetClass(operands[operand].reg.value) != ZYDIS_REGCLASS_GPR64)
    return std::nullopt;
  return general_register(operands[operand].reg.value);
}

std::optional<std::int64_t> Instruction::immediate(unsigned operand) const {
  if (operand >= code.operand_count_visible || operands[operand].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
    return std::nullopt;
  return operands[operand].imm.value.s;
}

bool Instruction::is_branch() const {
  return code.meta.category == ZYDIS_CATEGORY_COND_BR || code.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
}

bool Instruction::is_conditional() const { return code.meta.category == ZYDIS_CATEGORY_COND_BR; }

std::string Instruction::text() const {
  ZydisFormatter formatter;
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
  std::array<char, 200> buffer{};
  ZydisFormatterFormatInstruction(&formatter, &code, operands.data(), code.operand_count_visible,
                                  buffer.data(), buffer.size(), ZYDIS_RUNTIME_ADDRESS_NONE, nullptr);
  return buffer.data();
}

std::optional<RegisterNumber> general_register(ZydisRegister part) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part);
  if (ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64) return std::nullopt;
  return static_cast<RegisterNumber>(ZydisRegisterGetId(whole));
}

std::vector<Instruction> decode(const Section& section, std::uint64_t begin, std::uint64_t end,
                                const std::string& function) {
  std::vector<Instruction> all;
  std::size_t next = 0;  // relocation
  while (next < section.relocations.size() && section.relocations[next].offset < begin) ++next;
  for (std::uint64_t at = begin; at < end; at = all.back().end()) {
    Instruction& instruction = all.emplace_back();
    instruction.offset = at;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder(), section.bytes.data() + at, end - at,
                                             &instruction.code, instruction.operands.data())))
      throw Violation{Rule::undecodable, function, at - begin, "its bytes are not an instruction"};
    if (!is_allowed(instruction))
      throw Violation{Rule::instruction, function, at - begin,
                      "`" + instruction.text() + "` is not an instruction that a module may have"};
    attach_relocation(instruction, section, next, function, begin);
  }
  if (next < section.relocations.size() && section.relocations[next].offset < end)
    throw Violation{Rule::code_relocation, function, 0, "it has a relocation that no instruction uses"};
  return all;
}

}  // namespace warplab::validator
