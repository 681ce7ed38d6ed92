#include "grader/new_term/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grader/report/task_words.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

constexpr std::size_t most_checks = 20;

using Records = std::vector<SubmissionRecord>;

PageTable::Cell right(const std::string& text) { return {text, true}; }

/// The value below which a share of sorted values lies; between two of them it is on the line through both.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

void add_points(Page& page, const Records& records) {
  page.blocks.push_back(Heading{2, "Points per task"});
  page.blocks.push_back(Paragraph{
      "A quarter of the submissions has at most the points under 25 %, and half at most those under 50 %."});
  PageTable table{{"task", "of", "submissions", "lowest", "25 %", "50 %", "75 %", "highest", "middle"}, {}};
  for (const TaskColumn& column : columns_of(records)) {
    std::vector<double> scores;
    for (const SubmissionRecord& record : records) {
      const TaskRecord* const task = find(record, column);
      if (task && task->status != TaskRecord::Status::missing) scores.push_back(task->score);
    }
    if (scores.empty()) continue;
    std::ranges::sort(scores);
    std::vector<PageTable::Cell> row{{column.lab + "/" + column.id},
                                     right(points_text(column.points)),
                                     right(std::to_string(scores.size()))};
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
      row.push_back(right(points_text(quantile(scores, share))));
    const double middle = column.points > 0 ? quantile(scores, 0.5) / column.points : 0;
    row.push_back({fmt::format("{} %", static_cast<int>(middle * 100)), false, middle});
    table.rows.push_back(std::move(row));
  }
  page.blocks.push_back(std::move(table));
}

void add_failed_checks(Page& page, const Records& records) {
  struct Count {
    std::string task, check;
    std::size_t run = 0, failed = 0;
    double share() const { return static_cast<double>(failed) / static_cast<double>(run); }
  };
  std::map<std::pair<std::string, std::string>, Count> counts;
  for (const SubmissionRecord& record : records)
    for (const TaskRecord& task : record.tasks)
      for (const Check& check : task.checks) {
        if (check.status == Check::Status::not_run) continue;
        Count& count = counts[{name_of(task), check.name}];
        count.task = name_of(task), count.check = check.name;
        ++count.run;
        count.failed += check.status == Check::Status::failed;
      }
  std::vector<Count> failed;
  for (const auto& [name, count] : counts)
    if (count.failed) failed.push_back(count);
  std::ranges::stable_sort(failed, [](const Count& a, const Count& b) { return a.share() > b.share(); });
  if (failed.size() > most_checks) failed.resize(most_checks);
  page.blocks.push_back(Heading{2, "Checks that failed most"});
  if (failed.empty()) {
    page.blocks.push_back(Paragraph{"No check failed."});
    return;
  }
  PageTable table{{"task", "check", "run", "failed", "share"}, {}};
  for (const Count& count : failed)
    table.rows.push_back(
        {{count.task},
         {count.check},
         right(std::to_string(count.run)),
         right(std::to_string(count.failed)),
         {fmt::format("{} %", static_cast<int>(count.share() * 100)), false, count.share()}});
  page.blocks.push_back(std::move(table));
}

void add_not_judged(Page& page, const Records& records) {
  PageTable table{{"task", "what happened", "submissions"}, {}};
  for (const TaskColumn& column : columns_of(records)) {
    std::map<TaskRecord::Status, std::size_t> counts;
    for (const SubmissionRecord& record : records)
      if (const TaskRecord* const task = find(record, column)) ++counts[task->status];
    for (const auto& [status, count] : counts)
      if (status != TaskRecord::Status::judged && status != TaskRecord::Status::missing)
        table.rows.push_back(
            {{column.lab + "/" + column.id}, {words_for(status)}, right(std::to_string(count))});
  }
  if (table.rows.empty()) return;
  page.blocks.push_back(Heading{2, "Files that could not be judged"});
  page.blocks.push_back(std::move(table));
}

}  // namespace

Page mistakes_page(const std::string& term, const Records& all) {
  Records records;
  for (const SubmissionRecord& record : all)
    if (record.status == SubmissionRecord::Status::graded) records.push_back(record);
  Page page{"Frequent mistakes" + (term.empty() ? "" : " of " + term), {}};
  page.blocks.push_back(Paragraph{fmt::format("From {}.", counted(records.size(), "graded submission"))});
  if (records.empty()) return page;
  add_points(page, records);
  add_failed_checks(page, records);
  add_not_judged(page, records);
  return page;
}

}  // namespace warplab
