#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/validator/object_file.hpp"

namespace warplab::validator {

/// A general register's number as instructions encode it: 0 is rax, 4 rsp, 5 rbp, 15 r15.
using RegisterNumber = unsigned;
constexpr RegisterNumber rax = 0, rsp = 4, rbp = 5, rsi = 6, rdi = 7, r10 = 10, r11 = 11, r12 = 12;

/// A decoded instruction of a function, and what the linker fills in.
struct Instruction {
  std::uint64_t offset = 0;  ///< in its section
  ZydisDecodedInstruction code;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
  const Relocation* relocation = nullptr;

  std::uint64_t end() const { return offset + code.length; }
  ZydisMnemonic mnemonic() const { return code.mnemonic; }
  /// The operand in memory that it names, also where it only computes the address (lea); null if none.
  const ZydisDecodedOperand* memory() const;
  /// Whether it reads or writes that memory.
  bool touches_memory() const;
  /// The 64-bit register that a visible operand is; nothing if it is another kind of operand.
  std::optional<RegisterNumber> whole_register(unsigned operand) const;
  /// A visible operand that is a number.
  std::optional<std::int64_t> immediate(unsigned operand) const;
  bool is_branch() const;       ///< a jump, also a conditional one
  bool is_conditional() const;  ///< a jump that may go on
  /// As in Intel's manuals: "mov [rax], rbx".
  std::string text() const;
};

/// The general register that a register of the processor is a part of; nothing for others.
std::optional<RegisterNumber> general_register(ZydisRegister part);

/// Decodes all bytes from `begin` to `end` of a section.
/// @param function its name, for messages
/// @throws Violation of Rule::undecodable, Rule::instruction or Rule::code_relocation
std::vector<Instruction> decode(const Section& section, std::uint64_t begin, std::uint64_t end,
                                const std::string& function);

}  // namespace warplab::validator
