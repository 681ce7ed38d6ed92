#pragma once

#include <string>
#include <vector>

#include "grader/record.hpp"

namespace warplab {

/// The table of a class as CSV: student, status ("graded" or "problem"), total, points (that the total is
/// of), a column a lab and one a task ("transpose", "transpose/tiled"), problem. The same bytes for the same
/// records. A field is empty where a record lacks the task.
std::string gradebook_csv(const std::vector<SubmissionRecord>& records);

}  // namespace warplab
