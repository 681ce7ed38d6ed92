#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "grader/judge/record.hpp"

namespace warplab {

/// Who sees a test on Gradescope.
enum class Visibility { visible, after_due_date, after_published, hidden };
const char* name_of(Visibility visibility);
/// @throws BadInput naming what is accepted
Visibility visibility_by_name(const std::string& name);

/// What Gradescope shows to whom.
struct GradescopeOptions {
  /// Of hidden checks. They show only the kind of input, so they may be visible; with anything else,
  /// Gradescope keeps the student's total back as well.
  Visibility hidden_checks = Visibility::visible;
  bool leaderboard = false;  ///< an entry with the points, which all students of the course see
  std::optional<double> execution_time_s = {};
  /// The best score before, from submission_metadata.json: a later submission never loses points.
  std::optional<double> best_before = {};
};

/// One submission as Gradescope's results.json: a test a check (or a task that has none), numbered lab, task,
/// check. What the autograder prints stays hidden. Nothing that students wrote is shown other than as text.
nlohmann::ordered_json gradescope_results(const SubmissionRecord& record,
                                          const GradescopeOptions& options = {});

}  // namespace warplab
