#include "grader/report/leaderboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "grader/report/task_words.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

constexpr std::array adjectives = {"amber",  "bold",  "brisk",  "calm",   "clever", "coral",
                                   "crisp",  "deft",  "eager",  "fair",   "fleet",  "gentle",
                                   "golden", "keen",  "lively", "lucid",  "merry",  "nimble",
                                   "quiet",  "rapid", "silver", "steady", "sunny",  "witty"};
constexpr std::array animals = {"badger",  "beaver", "bison",   "cougar", "crane", "dolphin",
                                "falcon",  "ferret", "gazelle", "heron",  "ibex",  "jaguar",
                                "kiwi",    "lemur",  "lynx",    "marten", "otter", "owl",
                                "panther", "puffin", "raven",   "seal",   "stork", "tapir"};

/// The counts of a task that is right wherever it was asked; nothing of one that is not, or was not counted.
std::optional<std::vector<double>> counts_of(const TaskRecord& task) {
  std::vector<double> counts;
  if (task.status != TaskRecord::Status::judged) return {};
  for (const Check& check : task.checks) {
    if (check.kind != Check::Kind::limit && check.status != Check::Status::passed) return {};
    if (check.kind != Check::Kind::limit) continue;
    if (!check.counted) return {};
    counts.push_back(*check.counted);
  }
  if (counts.empty()) return {};
  return counts;
}

std::vector<std::string> measures_of(const TaskRecord& task) {
  std::vector<std::string> measures;
  for (const Check& check : task.checks)
    if (check.kind == Check::Kind::limit)
      measures.push_back(check.name + (check.input.empty() ? "" : ", " + check.input));
  return measures;
}

bool beats(const LeaderboardRow& a, const LeaderboardRow& b) {
  bool is_better = false;
  for (std::size_t i = 0; i < a.counts.size(); ++i) {
    if (a.counts[i] > b.counts[i]) return false;
    is_better |= a.counts[i] < b.counts[i];
  }
  return is_better;
}

/// The task as records have it. @throws BadInput
TaskColumn column_of(const std::vector<SubmissionRecord>& records, const std::string& task) {
  std::vector<std::string> names;
  for (const TaskColumn& column : columns_of(records)) {
    names.push_back(column.lab + "/" + column.id);
    if (names.back() == task) return column;
  }
  throw BadInput(fmt::format("the batch has no task '{}'{}", task, did_you_mean(task, names)));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> pseudonyms_of(const std::vector<SubmissionRecord>& records,
                                                               const Secret& secret) {
  std::map<std::uint64_t, std::string> by_number;  // in an order that says nothing of names
  for (const SubmissionRecord& record : records)
    by_number[secret.number("pseudonym " + record.student)] = record.student;
  std::vector<std::pair<std::string, std::string>> all;
  std::set<std::string> given;
  for (const auto& [number, student] : by_number) {
    const std::string plain = fmt::format("{} {}", adjectives[number % adjectives.size()],
                                          animals[number / adjectives.size() % animals.size()]);
    std::string name = plain;
    for (int turn = 2; !given.insert(name).second; ++turn) name = fmt::format("{} {}", plain, turn);
    all.emplace_back(student, name);
  }
  std::ranges::sort(all);
  return all;
}

Leaderboard leaderboard_of(const std::vector<SubmissionRecord>& records, const std::string& task,
                           const std::optional<Secret>& pseudonyms) {
  const TaskColumn column = column_of(records, task);
  std::map<std::string, std::string> names;
  if (pseudonyms)
    for (auto& [student, name] : pseudonyms_of(records, *pseudonyms)) names[student] = name;
  Leaderboard board;
  board.task = task;
  for (const SubmissionRecord& record : records) {
    const TaskRecord* const one = find(record, column);
    if (!one) continue;
    if (measures_of(*one).empty())
      throw BadInput(task + " has no limit, so nothing of it is counted; a leaderboard needs one");
    const std::optional<std::vector<double>> counts = counts_of(*one);
    board.left_out += !counts;
    if (!counts) continue;
    board.measures = measures_of(*one);
    board.rows.push_back({pseudonyms ? names.at(record.student) : record.student, *counts, 0});
  }
  for (LeaderboardRow& row : board.rows)
    row.beaten_by = static_cast<std::size_t>(
        std::ranges::count_if(board.rows, [&](const LeaderboardRow& other) { return beats(other, row); }));
  std::ranges::sort(board.rows, [](const LeaderboardRow& a, const LeaderboardRow& b) {
    return std::tie(a.beaten_by, a.counts, a.name) < std::tie(b.beaten_by, b.counts, b.name);
  });
  return board;
}

Page leaderboard_page(const Leaderboard& board) {
  Page page{"Leaderboard of " + board.task, {}};
  page.blocks.push_back(
      Paragraph{"What the lens counted of each submission that is right at all sizes. Fewer is better. "
                "Nobody's counts are "
                "weighed against each other: a submission is beaten by those that are as good in every "
                "column and better in "
                "one, so different strategies can lead side by side."});
  if (board.rows.empty()) page.blocks.push_back(Paragraph{"No submission is right at all sizes yet."});
  PageTable table{{"beaten by", board.row_is}, {}};
  table.columns.insert(table.columns.end(), board.measures.begin(), board.measures.end());
  std::vector<double> best = board.rows.empty() ? std::vector<double>() : board.rows.front().counts;
  for (const LeaderboardRow& row : board.rows)
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::min(best[i], row.counts[i]);
  for (const LeaderboardRow& row : board.rows) {
    std::vector<PageTable::Cell>& cells = table.rows.emplace_back();
    cells.push_back({row.beaten_by == 0 ? "none" : std::to_string(row.beaten_by), true});
    cells.push_back({row.name});
    for (std::size_t i = 0; i < row.counts.size(); ++i)
      cells.push_back(
          {fmt::format("{:.4g}{}", row.counts[i], row.counts[i] == best[i] ? " (least)" : ""), true});
  }
  if (!table.rows.empty()) page.blocks.push_back(std::move(table));
  if (board.left_out > 0)
    page.blocks.push_back(Paragraph{fmt::format("{} not here: wrong at some size, or without counts.",
                                                counted(board.left_out, "submission"))});
  return page;
}

}  // namespace warplab
