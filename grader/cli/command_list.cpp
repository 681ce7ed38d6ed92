#include <fmt/format.h>

#include <algorithm>

#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"

namespace warplab {

int command_list(const std::vector<std::string>& labs) {
  const Course course = course_here().only(labs);
  for (const Lab& lab : course.labs) {
    fmt::print("{}\n", lab.folder.filename().string());
    for (const Task& task : lab.tasks)
      fmt::print("  {:<32}{:>5g} points  {}{}\n", task.name(), task.points, task.title,
                 task.deadline.empty() ? "" : "  (until " + task.deadline + ")");
  }
  return 0;
}

}  // namespace warplab
