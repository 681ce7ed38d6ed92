#pragma once

#include <string>

#include "grader/course/course.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {

/// The problem of a task's lab, and the rung that the task is or is part of.
/// @throws std::logic_error if this program has no such problem or rung
const Problem& problem_of(const Task& task);
const Rung& rung_of(const Task& task);

/// The problem of a lab that a user named. @throws BadInput
const Problem& problem_named(const std::string& lab);

}  // namespace warplab
