#pragma once

#include <string>

#include "grader/validator/function_table.hpp"
#include "grader/validator/instruction.hpp"
#include "grader/validator/module_rules.hpp"
#include "grader/validator/violation.hpp"

namespace warplab::validator {

/// The function that is being proven, and what its module has.
struct CodeContext {
  const ObjectFile& object;
  const FunctionTable& functions;
  const ModuleRules& rules;
  const Function& function;

  /// @throws Violation: "`INSTRUCTION` WHAT"
  [[noreturn]] void refuse(Rule rule, const Instruction& instruction, const std::string& what) const {
    throw Violation{rule, function.name, instruction.offset - function.begin.offset,
                    "`" + instruction.text() + "` " + what};
  }
};

}  // namespace warplab::validator
