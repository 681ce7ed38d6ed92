#pragma once

#include <string>

#include "grader/build/module_build.hpp"
#include "grader/text/shell_line.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {

/// Runs a command without any sandbox.
inline CommandOutcome run_directly(const std::vector<std::string>& command, double) {
  const house::Outcome ran = house::run(shell_line(command));
  CommandOutcome outcome;
  outcome.exit_code = ran.exit_code;
  outcome.output = ran.output;
  return outcome;
}

}  // namespace warplab
