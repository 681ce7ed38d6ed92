#pragma once

#include "grader/judge/record.hpp"
#include "grader/report/page.hpp"

namespace warplab {

/// The page that a student gets: points, for each task what was expected, what happened first and why, its
/// hint, and what to do next. Of hidden checks it shows only the kind of input.
Page feedback_page(const SubmissionRecord& record);

/// Of it the begin and the end, for where each task is shown by other means.
Page overview_page(const SubmissionRecord& record);

}  // namespace warplab
