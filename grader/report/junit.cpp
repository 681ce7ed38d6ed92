#include "grader/report/junit.hpp"

#include <fmt/format.h>

#include "grader/report/task_words.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"
#include "lens/pictures/svg.hpp"

namespace warplab {
namespace {

std::string line(const std::string& text) { return lens::xml_escaped(shown_line(text)); }

struct Suite {
  std::string cases;
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;

  /// @param what "failure", "error", "skipped", or "" of a case that passed
  void add(const std::string& name, const std::string& group, const std::string& what,
           const std::string& message, const std::string& detail) {
    ++tests;
    failures += what == "failure";
    errors += what == "error";
    skipped += what == "skipped";
    cases += fmt::format("    <testcase name=\"{}\" classname=\"{}\"", line(name), line(group));
    if (what.empty()) {
      cases += "/>\n";
      return;
    }
    cases += fmt::format(">\n      <{} message=\"{}\"", what, line(message));
    cases += detail.empty() ? "/>\n" : fmt::format(">{}</{}>\n", lens::xml_escaped(shown_text(detail)), what);
    cases += "    </testcase>\n";
  }
};

void add_check(Suite& suite, const std::string& group, const Check& check) {
  std::string detail;
  for (const auto& [name, value] :
       {std::pair("input", check.input), {"expected", check.expected}, {"happened", check.happened}})
    if (!value.empty()) detail += fmt::format("{}: {}\n", name, value);
  switch (check.status) {
    case Check::Status::passed:
      return suite.add(check.name, group, "", "", "");
    case Check::Status::failed:
      return suite.add(check.name, group, "failure",
                       points_of_text(check.points, check.max_points) +
                           (check.happened.empty() ? "" : ": " + check.happened),
                       detail);
    case Check::Status::not_run:
      return suite.add(check.name, group, "skipped", check.reason, "");
  }
}

void add_task(Suite& suite, const std::string& group, const TaskRecord& task) {
  const std::string message = words_for(task.status) + (task.reason.empty() ? "" : ": " + task.reason);
  switch (task.status) {
    case TaskRecord::Status::judged:
      break;
    case TaskRecord::Status::to_do:
    case TaskRecord::Status::missing:
      return suite.add(task.title, group, "skipped", message, "");
    case TaskRecord::Status::not_compiled:
    case TaskRecord::Status::refused:
    case TaskRecord::Status::failed:
      suite.add(task.title, group, "error", message, task.reason);
      break;
  }
  for (const Check& check : task.checks) add_check(suite, group, check);
}

}  // namespace

std::string junit_xml(const std::vector<SubmissionRecord>& records) {
  std::string suites;
  for (const SubmissionRecord& record : records) {
    Suite suite;
    if (record.status != SubmissionRecord::Status::graded)
      suite.add("the submission can be graded", record.student, "error", record.problem, "");
    else
      for (const TaskRecord& task : record.tasks)
        add_task(suite, record.student + "." + task.lab + "." + task.id, task);
    suites += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}  "
        "</testsuite>\n",
        line(record.student), suite.tests, suite.failures, suite.errors, suite.skipped, suite.cases);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warplab\">\n" + suites +
         "</testsuites>\n";
}

}  // namespace warplab
