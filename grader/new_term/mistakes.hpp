#pragma once

#include <string>
#include <vector>

#include "grader/judge/record.hpp"
#include "grader/report/page.hpp"

namespace warplab {

/// What a term's submissions had trouble with, for whoever teaches the next: per task the points of the
/// lowest, the quarters and the highest; the checks that failed most; and how many files could not be judged,
/// and why. Only submissions that could be graded count. The same for the same records.
Page mistakes_page(const std::string& term, const std::vector<SubmissionRecord>& records);

}  // namespace warplab
