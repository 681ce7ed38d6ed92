#pragma once

#include <string>

#include "grader/validator/validator.hpp"

namespace warplab {

/// Parts of an object that the guard could have made. All are x86-64 assembly, with the macros ENTER, RETURN
/// and CHECK for the guard's sequences, and the frames `plain` (8 bytes of variables), `wide` (24 bytes below
/// one saved register), `aligned` and `moved`.
struct AssembledObject {
  /// The function f, between its label and its end.
  std::string code =
      "ENTER plain\n subq $8, %rsp\n .cfi_def_cfa_offset 16\n nop\n addq $8, %rsp\n .cfi_def_cfa_offset 8\n "
      "RETURN\n ud2\n";
  std::string rest = {};      ///< after it: other functions and data
  std::string entries = "f";  ///< functions that may be called by pointer
  /// What makes the module known when it is loaded.
  std::string registration =
      ".type begin, @function\nbegin: subq $8, %rsp\n leaq entries(%rip), %rdi\n leaq entries_end(%rip), "
      "%rsi\n "
      "call *warplab_isolation_register@GOTPCREL(%rip)\n addq $8, %rsp\n ret\n.size begin, .-begin\n"
      ".section .init_array.00001, \"aw\"\n.quad begin\n";
  std::string note = ".section .note.GNU-stack, \"\", @progbits\n";

  std::string text() const;
};

/// The object file that g++ makes of assembly. @throws std::runtime_error with what it says
std::string assembled(const std::string& text);

/// What the validator says of an object with the launcher f, which may import a few harmless symbols: the
/// rule's name, and in brackets the whole sentence; "" if it is proven.
std::string rule_broken_by(const std::string& object);

}  // namespace warplab
