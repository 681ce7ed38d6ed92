#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/batch/class_plan.hpp"
#include "grader/course/course.hpp"

namespace warplab {

/// What was found beside the records.
struct Collected {
  std::size_t records = 0;
  /// What the instructor should know of the batch as a whole: submissions without a record, those that
  /// warplab failed on, two entries of one name, records by other tasks or points. The summary has them too.
  std::vector<std::string> remarks;
};

/// Writes what is made of the records in `out`: gradebook, JUnit, feedback pages, summary, and Gradescope's
/// results; and with a plan the class's marks. Nothing is written where the plan does not fit the records.
/// @throws BadInput
Collected collect(const Course& course, const std::filesystem::path& out,
                  const std::filesystem::path& submissions, const ClassPlan* plan = nullptr);

}  // namespace warplab
