#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/judge/judge.hpp"
#include "grader/judge/rung_builder.hpp"

namespace warplab {

/// What is seen of a mistake when it is judged.
struct Symptoms {
  /// The kinds that name it: those of the lens's findings ("race"); where the lens finds nothing, one of
  /// "endless", "error", "wrong values" and "costs more".
  std::set<std::string> kinds;
  std::string text;  ///< of the first check that fails, for the student
};

/// All kinds that an answer may have.
std::vector<std::string> symptom_kinds();

/// Builds a task with these files and judges it.
Symptoms symptoms_of(const Task& task, const FileTexts& files, const Judge& judge, RungBuilder& builder);

}  // namespace warplab
