#include "grader/batch/failed_record.hpp"

namespace warplab {

SubmissionRecord failed_record(const Course& course, const Judge& judge, const Intake& intake,
                               const GradingConditions& conditions, const std::string& why) {
  Intake nothing = intake;
  nothing.files.clear();
  struct NoBuilder : RungBuilder {
    Built build(const Task&, const FileTexts&) override { return {}; }
  } none;
  KnownVerdicts unknown;
  SubmissionRecord record = grade_submission(course, judge, nothing, none, conditions, unknown);
  record.status = SubmissionRecord::Status::own_failure;
  record.problem = "warplab itself failed on it, and it must be graded again: " + why;
  return record;
}

}  // namespace warplab
