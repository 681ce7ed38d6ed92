#include "grader/new_term/test_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "common/host/bad_input.hpp"
#include "grader/intake/intake.hpp"
#include "grader/intake/pack.hpp"
#include "grader/people/csv_table.hpp"
#include "grader/term/instant.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

constexpr const char* header = "time,task,points,of\n";

/// A test of one task.
struct NotedTest {
  Instant time;
  std::string task;
};

std::optional<NotedTest> noted_test(const Lab& lab, const CsvRow& row) try {
  const std::string& task = row["task"];
  if (std::ranges::none_of(lab.tasks, [&](const Task& one) { return one.name() == task; })) return {};
  return NotedTest{parse_instant(row["time"], TimeZone()), task};
} catch (const BadInput&) {
  return {};
}

std::vector<NotedTest> tests_in(const Lab& lab, std::string_view log) try {
  std::vector<NotedTest> tests;
  for (const CsvRow& row : csv_rows_of(log, test_log_file, {{"time", "task"}, {"points", "of"}})) {
    const std::optional<NotedTest> test = noted_test(lab, row);
    if (test && (tests.empty() || test->time >= tests.back().time)) tests.push_back(*test);
  }
  return tests;
} catch (const BadInput&) {
  return {};
}

/// The logs of one lab, without those that another begins with.
std::vector<std::string> whole_logs(std::vector<std::string> logs) {
  std::ranges::sort(logs);
  std::vector<std::string> whole;
  for (std::string& log : logs) {
    if (!whole.empty() && log.starts_with(whole.back())) whole.pop_back();
    whole.push_back(std::move(log));
  }
  return whole;
}

}  // namespace

void note_test(const Lab& lab, const SubmissionRecord& record, std::chrono::sys_seconds now) {
  const std::filesystem::path file = lab.folder / test_log_file;
  const bool is_new = !std::filesystem::exists(file);
  std::ofstream log(file, std::ios::app);
  if (is_new) log << header;
  for (const TaskRecord& task : record.tasks)
    if (task.lab == lab.stem)
      log << fmt::format("{} +0000,{}/{},{},{}\n", TimeZone().text(now), task.lab, task.id,
                         points_text(task.score), points_text(task.points));
  if (!log.flush()) throw BadInput(file.string() + " cannot be written");
}

std::map<std::string, double> minutes_in(const Lab& lab, std::string_view log) {
  const std::vector<NotedTest> tests = tests_in(lab, log);
  std::map<std::string, double> minutes;
  for (std::size_t begin = 0, end = 0; begin < tests.size(); begin = end) {
    while (end < tests.size() && tests[end].time == tests[begin].time) ++end;
    double worked = 0;
    if (begin > 0 && tests[begin].time - tests[begin - 1].time <= longest_pause)
      worked =
          std::chrono::duration<double, std::ratio<60>>(tests[begin].time - tests[begin - 1].time).count();
    for (std::size_t i = begin; i < end; ++i)
      minutes[tests[i].task] += worked / static_cast<double>(end - begin);
  }
  return minutes;
}

std::map<std::string, std::vector<double>> minutes_of_class(
    const Course& course, const std::vector<std::filesystem::path>& submissions) {
  std::vector<TaskFile> wanted;
  for (const Lab& lab : course.labs) wanted.emplace_back(lab.folder.filename().string(), test_log_file);
  std::map<TaskFile, std::vector<std::string>> logs;
  for (const std::filesystem::path& folder : submissions)
    for (const Submission& submission : find_submissions(folder))
      for (auto& [file, log] : read_submission(submission, wanted).files)
        logs[file].push_back(std::move(log));
  std::map<std::string, std::vector<double>> minutes;
  for (const Lab& lab : course.labs)
    for (const std::string& log : whole_logs(logs[{lab.folder.filename().string(), test_log_file}]))
      for (const auto& [task, worked] : minutes_in(lab, log)) minutes[task].push_back(worked);
  for (auto& [task, all] : minutes) std::ranges::sort(all);
  return minutes;
}

}  // namespace warplab
