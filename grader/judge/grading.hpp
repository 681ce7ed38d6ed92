#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "grader/course/course.hpp"
#include "grader/intake/intake.hpp"
#include "grader/judge/judge.hpp"
#include "grader/judge/record.hpp"
#include "grader/judge/rung_builder.hpp"

namespace warplab {

/// Verdicts of a batch by task and contents: what was judged is not judged again, since the verdict
/// would be the same. Used by several threads at a time.
class KnownVerdicts {
 public:
  std::optional<TaskRecord> find(const Task& task, const FileTexts& files) const;
  void add(const Task& task, const FileTexts& files, const TaskRecord& record);
  /// @param key key_of() the task and its files
  void add(const std::string& key, const TaskRecord& record);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, TaskRecord> records_;
};

/// What a record says of the conditions, besides the verdicts.
struct GradingConditions {
  std::string sandbox, seed_digest, tasks_digest;
};

/// Grades what was taken of one submission: builds each task's rung, one after another, and has it judged.
/// Tasks that share a file share its module. Never throws for what the submission does.
SubmissionRecord grade_submission(const Course& course, const Judge& judge, const Intake& intake,
                                  RungBuilder& builder, const GradingConditions& conditions,
                                  KnownVerdicts& known);

/// What was taken of a task's files.
FileTexts files_of(const Task& task, const Lab& lab, const Intake& intake);

/// What a submission answers: answers.md of each lab where a question is answered, by the lab's stem.
std::map<std::string, std::string> answers_of(const Course& course, const Intake& intake);

/// The same for the same task and files, and for no others.
std::string key_of(const Task& task, const FileTexts& files);

}  // namespace warplab
