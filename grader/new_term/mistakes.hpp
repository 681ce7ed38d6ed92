#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/judge/record.hpp"
#include "grader/report/page.hpp"

namespace warplab {

/// What a term's submissions had trouble with, for whoever teaches the next: per task the points of the
/// lowest, the quarters and the highest; what the lens found, and in how many; the checks that failed most;
/// and how many files could not be judged, and why. Only submissions that could be graded count. The same for
/// the same records.
/// @param minutes of the students who kept a log, task by task, least first
Page mistakes_page(const std::string& term, const std::vector<SubmissionRecord>& records,
                   const std::map<std::string, std::vector<double>>& minutes = {});

}  // namespace warplab
