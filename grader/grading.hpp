#pragma once

#include <string>

#include "grader/course.hpp"
#include "grader/intake.hpp"
#include "grader/judge.hpp"
#include "grader/record.hpp"
#include "grader/workshop.hpp"

namespace warplab {

/// What a record says of the conditions, besides the verdicts.
struct GradingConditions {
  std::string sandbox, seed_digest;
};

/// Grades what was taken of one submission: builds each task's rung, one after another, and has it judged.
/// Tasks that share a file share its module. Never throws for what the submission does.
SubmissionRecord grade_submission(const Course& course, const Judge& judge, const Intake& intake,
                                  Workshop& workshop, const GradingConditions& conditions);

/// Whether a student has left a file as it was handed out.
bool is_untouched(const Lab& lab, const std::string& file, const std::string& content);

}  // namespace warplab
