#include "grader/course/task_problem.hpp"

#include <algorithm>
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

namespace {

/// An extent or a parameter of the case, by its name.
double value_of(const Case& c, const std::string& name, double otherwise) {
  const auto size = std::ranges::find(c.size, name, [](const auto& s) { return s.first; });
  return size != c.size.end() ? static_cast<double>(size->second) : c.param(name, otherwise);
}

}  // namespace

bool belongs(const Task& task, const Case& c) {
  return std::ranges::all_of(task.only, [&](const auto& only) {
    if (only.first == "element_bytes") return static_cast<double>(size_of(c.dtype)) == only.second;
    return value_of(c, only.first, only.second) == only.second;
  });
}

bool fits(const Task& task, const Case& c) {
  return !task.fits.empty() && std::ranges::all_of(task.fits, [&](const auto& fit) {
    const auto& [name, multiple] = fit;
    const auto value = static_cast<std::int64_t>(value_of(c, name, 0));
    return multiple == 0 ? value == 0 : value > 0 && value % multiple == 0;
  });
}

const Problem& problem_named(const std::string& lab) {
  if (const auto found = problem_registry().find(lab); found != problem_registry().end())
    return *found->second;
  std::vector<std::string> labs;
  for (const auto& [name, problem] : problem_registry()) labs.push_back(name);
  throw unknown_lab(lab, labs);
}

}  // namespace warplab
