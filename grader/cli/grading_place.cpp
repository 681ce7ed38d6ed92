#include "grader/cli/grading_place.hpp"

#include <fmt/format.h>

#include "common/bad_input.hpp"
#include "grader/cli/tree.hpp"

namespace warplab {

std::filesystem::path hidden_folder() {
  const std::filesystem::path hidden = tree_root() / "tests" / "hidden";
  if (!std::filesystem::is_directory(hidden))
    throw BadInput(hidden.string() +
                   " is missing: a released tree can test, but only the instructor's can grade");
  return hidden;
}

SandboxLevel level_to_grade_at(const std::string& name) {
  if (name != "auto") return level_by_name(name);
  std::string why;
  const SandboxLevel level = strongest_level(why);
  if (level == SandboxLevel::none)
    throw NotAvailable("there is no sandbox on this machine (" + why +
                       "), and submissions may do anything; --sandbox none grades them nevertheless");
  if (!why.empty()) fmt::print("sandbox: {} ({})\n", name_of(level), why);
  return level;
}

}  // namespace warplab
