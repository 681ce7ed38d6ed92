#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/new_term/new_term.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {

int command_new_term(const NewTermCommand& command) {
  NewTermOptions options;
  options.roster = command.roster;
  options.out = command.out;
  options.name = command.name;
  options.weeks = command.weeks;
  options.batches.assign(command.batches.begin(), command.batches.end());
  options.submissions.assign(command.submissions.begin(), command.submissions.end());
  const NewTermReport report = make_new_term(course_here(), options);
  fmt::print("{}: {} moved by {}; {} in last_term.tar.gz; write the roster next\n", command.out,
             counted(report.deadlines, "deadline"), counted(static_cast<std::size_t>(command.weeks), "week"),
             counted(report.archived, "file"));
  if (report.has_course)
    fmt::print(
        "{}/course.json has the tasks' deadlines moved too: copy it over the tree's when the term begins\n",
        command.out);
  return exit_ok;
}

}  // namespace warplab
