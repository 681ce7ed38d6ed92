#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/doctor/doctor.hpp"

namespace warplab {

int command_doctor() {
  const Diagnosis diagnosis = diagnose(ThisMachine(), tree_root());
  fmt::print("{}", to_text(diagnosis));
  return diagnosis.labs_run() ? exit_ok : exit_not_available;
}

}  // namespace warplab
