#pragma once

#include <string>
#include <vector>

#include "grader/judge/record.hpp"

namespace warplab {

/// Records as JUnit XML, for the instructor's CI: one suite per submission, one case per check (or a task
/// that has none). Tasks still to do and checks that were not run are skipped, what did not compile, was
/// refused or crashed is an error. It holds no times, and what hidden checks expected: it is not for
/// students.
std::string junit_xml(const std::vector<SubmissionRecord>& records);

}  // namespace warplab
