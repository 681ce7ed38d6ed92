#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "grader/validator/instruction.hpp"

namespace warplab::validator {

/// What the guard writes around a student's instructions. Each is recognised as a whole: the exact
/// instructions, one after another. Nothing may jump into one.
enum class SequenceKind {
  none,
  enter,   ///< push rdi; lea rdi, [frame]; call [warplab_isolation_enter]; pop rdi
  leave,   ///< call [warplab_isolation_leave]; ret
  access,  ///< push rdi; push rsi; lea rdi, [...]; mov esi, n; call [warplab_isolation_access]; pop rsi; pop
           ///< rdi
  target,  ///< call [warplab_isolation_target]; call r11
  mark,    ///< mov r12, rsp; sub rsp, 128; and rsp, -16; call [warplab_lens_mark]; mov rsp, r12
};

/// The calls that appear in whole sequences only.
bool is_check(std::string_view import);

/// Instructions that are proven as a whole: a call into the runtime and what prepares it.
struct Sequence {
  SequenceKind kind = SequenceKind::none;
  std::size_t length = 1;  ///< instructions
};

/// The import that an instruction calls through its address table; "" if it is none.
std::string_view called_import(const Instruction& instruction, const ObjectFile& object);

/// The sequence that begins at each instruction, if one does.
/// @param is_inside for each instruction, whether it is in a sequence and not its first
std::vector<Sequence> sequences_of(const std::vector<Instruction>& code, const ObjectFile& object,
                                   std::vector<bool>& is_inside);

/// Whether a function is the one that makes a module known: sub rsp, 8; lea rdi, [first]; lea rsi, [last];
/// call [warplab_isolation_register]; add rsp, 8; ret.
bool is_registration(const std::vector<Instruction>& code, const ObjectFile& object);

}  // namespace warplab::validator
