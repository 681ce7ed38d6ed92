#pragma once

#include <string>

#include "grader/course/course.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {

/// The problem of a task's lab, and the rung that the task is or is part of.
/// @throws std::logic_error if this program has no such problem or rung
const Problem& problem_of(const Task& task);
const Rung& rung_of(const Task& task);

/// Whether a case has the values that the task's `only` names: sizes, parameters, and `element_bytes`, which
/// is 4 for float and 1 for uint8.
bool belongs(const Task& task, const Case& c);

/// Whether blocks and tiles fit a case, so that it is of the first of a task's two steps.
bool fits(const Task& task, const Case& c);

/// The problem of a lab that a user named. @throws BadInput
const Problem& problem_named(const std::string& lab);

}  // namespace warplab
