#include "grader/new_term/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "grader/new_term/test_log.hpp"
#include "grader/report/task_words.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

constexpr std::size_t max_rows = 20;

using Records = std::vector<SubmissionRecord>;

PageTable::Cell right(const std::string& text) { return {text, true}; }

/// The value below which a share of sorted values lies; between two of them it is on the line through both.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

/// Lowest, quarters and highest of sorted values, and a picture of them as shares of `most`.
void add_quarters(std::vector<PageTable::Cell>& row, const std::vector<double>& sorted, double most) {
  std::array<double, 5> box{};
  for (std::size_t i = 0; i < box.size(); ++i) {
    const double value = quantile(sorted, static_cast<double>(i) / 4);
    box[i] = most > 0 ? std::clamp(value / most, 0.0, 1.0) : 0;
    row.push_back(right(points_text(value)));
  }
  row.push_back({.text = fmt::format("{:.0f} to {:.0f} %, half of them from {:.0f} to {:.0f} %", box[0] * 100,
                                     box[4] * 100, box[1] * 100, box[3] * 100),
                 .box = box});
}

void add_points(Page& page, const Records& records) {
  page.blocks.push_back(Heading{2, "Points per task"});
  page.blocks.push_back(Paragraph{
      "A quarter of the submissions has at most the points under 25 %, and half at most those under 50 %."});
  PageTable table{{"task", "of", "submissions", "lowest", "25 %", "50 %", "75 %", "highest", "spread"}, {}};
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
    add_quarters(row, scores, column.points);
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
  if (failed.size() > max_rows) failed.resize(max_rows);
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

/// How long students worked on each task, as their own logs show it.
void add_minutes(Page& page, const std::map<std::string, std::vector<double>>& minutes) {
  if (minutes.empty()) return;
  page.blocks.push_back(Heading{2, "Minutes per task"});
  page.blocks.push_back(Paragraph{fmt::format(
      "From the logs of students who kept one. Pauses of more than {} minutes are not counted, and "
      "neither is the time before a first test, so these figures are lower bounds.",
      longest_pause.count())});
  double most = 0;
  for (const auto& [task, all] : minutes) most = std::max(most, all.back());
  PageTable table{{"task", "logs", "least", "25 %", "50 %", "75 %", "most", "spread"}, {}};
  for (const auto& [task, all] : minutes) {
    std::vector<PageTable::Cell>& row = table.rows.emplace_back();
    row = {{task}, right(std::to_string(all.size()))};
    add_quarters(row, all, most);
  }
  page.blocks.push_back(std::move(table));
}

/// "after barrier 2": where a kernel makes a mistake, as its text has it.
std::string place_of(const SeenMistake& mistake) {
  if (!mistake.barriers) return "";
  if (mistake.kind == lens::FindingKind::divergent_barrier)
    return fmt::format("at barrier {}", *mistake.barriers + 1);
  return *mistake.barriers == 0 ? "before any barrier" : fmt::format("after barrier {}", *mistake.barriers);
}

/// How many submissions the lens found each kind of mistake in, task by task.
void add_found_mistakes(Page& page, const Records& records) {
  std::map<std::string, std::size_t> judged;
  std::map<std::pair<std::string, SeenMistake>, std::size_t> counts;
  for (const SubmissionRecord& record : records)
    for (const TaskRecord& task : record.tasks) {
      if (task.status != TaskRecord::Status::judged) continue;
      ++judged[name_of(task)];
      std::set<SeenMistake> found;
      for (const Check& check : task.checks) found.insert(check.mistakes.begin(), check.mistakes.end());
      for (const SeenMistake& mistake : found) ++counts[{name_of(task), mistake}];
    }
  if (counts.empty()) return;
  page.blocks.push_back(Heading{2, "What the lens found"});
  page.blocks.push_back(
      Paragraph{"Barriers are counted from the top of the function in which a mistake was found, as its text "
                "has them."});
  PageTable table{{"task", "finding", "where", "likely cause", "judged", "had it", "share"}, {}};
  for (const auto& [key, count] : counts) {
    const auto& [task, mistake] = key;
    const double share = static_cast<double>(count) / static_cast<double>(judged[task]);
    table.rows.push_back({{task},
                          {lens::name_of(mistake.kind)},
                          {place_of(mistake)},
                          {lens::text_of(mistake.hint)},
                          right(std::to_string(judged[task])),
                          right(std::to_string(count)),
                          {fmt::format("{} %", static_cast<int>(share * 100)), false, share}});
  }
  std::ranges::stable_sort(table.rows, [](const auto& a, const auto& b) { return *a[6].bar > *b[6].bar; });
  if (table.rows.size() > max_rows) table.rows.resize(max_rows);
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

Page mistakes_page(const std::string& term, const Records& all,
                   const std::map<std::string, std::vector<double>>& minutes) {
  Records records;
  for (const SubmissionRecord& record : all)
    if (record.status == SubmissionRecord::Status::graded) records.push_back(record);
  Page page{"Frequent mistakes" + (term.empty() ? "" : " of " + term), {}};
  page.blocks.push_back(Paragraph{fmt::format("From {}.", counted(records.size(), "graded submission"))});
  if (records.empty()) return page;
  add_points(page, records);
  add_minutes(page, minutes);
  add_found_mistakes(page, records);
  add_failed_checks(page, records);
  add_not_judged(page, records);
  return page;
}

}  // namespace warplab
