#include "grader/course/task_problem.hpp"

#include <stdexcept>
#include <vector>

namespace warplab {

const Problem& problem_of(const Task& task) {
  const auto found = problem_registry().find(task.lab);
  if (found == problem_registry().end()) throw std::logic_error("no problem is linked for " + task.name());
  return *found->second;
}

const Rung& rung_of(const Task& task) {
  const Rung* const rung = problem_of(task).find_rung(task.rung);
  if (!rung) throw std::logic_error(task.name() + " is of an unknown rung: " + task.rung);
  return *rung;
}

const Problem& problem_named(const std::string& lab) {
  if (const auto found = problem_registry().find(lab); found != problem_registry().end())
    return *found->second;
  std::vector<std::string> labs;
  for (const auto& [name, problem] : problem_registry()) labs.push_back(name);
  throw unknown_lab(lab, labs);
}

}  // namespace warplab
