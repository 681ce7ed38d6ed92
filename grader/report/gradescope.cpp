#include "grader/report/gradescope.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "grader/report/feedback.hpp"
#include "grader/report/task_words.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

using Json = nlohmann::ordered_json;

/// Hundredths, as everywhere: a sum of tests shows no noise.
double points(double value) { return std::floor(value * 100 + 1e-6) / 100; }

Json test(const std::string& name, const std::string& number, double score, double most, bool passed,
          const std::string& output) {
  return {
      {"name", shown_line(name)},     {"name_format", "text"},     {"number", number},
      {"score", points(score)},       {"max_score", points(most)}, {"status", passed ? "passed" : "failed"},
      {"output", shown_text(output)}, {"output_format", "text"},   {"visibility", "visible"}};
}

Json check_test(const TaskRecord& task, const Check& check, const std::string& number,
                const GradescopeOptions& options) {
  const Check shown = shown_to_student(check);
  std::string output;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) output += fmt::format("{}: {}\n", name, value);
  };
  add(check.kind == Check::Kind::hidden_cases ? "kind of input" : "input", shown.input);
  add("expected", shown.expected);
  add("happened", shown.happened);
  if (check.status == Check::Status::not_run) add("not run", shown.reason);
  if (check.status == Check::Status::failed) add("hint", task.hint);
  Json json = test(name_of(task) + ": " + check.name, number, check.points, check.max_points,
                   check.status == Check::Status::passed, output);
  if (check.kind == Check::Kind::hidden_cases) json["visibility"] = name_of(options.hidden_checks);
  json["tags"] = {shown_line(task.lab), shown_line(name_of(task)), name_of(check.kind)};
  json["extra_data"] = {{"check", name_of(check.status)}};
  return json;
}

Json tests_of(const SubmissionRecord& record, const GradescopeOptions& options) {
  Json tests = Json::array();
  std::string lab;
  int lab_number = 0, task_number = 0;
  for (const TaskRecord& task : record.tasks) {
    if (lab_number == 0 || task.lab != lab) ++lab_number, task_number = 0;
    lab = task.lab;
    const std::string number = fmt::format("{}.{}", lab_number, ++task_number);
    if (task.status != TaskRecord::Status::judged || task.checks.empty()) {
      // Its checks, if there are any, say no more than that they were not run.
      std::string output = words_for(task.status);
      if (!task.reason.empty()) output += ":\n" + task.reason;
      Json json = test(name_of(task) + ": " + task.title, number, task.score, task.points,
                       credit_of(task) == Credit::full, output + "\nhint: " + task.hint);
      json["tags"] = {shown_line(task.lab), shown_line(name_of(task)), "task"};
      json["extra_data"] = {{"task", name_of(task.status)}};
      tests.push_back(std::move(json));
      continue;
    }
    int check_number = 0;
    for (const Check& check : task.checks)
      tests.push_back(check_test(task, check, fmt::format("{}.{}", number, ++check_number), options));
  }
  return tests;
}

}  // namespace

const char* name_of(Visibility visibility) {
  switch (visibility) {
    case Visibility::visible:
      return "visible";
    case Visibility::after_due_date:
      return "after_due_date";
    case Visibility::after_published:
      return "after_published";
    case Visibility::hidden:
      break;
  }
  return "hidden";
}

Visibility visibility_by_name(const std::string& name) {
  constexpr Visibility all[] = {Visibility::visible, Visibility::after_due_date, Visibility::after_published,
                                Visibility::hidden};
  for (const Visibility one : all)
    if (name == name_of(one)) return one;
  throw BadInput("a visibility is visible, after_due_date, after_published or hidden, not '" + name + "'");
}

Json gradescope_results(const SubmissionRecord& record, const GradescopeOptions& options) {
  const double reached = points(record.score());
  const bool kept =
      options.best_before && std::isfinite(*options.best_before) && *options.best_before > reached;
  Json json{{"score", kept ? *options.best_before : reached}};
  if (options.execution_time_s) json["execution_time"] = *options.execution_time_s;
  std::string output = to_markdown(overview_page(record));
  if (kept)
    output += fmt::format("\nAn earlier submission reached {} points, which you keep.\n",
                          points_text(*options.best_before));
  json["output"] = output;
  json["output_format"] = "md";
  json["test_output_format"] = "text";
  json["test_name_format"] = "text";
  json["visibility"] = "visible";
  json["stdout_visibility"] = "hidden";
  json["extra_data"] = {{"schema", 1},
                        {"digest", record.digest},
                        {"seed_digest", record.seed_digest},
                        {"tasks_digest", record.tasks_digest},
                        {"sandbox", record.sandbox},
                        {"backend", record.backend},
                        {"score_of_this_submission", reached}};
  json["tests"] = tests_of(record, options);
  if (options.leaderboard)
    json["leaderboard"] = Json::array({{{"name", "points"}, {"value", json["score"]}, {"order", "desc"}}});
  return json;
}

}  // namespace warplab
