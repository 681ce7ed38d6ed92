#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/course/task_problem.hpp"
#include "grader/judge/rung_builder.hpp"
#include "lens/report.hpp"

namespace warplab {

/// What the lens recorded of one task of a submission.
struct RecordedTask {
  const Task* task = nullptr;
  FileTexts files;  ///< of the student, by their names in the lab's folder
  Case problem_case;
  std::vector<lens::Launch> launches;  ///< every block of them
  std::string problem = {};            ///< why nothing was recorded; or ""
};

/// The case that a task is examined at: that of its first limit, otherwise the lab's own on the emulator.
/// Both have whole tiles, so that the counts can be worked out by hand.
Case viva_case(const Task& task);

/// Builds and runs a task. Nothing that the submission does is thrown.
RecordedTask record_task(const Task& task, const FileTexts& files, RungBuilder& builder);

}  // namespace warplab
