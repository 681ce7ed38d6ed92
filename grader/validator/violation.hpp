#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplab::validator {

/// What a compiled module must keep to. Each kind of violation has one rule.
enum class Rule {
  object_file,       ///< the file is a whole x86-64 object file
  section,           ///< sections have known names, types and flags
  symbol,            ///< only the launcher is visible, and only listed symbols are imported
  data_relocation,   ///< words in data that are filled in when the module is loaded
  initialiser,       ///< what runs when the module is loaded
  entry_table,       ///< the list of functions that may be called by pointer
  function_bounds,   ///< functions do not overlap and lie in their section
  undecodable,       ///< bytes are instructions
  instruction,       ///< instructions are listed
  code_relocation,   ///< an instruction's relocation fills its displacement or its target
  function_entry,    ///< a function begins with its entry check
  frame_shape,       ///< the entry check describes the frame that the function makes
  stack_pointer,     ///< the stack pointer has a known place within the frame
  joined_paths,      ///< all ways to an instruction have the same stack pointer
  branch_target,     ///< jumps go to instructions of their function, and not into a check
  call_target,       ///< calls go to functions of the module or to imports
  call_depth,        ///< a call of another module happens below all variables of the frame
  indirect_branch,   ///< calls by pointer are checked
  misplaced_check,   ///< a check is called as a part of its whole sequence
  unchecked_access,  ///< memory outside of the frame is touched behind a check
  narrow_check,      ///< a check covers all bytes that its instruction touches, and says that it writes
  other_address,     ///< a check is of the address that its instruction uses
  segment,           ///< thread-local storage is read at known variables only
  fall_through,      ///< a function does not run on into the next
  unchecked_return,  ///< a function returns behind its return check
  saved_register,    ///< a function returns with the registers that it must keep
  unwind_table,      ///< an exception finds the frame as it is
  exception_table,   ///< an exception continues at an instruction of the function
};

/// The rule's name: "unchecked_access".
std::string_view name_of(Rule rule);

/// Why a module may not be loaded.
struct Violation {
  Rule rule;
  std::string function;      ///< as in the symbol table; "" if none
  std::uint64_t offset = 0;  ///< from the function's begin
  std::string what;          ///< "`mov [rax], rbx` is not behind a check"
};

/// For the instructor: "transpose(int*)+0x12: `mov [rax], rbx` is not behind a check (unchecked_access)".
std::string to_text(const Violation& violation);

}  // namespace warplab::validator
