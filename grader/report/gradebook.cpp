#include "grader/report/gradebook.hpp"

#include <fmt/format.h>

#include "grader/report/task_words.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

std::string field(const std::string& text) { return csv_field(shown_line(text)); }

/// Calls `lab` before the first task of each lab, and `task` for each.
template <class OfLab, class OfTask>
void for_each_column(const std::vector<TaskColumn>& columns, const OfLab& lab, const OfTask& task) {
  const std::string* last = nullptr;
  for (const TaskColumn& column : columns) {
    if (!last || *last != column.lab) lab(column.lab);
    last = &column.lab;
    task(column);
  }
}

std::string lab_points(const SubmissionRecord& record, const std::string& lab) {
  double sum = 0;
  bool any = false;
  for (const TaskRecord& task : record.tasks)
    if (task.lab == lab) sum += task.score, any = true;
  return any ? points_text(sum) : "";
}

}  // namespace

std::string gradebook_csv(const std::vector<SubmissionRecord>& records) {
  const std::vector<TaskColumn> columns = columns_of(records);
  std::string text = "student,status,total,points";
  for_each_column(
      columns, [&](const std::string& lab) { text += "," + field(lab); },
      [&](const TaskColumn& column) { text += "," + field(column.lab + "/" + column.id); });
  text += ",problem\n";
  for (const SubmissionRecord& record : records) {
    text += field(record.student) +
            (record.status == SubmissionRecord::Status::graded ? ",graded," : ",problem,") +
            points_text(record.score()) + "," + points_text(record.points());
    for_each_column(
        columns, [&](const std::string& lab) { text += "," + lab_points(record, lab); },
        [&](const TaskColumn& column) {
          const TaskRecord* const task = find(record, column);
          text += "," + (task ? points_text(task->score) : std::string());
        });
    text += "," + field(record.problem) + "\n";
  }
  return text;
}

std::string clock_csv(const std::vector<SubmissionRecord>& records) {
  std::string rows;
  for (const SubmissionRecord& record : records)
    for (const TaskRecord& task : record.tasks) {
      if (!task.clock) continue;
      const ClockReading& clock = *task.clock;
      const std::string ratio = clock.ratio ? fmt::format("{:.3f},{:.3f},{:.3f}", clock.ratio->median,
                                                          clock.ratio->low, clock.ratio->high)
                                            : ",,";
      rows += fmt::format("{},{},{},{},{},{},{:g},{},{}\n", field(record.student), field(name_of(task)),
                          field(clock.device), field(clock.input), ratio, clock.rounds, clock.most,
                          name_of(clock.verdict), field(clock.reason));
    }
  return rows.empty() ? "" : "student,task,device,input,ratio,low,high,rounds,most,verdict,reason\n" + rows;
}

}  // namespace warplab
