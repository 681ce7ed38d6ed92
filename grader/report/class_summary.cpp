#include "grader/report/class_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "grader/report/task_words.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

using Cell = PageTable::Cell;
constexpr std::size_t max_rows = 100;

double ratio(std::size_t part, std::size_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Cell number(std::size_t value) { return {std::to_string(value), true}; }

Cell bar(std::size_t part, std::size_t whole) { return {std::to_string(part), false, ratio(part, whole)}; }

Cell student(const std::string& name) { return {name, false, {}, "feedback/" + name}; }

void add_rows(Page& page, PageTable table) {
  const std::size_t rows = table.rows.size();
  if (rows > max_rows) table.rows.resize(max_rows);
  page.blocks.push_back(std::move(table));
  if (rows > max_rows)
    page.blocks.push_back(Paragraph{fmt::format("and {} more", counted(rows - max_rows, "row"))});
}

/// The score that as many reach as do not; of an even number the mean of the middle two.
double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

void add_scores(Page& page, const std::vector<SubmissionRecord>& records) {
  std::array<std::size_t, 11> counts{};  // tenths, and all
  std::vector<double> scores;
  double sum = 0, points = 0;
  for (const SubmissionRecord& record : records) {
    scores.push_back(record.score());
    sum += record.score();
    points = std::max(points, record.points());
  }
  for (const double score : scores) {
    const double tenths = points > 0 ? score / points * 10 + 1e-9 : 0;
    ++counts[std::min<std::size_t>(static_cast<std::size_t>(std::max(tenths, 0.0)), 10)];
  }
  page.blocks.push_back(Heading{2, "Scores"});
  if (records.empty()) {
    page.blocks.push_back(Paragraph{"There are no records."});
    return;
  }
  page.blocks.push_back(Paragraph{fmt::format("Of {} points: median {}, mean {}, highest {}, lowest {}.",
                                              points_text(points), points_text(median(scores)),
                                              points_text(sum / static_cast<double>(scores.size())),
                                              points_text(*std::max_element(scores.begin(), scores.end())),
                                              points_text(*std::min_element(scores.begin(), scores.end())))});
  PageTable table{{"share of the points", "submissions"}, {}};
  const std::size_t highest = *std::max_element(counts.begin(), counts.end());
  for (std::size_t i = 0; i < counts.size(); ++i)
    table.rows.push_back(
        {{i == 10 ? "all" : fmt::format("{} to {} %", i * 10, i * 10 + 10)}, bar(counts[i], highest)});
  page.blocks.push_back(std::move(table));
}

void add_tasks(Page& page, const std::vector<SubmissionRecord>& records) {
  PageTable table{{"task", "points", "full", "partial", "none", "not handed in", "share with all points"},
                  {}};
  for (const TaskColumn& column : columns_of(records)) {
    std::size_t all = 0, full = 0, partial = 0, none = 0, absent = 0;
    for (const SubmissionRecord& record : records) {
      const TaskRecord* const task = find(record, column);
      if (!task) continue;
      ++all;
      const Credit credit = credit_of(*task);
      full += credit == Credit::full;
      partial += credit == Credit::partial;
      none += credit == Credit::none;
      absent += task->status == TaskRecord::Status::missing || task->status == TaskRecord::Status::to_do;
    }
    table.rows.push_back(
        {{column.lab + "/" + column.id},
         {points_text(column.points), true},
         number(full),
         number(partial),
         number(none),
         number(absent),
         {fmt::format("{} %", static_cast<int>(ratio(full, all) * 100)), false, ratio(full, all)}});
  }
  page.blocks.push_back(Heading{2, "Tasks"});
  if (table.rows.empty())
    page.blocks.push_back(Paragraph{"No task was graded."});
  else
    page.blocks.push_back(std::move(table));
}

void add_checks(Page& page, const std::vector<SubmissionRecord>& records) {
  struct Count {
    std::size_t failed = 0, run = 0;
  };
  std::map<std::pair<std::string, std::string>, Count> counts;
  for (const SubmissionRecord& record : records)
    for (const TaskRecord& task : record.tasks)
      for (const Check& check : task.checks) {
        Count& count = counts[{name_of(task), check.name}];
        count.run += check.status != Check::Status::not_run;
        count.failed += check.status == Check::Status::failed;
      }
  std::vector<std::pair<std::pair<std::string, std::string>, Count>> failed(counts.begin(), counts.end());
  std::erase_if(failed, [](const auto& entry) { return entry.second.failed == 0; });
  std::stable_sort(failed.begin(), failed.end(),
                   [](const auto& a, const auto& b) { return a.second.failed > b.second.failed; });
  constexpr std::size_t most = 15;
  if (failed.size() > most) failed.resize(most);
  page.blocks.push_back(Heading{2, "Checks that failed most"});
  if (failed.empty()) {
    page.blocks.push_back(Paragraph{"No check failed."});
    return;
  }
  PageTable table{{"task", "check", "run", "failed"}, {}};
  for (const auto& [name, count] : failed)
    table.rows.push_back({{name.first}, {name.second}, number(count.run), bar(count.failed, records.size())});
  page.blocks.push_back(std::move(table));
}

void add_problems(Page& page, const std::vector<SubmissionRecord>& records,
                  const std::vector<std::string>& unread) {
  PageTable problems{{"student", "handed in as", "problem"}, {}},
      tasks{{"student", "task", "what happened"}, {}},
      uncompiled{{"student", "task", "what the compiler says"}, {}},
      odd{{"student", "task", "for you only"}, {}};
  for (const SubmissionRecord& record : records) {
    if (record.status != SubmissionRecord::Status::graded)
      problems.rows.push_back({student(record.student), {record.source}, {record.problem}});
    for (const TaskRecord& task : record.tasks) {
      const bool ended =
          task.status == TaskRecord::Status::refused || task.status == TaskRecord::Status::failed;
      if (task.status == TaskRecord::Status::not_compiled)
        uncompiled.rows.push_back({student(record.student), {name_of(task)}, {first_line(task.reason)}});
      if (!ended && !task.notice.empty())
        odd.rows.push_back({student(record.student), {name_of(task)}, {task.notice}});
      if (ended)
        tasks.rows.push_back({student(record.student),
                              {name_of(task)},
                              {words_for(task.status) + (task.reason.empty() ? "" : ": " + task.reason) +
                               (task.notice.empty() ? "" : " For you only: " + task.notice + ".")}});
    }
  }
  page.blocks.push_back(Heading{2, "What needs a look"});
  if (problems.rows.empty() && tasks.rows.empty() && uncompiled.rows.empty() && odd.rows.empty() &&
      unread.empty())
    page.blocks.push_back(Paragraph{"Every submission could be graded, and none was refused."});
  if (!problems.rows.empty()) {
    page.blocks.push_back(Paragraph{"Submissions of which nothing could be graded:"});
    add_rows(page, std::move(problems));
  }
  if (!tasks.rows.empty()) {
    page.blocks.push_back(Paragraph{"Tasks that were refused, or failed as a whole:"});
    add_rows(page, std::move(tasks));
  }
  if (!uncompiled.rows.empty()) {
    page.blocks.push_back(Paragraph{"Tasks whose files did not compile:"});
    add_rows(page, std::move(uncompiled));
  }
  if (!odd.rows.empty()) {
    page.blocks.push_back(
        Paragraph{"Files that a person should look at; their points are what checks gave:"});
    add_rows(page, std::move(odd));
  }
  if (unread.empty()) return;
  page.blocks.push_back(Paragraph{"Of the batch as a whole:"});
  for (const std::string& sentence : unread) page.blocks.push_back(Item{sentence});
}

void add_similar(Page& page, const std::vector<SubmissionRecord>& records,
                 const std::vector<SimilarPair>& similar) {
  page.blocks.push_back(Heading{2, "Submissions that are alike"});
  page.blocks.push_back(Paragraph{
      "Evidence for a person, never a verdict: a task with one short answer has few different ones. "
      "Comments, white space, names, and what everyone was given do not count."});
  std::map<std::string, std::vector<std::string>> same;
  std::map<std::string, std::string> digests;
  for (const SubmissionRecord& record : records)
    if (record.status == SubmissionRecord::Status::graded) {
      same[record.digest].push_back(record.student);
      digests[record.student] = record.digest;
    }
  PageTable identical{{"students", "digest"}, {}};
  for (const auto& [digest, students] : same)
    if (students.size() > 1)
      identical.rows.push_back({{fmt::format("{}", fmt::join(students, ", "))}, {digest.substr(0, 12)}});
  if (!identical.rows.empty()) {
    page.blocks.push_back(Paragraph{"All files are the same, byte for byte:"});
    add_rows(page, std::move(identical));
  }
  if (similar.empty()) {
    page.blocks.push_back(Paragraph{"No two files are alike."});
    return;
  }
  PageTable table{{"first", "second", "files"}, {}};
  for (const SimilarPair& pair : similar) {
    if (const auto digest = digests.find(pair.first);
        digest != digests.end() && digests.contains(pair.second) && digest->second == digests[pair.second] &&
        std::ranges::all_of(pair.files, &SimilarFile::identical))
      continue;  // it is listed above
    std::string files;
    for (const SimilarFile& file : pair.files)
      files +=
          fmt::format("{}{} ({})", files.empty() ? "" : ", ", file.file.second,
                      file.identical ? "identical" : fmt::format("{} %", static_cast<int>(file.share * 100)));
    table.rows.push_back({student(pair.first), student(pair.second), {files}});
  }
  if (table.rows.empty()) return;
  page.blocks.push_back(Paragraph{"Files that are alike:"});
  add_rows(page, std::move(table));
}

/// All of them, by their names: from here on to each one's own page.
void add_students(Page& page, const std::vector<SubmissionRecord>& records) {
  if (records.empty()) return;
  PageTable table{{"student", "points", "tasks with all points"}, {}};
  for (const SubmissionRecord& record : records) {
    const auto whole = static_cast<std::size_t>(std::ranges::count_if(
        record.tasks, [](const TaskRecord& task) { return credit_of(task) == Credit::full; }));
    table.rows.push_back(
        {student(record.student),
         {points_text(record.score()), true},
         {fmt::format("{} of {}", whole, record.tasks.size()), false, ratio(whole, record.tasks.size())}});
  }
  page.blocks.push_back(Heading{2, "Students"});
  page.blocks.push_back(std::move(table));
}

}  // namespace

Page class_page(const std::vector<SubmissionRecord>& records, const std::vector<std::string>& unread,
                const std::vector<SimilarPair>& similar) {
  Page page{"Summary of the class", {}};
  const auto problems = static_cast<std::size_t>(std::count_if(
      records.begin(), records.end(),
      [](const SubmissionRecord& record) { return record.status != SubmissionRecord::Status::graded; }));
  page.blocks.push_back(Paragraph{fmt::format(
      "{}, of which {} could be graded.", counted(records.size(), "submission"), records.size() - problems)});
  add_scores(page, records);
  add_tasks(page, records);
  add_checks(page, records);
  add_problems(page, records, unread);
  add_similar(page, records, similar);
  add_students(page, records);
  return page;
}

}  // namespace warplab
