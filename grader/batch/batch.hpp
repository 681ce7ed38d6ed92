#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/class_plan.hpp"
#include "grader/clock/task_clock.hpp"
#include "grader/course/course.hpp"
#include "grader/course/secret.hpp"
#include "grader/judge/rung_builder.hpp"

namespace warplab {

/// Part `index` of `count`, from 1: every count-th submission.
struct Shard {
  unsigned index = 1, count = 1;
};
/// "2/5". @throws BadInput naming what is accepted
Shard parse_shard(const std::string& text);

/// What a batch grades, where it goes, and how.
struct BatchOptions {
  std::filesystem::path submissions;  ///< a folder with one entry per student
  std::filesystem::path out;
  std::filesystem::path hidden;     ///< tests/hidden
  unsigned jobs = 1;                ///< submissions graded at a time
  std::optional<Shard> shard;       ///< then the gradebook is left to collect()
  bool resume = false;              ///< go on with the batch that `out` holds
  std::optional<Secret> seed;       ///< else the batch's own, or a fresh one
  std::string sandbox;              ///< the level's name, for the records
  double submission_s = 0;          ///< what grading one may take, to be said before the first; 0: no limit
  TaskClock* clock = nullptr;       ///< that is asked about what was right, where there is one
  const ClassPlan* plan = nullptr;  ///< whose marks are made at the end, where there is a roster
};

/// Grades every submission that has no record yet, each into a record of its own, and at the end, if it is
/// not a shard of a batch, collects. Ended at any moment, also by kill -9, it can be resumed: nothing is lost
/// and nothing graded twice. A submission that changed since it was graded is graded again, and its record
/// keeps those before it. With a clock, a record that lacks readings gets them, and keeps those that it has.
/// @return the exit code: 4 if warplab itself failed on a submission, which then has a record that says so
/// @throws BadInput
int grade_batch(const Course& course, const BatchOptions& options, const BuilderMaker& make_builder);

}  // namespace warplab
