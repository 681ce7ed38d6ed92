#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "grader/batch/autograde.hpp"
#include "grader/batch/gradescope_upload.hpp"
#include "grader/build/sandboxed_builder.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/grading_place.hpp"
#include "grader/cli/tree.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {

int command_gradescope(const GradescopeCommand& command) {
  if (!command.out.ends_with(".zip"))
    throw BadInput("--out " + command.out + " is not a zip: Gradescope takes FILE.zip");
  const Course course = course_here().only(command.labs);
  UploadOptions options;
  options.minutes = command.minutes;
  options.hidden_checks = visibility_by_name(command.hidden_checks);
  options.leaderboard = command.leaderboard;
  const Secret secret = command.seed_file.empty() ? Secret::fresh() : Secret::in_file(command.seed_file);
  const Upload upload = make_upload(course, secret, options, command.out);
  fmt::print("{}: {}, {}, {:.1f} MB; it holds the batch's secret, so keep it from students\n", command.out,
             counted(course.labs.size(), "lab"), counted(upload.files, "file"),
             static_cast<double>(upload.bytes) / 1e6);
  return exit_ok;
}

int command_autograde(const AutogradeCommand& command) {
  const Course course = course_here();
  AutogradeOptions options;
  options.submission = command.submission;
  options.results = std::filesystem::absolute(command.out);
  options.metadata = command.metadata;
  options.hidden = hidden_folder();
  options.shown.hidden_checks = visibility_by_name(command.hidden_checks);
  options.shown.leaderboard = command.leaderboard;
  const SandboxLevel level = level_to_grade_at(command.sandbox);
  options.sandbox = name_of(level);
  SandboxedBuilder builder(course, BuilderOptions{level}, 0, std::make_shared<PrecompiledHeaders>());
  autograde(course, Secret::in_file(command.seed_file), options, builder);
  return exit_ok;
}

}  // namespace warplab
