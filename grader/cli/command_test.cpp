#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "grader/build/sandboxed_builder.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/judge/grading.hpp"
#include "grader/new_term/test_log.hpp"
#include "grader/report/task_words.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

std::string indented(const std::string& text, const std::string& margin) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += (begin ? "\n" + margin : "") + text.substr(begin, end - begin);
    begin = end + 1;
  }
  return out;
}

void print(const TaskRecord& task, bool hints) {
  fmt::print("{}  {}: {}\n", name_of(task), task.title, points_of_text(task.score, task.points));
  if (!task.reason.empty()) fmt::print("  {}: {}\n", words_for(task.status), indented(task.reason, "    "));
  if (task.status == TaskRecord::Status::judged)
    for (const Check& check : task.checks) {
      const bool is_for_later = check.status == Check::Status::not_run;
      fmt::print("  {:<8}{}  ({})\n", is_for_later ? "later" : name_of(check.status), check.name,
                 points_of_text(check.points, check.max_points));
      if (is_for_later) fmt::print("          {}\n", check.reason);
      if (check.status != Check::Status::failed) continue;
      if (!check.input.empty()) fmt::print("    at       {}\n", check.input);
      fmt::print("    wanted   {}\n    but      {}\n", check.expected,
                 indented(check.happened, "             "));
    }
  if (std::ranges::any_of(task.checks, [](const Check& c) { return c.status == Check::Status::failed; }) ||
      task.checks.empty() || task.status != TaskRecord::Status::judged)
    fmt::print("  {}\n", hints ? "hint: " + task.hint : "a hint: warplab test " + name_of(task) + " --hint");
}

bool is_whole(const TaskRecord& task) {
  return task.status == TaskRecord::Status::judged &&
         std::ranges::none_of(task.checks, [](const Check& c) { return c.status == Check::Status::failed; });
}

}  // namespace

int command_test(const std::vector<std::string>& choices, bool hints, bool log) {
  const Course all = course_here();
  Course course{all.root, {}};
  for (const std::string& text : choices) {
    const TaskChoice choice = task_choice(text);
    Lab lab = all.only({choice.lab}).labs.at(0);
    if (!choice.task.empty()) {
      std::vector<std::string> ids;
      for (const Task& task : lab.tasks) ids.push_back(task.id);
      if (std::ranges::find(ids, choice.task) == ids.end())
        throw BadInput(fmt::format("the lab {} has no task {}{}; it has {}", lab.stem, choice.task,
                                   did_you_mean(choice.task, ids), fmt::join(ids, ", ")));
      std::erase_if(lab.tasks, [&](const Task& task) { return task.id != choice.task; });
    }
    course.labs.push_back(std::move(lab));
  }
  Intake intake;
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks)
      for (const std::string& file : task.files())
        intake.files[{lab.folder.filename().string(), file}] = bytes_of_file(lab.folder / file);

  // Inputs are fresh each time, as they will be when it is graded.
  const Judge judge(Secret::fresh(), {});
  SandboxedBuilder builder(course, {SandboxLevel::none}, 0, std::make_shared<PrecompiledHeaders>());
  KnownVerdicts known;
  const SubmissionRecord record = grade_submission(course, judge, intake, builder, {"none", "", ""}, known);
  for (const TaskRecord& task : record.tasks) print(task, hints);
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  for (const Lab& lab : course.labs)
    if (log) note_test(lab, record, now);
  if (record.tasks.size() > 1) fmt::print("in all: {}\n", points_of_text(record.score(), record.points()));
  return std::ranges::all_of(record.tasks, is_whole) ? exit_ok : exit_check_failed;
}

}  // namespace warplab
