#pragma once

#include <string>
#include <vector>

#include "grader/judge/record.hpp"

namespace warplab {

/// The table of a class as CSV: student, status ("graded" or "problem"), total, points (that the total is
/// of), a column a lab and one per task ("transpose", "transpose/tiled"), problem. The same bytes for the
/// same records. A field is empty where a record lacks the task.
std::string gradebook_csv(const std::vector<SubmissionRecord>& records);

/// What the clock said, a row a task that it was asked about: student, task, device, input, ratio, low, high
/// (of the ratio's interval), rounds, most, verdict, reason. "" where it was asked about none.
std::string clock_csv(const std::vector<SubmissionRecord>& records);

}  // namespace warplab
