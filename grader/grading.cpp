#include "grader/grading.hpp"

#include <sstream>

#include "common/problem.hpp"
#include "grader/sha256.hpp"
#include "grader/solution_regions.hpp"
#include "grader/source_tree.hpp"
#include "grader/withheld_parts.hpp"

namespace warplab {
namespace {

/// Without white space at the ends of lines and of the file, which editors change by themselves.
std::string without_loose_ends(const std::string& text) {
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    kept += line + '\n';
  }
  kept.erase(kept.find_last_not_of('\n') + 1);
  return kept;
}

}  // namespace

std::string handed_out(const Lab& lab, const std::string& file) {
  return without_solutions(without_withheld_parts(bytes_of_file(lab.folder / file), file), file);
}

bool is_untouched(const Lab& lab, const std::string& file, const std::string& content) {
  return without_loose_ends(content) == without_loose_ends(handed_out(lab, file));
}

std::string KnownVerdicts::key(const Task& task, const std::string& content) {
  return task.name() + " " + sha256(content);
}

std::optional<TaskRecord> KnownVerdicts::find(const Task& task, const std::string& content) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(key(task, content));
  return found == records_.end() ? std::nullopt : std::optional(found->second);
}

void KnownVerdicts::add(const Task& task, const std::string& content, const TaskRecord& record) {
  const std::lock_guard lock(mutex_);
  records_.emplace(key(task, content), record);
}

SubmissionRecord grade_submission(const Course& course, const Judge& judge, const Intake& intake,
                                  Workshop& workshop, const GradingConditions& conditions,
                                  KnownVerdicts& known) {
  using Status = TaskRecord::Status;
  SubmissionRecord record;
  record.student = intake.student;
  record.source = intake.source;
  record.digest = intake.digest;
  record.sandbox = conditions.sandbox;
  record.backend = backend == Backend::cuda ? "cuda" : "emulator";
  record.seed_digest = conditions.seed_digest;
  record.problem = intake.problem;
  record.notes = intake.notes;
  for (const Lab& lab : course.labs) {
    std::string built_from;  // tasks that share a file follow one another
    Workshop::Built built;
    for (const Task& task : lab.tasks) {
      const auto file = intake.files.find({lab.folder.filename().string(), task.file});
      if (file == intake.files.end()) {
        record.tasks.push_back(
            judge.unjudged(task, Status::missing, "the submission has no file " + task.file));
        continue;
      }
      if (is_untouched(lab, task.file, file->second)) {
        record.tasks.push_back(judge.unjudged(task, Status::to_do, task.file + " is as it was handed out"));
        continue;
      }
      if (const std::optional<TaskRecord> verdict = known.find(task, file->second)) {
        record.tasks.push_back(*verdict);
        continue;
      }
      if (built_from != task.file) {
        built = {};
        built = workshop.build(task, file->second);
        built_from = task.file;
      }
      record.tasks.push_back(built.runner ? judge.judge(task, *built.runner)
                                          : judge.unjudged(task, built.status, built.reason));
      known.add(task, file->second, record.tasks.back());
    }
  }
  return record;
}

}  // namespace warplab
