#pragma once

#include <string>

#include "grader/judge/grading.hpp"

namespace warplab {

/// A record of what warplab failed on: nothing is lost, and others are graded.
/// @param why "its process was ended by SIGSEGV (Segmentation fault)"
SubmissionRecord failed_record(const Course& course, const Judge& judge, const Intake& intake,
                               const GradingConditions& conditions, const std::string& why);

}  // namespace warplab
