#include "grader/cli/grading_place.hpp"

#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "grader/build/module_source.hpp"
#include "grader/cli/tree.hpp"
#include "harness/rung/build_tree.hpp"

namespace warplab {

std::filesystem::path hidden_folder() {
  const std::filesystem::path hidden = tree_root() / "tests" / "hidden";
  if (!std::filesystem::is_directory(hidden))
    throw BadInput(hidden.string() +
                   " is missing: a released tree can test, but only the instructor's can grade");
  return hidden;
}

void check_built(const Course& course) {
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks)
      if (!std::filesystem::exists(build_root() / adapter_object(lab.folder, lab.stem, task.rung)))
        throw NotAvailable(
            fmt::format("the lab {0} is not built: cmake --build --preset emulator --target {0}; or name the "
                        "labs that are built, by --labs",
                        lab.stem));
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
