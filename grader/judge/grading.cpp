#include "grader/judge/grading.hpp"

#include "grader/answers/written_part.hpp"
#include "grader/judge/oddities.hpp"
#include "grader/release/handed_out.hpp"
#include "grader/text/sha256.hpp"
#include "grader/text/source_tree.hpp"
#include "harness/problem/problem.hpp"
#include "harness/rung/backend.hpp"

namespace warplab {
namespace {

/// A task's headers that are for students to complete, and that were not handed in: with those that were
/// handed out, a kernel of theirs may do nothing.
void note_missing_headers(const Task& task, const Lab& lab, const FileTexts& files,
                          std::vector<std::string>& notes) {
  for (const std::string& header : task.headers) {
    if (files.contains(header) || handed_out(lab, header) == bytes_of_file(lab.folder / header)) continue;
    notes.push_back(header + " was not handed in; " + task.file +
                    " was graded with the one that was handed out, which is to be completed");
  }
}

void add_notice(TaskRecord& task, const std::string& notice) {
  if (!notice.empty()) task.notice += (task.notice.empty() ? "" : "; ") + notice;
}

}  // namespace

FileTexts files_of(const Task& task, const Lab& lab, const Intake& intake) {
  FileTexts files;
  for (const std::string& name : task.files())
    if (const auto file = intake.files.find({lab.folder.filename().string(), name});
        file != intake.files.end())
      files.emplace(name, file->second);
  return files;
}

std::map<std::string, std::string> answers_of(const Course& course, const Intake& intake) {
  std::map<std::string, std::string> answers;
  for (const Lab& lab : course.labs) {
    const auto file = intake.files.find({lab.folder.filename().string(), answers_file});
    if (file != intake.files.end() && !answers_in(file->second).empty()) answers[lab.stem] = file->second;
  }
  return answers;
}

std::string key_of(const Task& task, const FileTexts& files) {
  std::string key = task.name();
  for (const auto& [name, content] : files) key += " " + name + " " + sha256(content);
  return key;
}

std::optional<TaskRecord> KnownVerdicts::find(const Task& task, const FileTexts& files) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(key_of(task, files));
  return found == records_.end() ? std::nullopt : std::optional(found->second);
}

void KnownVerdicts::add(const Task& task, const FileTexts& files, const TaskRecord& record) {
  add(key_of(task, files), record);
}

void KnownVerdicts::add(const std::string& key, const TaskRecord& record) {
  const std::lock_guard lock(mutex_);
  records_.emplace(key, record);
}

SubmissionRecord grade_submission(const Course& course, const Judge& judge, const Intake& intake,
                                  RungBuilder& builder, const GradingConditions& conditions,
                                  KnownVerdicts& known) {
  using Status = TaskRecord::Status;
  SubmissionRecord record;
  record.student = intake.student;
  record.source = intake.source;
  record.digest = intake.digest;
  record.sandbox = conditions.sandbox;
  record.backend = backend == Backend::cuda ? "cuda" : "emulator";
  record.seed_digest = conditions.seed_digest;
  record.tasks_digest = conditions.tasks_digest;
  record.problem = intake.problem;
  if (!record.problem.empty()) record.status = SubmissionRecord::Status::not_gradable;
  record.notes = intake.notes;
  record.answers = answers_of(course, intake);
  for (const Lab& lab : course.labs) {
    FileTexts built_from;  // tasks that share their files follow one another
    RungBuilder::Built built;
    for (const Task& task : lab.tasks) {
      const FileTexts files = files_of(task, lab, intake);
      if (!files.contains(task.file)) {
        record.tasks.push_back(
            judge.unjudged(task, Status::missing, "the submission has no file " + task.file));
        continue;
      }
      if (is_untouched(lab, task.file, files.at(task.file))) {
        record.tasks.push_back(judge.unjudged(task, Status::to_do, task.file + " is as it was handed out"));
        continue;
      }
      note_missing_headers(task, lab, files, record.notes);
      if (const std::optional<TaskRecord> verdict = known.find(task, files)) {
        record.tasks.push_back(*verdict);
        continue;
      }
      if (built_from != files) {
        built = {};
        built = builder.build(task, files);
        built_from = files;
      }
      record.tasks.push_back(built.runner ? judge.judge(task, *built.runner, files)
                                          : judge.unjudged(task, built.status, built.reason));
      for (const std::string& notice : {built.notice, hidden_in(files)})
        add_notice(record.tasks.back(), notice);
      known.add(task, files, record.tasks.back());
    }
  }
  return record;
}

}  // namespace warplab
