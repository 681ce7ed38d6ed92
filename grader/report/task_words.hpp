#pragma once

#include <string>
#include <vector>

#include "grader/judge/record.hpp"
#include "grader/report/page.hpp"

namespace warplab {

/// What a student may see of a check: of hidden cases only the kind of input, not what was expected there.
Check shown_to_student(const Check& check);

/// "transpose/tiled"
std::string name_of(const TaskRecord& task);

/// The outcome of a task, in a few words: "the stub is still there".
std::string words_for(TaskRecord::Status status);

/// How many of a task's points a submission has.
enum class Credit { full, partial, none };
Credit credit_of(const TaskRecord& task);
Tone tone_of(Credit credit);

/// A task as the records of a batch know it.
struct TaskColumn {
  std::string lab, id, title;
  double points = 0;
  bool is(const TaskRecord& task) const { return lab == task.lab && id == task.id; }
};

/// The tasks that occur in records, a lab's together, in the order in which they first occur.
std::vector<TaskColumn> columns_of(const std::vector<SubmissionRecord>& records);

const TaskRecord* find(const SubmissionRecord& record, const TaskColumn& column);

}  // namespace warplab
