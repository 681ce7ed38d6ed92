#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/build/sandboxed_builder.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/grading_place.hpp"
#include "grader/cli/tree.hpp"
#include "grader/viva/viva_page.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/rung.hpp"

namespace warplab {
namespace {

/// A student's tree may have a build folder with more files than a submission may hold, so only its labs are
/// read. @throws BadInput
Submission submission_in(const std::string& path) {
  Submission submission = single_submission(path);
  if (std::filesystem::is_directory(submission.path / "labs")) submission.path /= "labs";
  return submission;
}

}  // namespace

int command_viva(const VivaCommand& command) {
  if (backend == Backend::cuda)
    throw NotAvailable("a viva is made of the lens's record: build the preset emulator for it");
  const bool is_html = command.out.ends_with(".html");
  if (!command.out.empty() && !is_html && !command.out.ends_with(".md"))
    throw BadInput("--out " + command.out + ": it ends in .html or .md");
  VivaOptions options;
  options.turn = command.turn;
  if (!command.seed_file.empty()) options.secret = Secret::in_file(command.seed_file);
  const Course course = course_here().only(command.labs);
  const Intake intake = read_submission(submission_in(command.submission), task_files(course));
  if (!intake.problem.empty()) throw BadInput(command.submission + ": " + intake.problem);
  SandboxedBuilder builder(course, {level_to_grade_at(command.sandbox)}, 0,
                           std::make_shared<PrecompiledHeaders>());
  const Viva viva = viva_of(course, intake, builder, options);
  if (command.out.empty())
    fmt::print("{}", viva_text(viva));
  else
    write_file_atomically(command.out, is_html ? to_html(viva_page(viva)) : to_markdown(viva_page(viva)));
  return viva.questions.empty() ? exit_check_failed : exit_ok;
}

}  // namespace warplab
