#include "grader/viva/viva.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "grader/judge/grading.hpp"
#include "grader/judge/judge.hpp"
#include "grader/release/handed_out.hpp"
#include "grader/text/sha256.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {
namespace {

/// A number drawn from a text.
std::uint64_t drawn(const std::string& key) { return std::stoull(sha256(key).substr(0, 15), nullptr, 16); }

std::string place_of(const VivaQuestion& question) {
  return fmt::format("{} {} {} {} {}", question.task, name_of(question.kind), question.file, question.line,
                     question.text);
}

/// A task of which a submission has something written.
struct WrittenTask {
  const Task* task;
  FileTexts files;
};

std::vector<WrittenTask> written_tasks(const Course& course, const Intake& intake, const std::string& key) {
  std::vector<WrittenTask> all;
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks) {
      FileTexts files = files_of(task, lab, intake);
      const bool is_written = std::ranges::any_of(
          files, [&](const auto& file) { return !is_untouched(lab, file.first, file.second); });
      if (files.contains(task.file) && is_written && problem_of(task).launches_kernels())
        all.push_back({&task, std::move(files)});
    }
  std::ranges::sort(all, {}, [&](const WrittenTask& one) { return drawn(key + one.task->name()); });
  return all;
}

/// What the judge says of a task with a part taken out of one of its files.
std::string outcome_without(const RecordedTask& record, const VivaQuestion& question, const Judge& judge,
                            RungBuilder& builder) {
  FileTexts files = record.files;
  files[question.file] = question.changed;
  const RungBuilder::Built built = builder.build(*record.task, files);
  if (!built.runner) return "It is not built any more: " + built.reason;
  const TaskRecord verdict = judge.judge(*record.task, *built.runner);
  const auto failed = std::ranges::find(verdict.checks, Check::Status::failed, &Check::status);
  if (failed == verdict.checks.end())
    return "Nothing that a test or the lens sees: every public size stays right, and no limit is passed.";
  return fmt::format("'{}' fails{}: {}", failed->name, failed->input.empty() ? "" : " at " + failed->input,
                     failed->happened);
}

}  // namespace

std::vector<VivaQuestion> chosen_questions(std::vector<VivaQuestion> all, std::size_t count,
                                           const std::string& key) {
  std::vector<VivaQuestion> chosen;
  std::map<VivaQuestion::Kind, int> kinds;
  std::map<std::string, int> tasks;
  std::set<std::tuple<std::string, std::string, int>> lines;
  while (chosen.size() < count && !all.empty()) {
    const auto rank = [&](const VivaQuestion& question) {
      const bool is_line_known = lines.contains({question.task, question.file, question.line});
      return std::tuple(kinds[question.kind], !question.telling, tasks[question.task], is_line_known,
                        drawn(key + place_of(question)));
    };
    const auto best = std::ranges::min_element(all, {}, rank);
    ++kinds[best->kind];
    ++tasks[best->task];
    lines.insert({best->task, best->file, best->line});
    chosen.push_back(std::move(*best));
    all.erase(best);
  }
  return chosen;
}

std::string key_of(const std::string& student, const VivaOptions& options) {
  const std::string open = fmt::format("viva {} {} ", student, options.turn);
  return options.secret ? fmt::format("{:016x} {}", options.secret->number(open), open) : open;
}

Viva viva_of(const Course& course, const Intake& intake, RungBuilder& builder, const VivaOptions& options) {
  Viva viva{intake.student, {}, intake.notes};
  const std::string key = key_of(intake.student, options);
  std::map<std::string, RecordedTask> records;
  std::vector<VivaQuestion> all;
  for (const WrittenTask& written : written_tasks(course, intake, key)) {
    if (records.size() == options.tasks) break;
    RecordedTask record = record_task(*written.task, written.files, builder);
    if (!record.problem.empty()) {
      viva.remarks.push_back(written.task->name() + " has no record: " + record.problem);
      continue;
    }
    for (auto& questions : {record_questions(record, drawn(key)), what_if_questions(record)})
      all.insert(all.end(), questions.begin(), questions.end());
    records.emplace(written.task->name(), std::move(record));
  }
  viva.questions = chosen_questions(std::move(all), options.questions, key);
  // Inputs are drawn too: from the submission, so that its answers stay the same.
  const Judge judge(Secret(sha256(key).substr(0, 32)), {});
  for (VivaQuestion& question : viva.questions)
    if (!question.changed.empty())
      question.answer = outcome_without(records.at(question.task), question, judge, builder);
  return viva;
}

}  // namespace warplab
