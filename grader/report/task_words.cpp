#include "grader/report/task_words.hpp"

#include <algorithm>

namespace warplab {

Check shown_to_student(const Check& check) {
  Check shown = check;
  if (check.kind != Check::Kind::hidden_cases) return shown;
  shown.expected.clear();  // what happened is told without the input already
  if (check.status != Check::Status::not_run) shown.reason.clear();
  return shown;
}

std::string name_of(const TaskRecord& task) { return task.lab + "/" + task.id; }

std::string words_for(TaskRecord::Status status) {
  switch (status) {
    case TaskRecord::Status::judged:
      return "judged";
    case TaskRecord::Status::to_do:
      return "the stub is still there";
    case TaskRecord::Status::missing:
      return "the submission has no such file";
    case TaskRecord::Status::not_compiled:
      return "it does not compile";
    case TaskRecord::Status::refused:
      return "it was refused";
    case TaskRecord::Status::failed:
      return "it failed before any check could end";
  }
  return "";
}

Credit credit_of(const TaskRecord& task) {
  constexpr double noise = 1e-9;
  if (task.score >= task.points - noise) return task.points > noise ? Credit::full : Credit::none;
  return task.score > noise ? Credit::partial : Credit::none;
}

Tone tone_of(Credit credit) {
  return credit == Credit::full ? Tone::good : credit == Credit::partial ? Tone::partial : Tone::bad;
}

std::vector<TaskColumn> columns_of(const std::vector<SubmissionRecord>& records) {
  std::vector<TaskColumn> columns;
  for (const SubmissionRecord& record : records)
    for (const TaskRecord& task : record.tasks) {
      const auto known = std::find_if(columns.begin(), columns.end(),
                                      [&](const TaskColumn& column) { return column.is(task); });
      if (known != columns.end()) continue;
      const auto last = std::find_if(columns.rbegin(), columns.rend(),
                                     [&](const TaskColumn& column) { return column.lab == task.lab; });
      columns.insert(last == columns.rend() ? columns.end() : last.base(),
                     {task.lab, task.id, task.title, task.points});
    }
  return columns;
}

const TaskRecord* find(const SubmissionRecord& record, const TaskColumn& column) {
  const auto found = std::find_if(record.tasks.begin(), record.tasks.end(),
                                  [&](const TaskRecord& task) { return column.is(task); });
  return found == record.tasks.end() ? nullptr : &*found;
}

}  // namespace warplab
