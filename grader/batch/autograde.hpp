#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "grader/course/course.hpp"
#include "grader/course/secret.hpp"
#include "grader/judge/grading.hpp"
#include "grader/judge/rung_builder.hpp"
#include "grader/report/gradescope.hpp"

namespace warplab {

/// Where Gradescope puts a submission and looks for its results, and how it is graded.
struct AutogradeOptions {
  std::filesystem::path submission;  ///< a folder, or an archive
  std::filesystem::path results;     ///< results.json
  std::filesystem::path metadata;    ///< submission_metadata.json; it need not exist
  std::filesystem::path hidden;      ///< tests/hidden
  std::string sandbox;               ///< the level's name, for the record
  GradescopeOptions shown = {};
};

/// Grades one submission and writes Gradescope's results for it, whole or not at all.
/// @throws what the builder does, and BadInput if the results cannot be written
void autograde(const Course& course, const Secret& secret, const AutogradeOptions& options,
               RungBuilder& builder);

/// The best score of earlier submissions that were graded with the same secret, by the same
/// tasks, points and limits, as submission_metadata.json tells; nothing where there is none,
/// or no such file, or no sense in it.
std::optional<double> best_score_before(const std::filesystem::path& metadata,
                                        const GradingConditions& conditions);

}  // namespace warplab
