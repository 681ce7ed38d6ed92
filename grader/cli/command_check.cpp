#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "common/io/temporary_folder.hpp"
#include "grader/build/sandboxed_builder.hpp"
#include "grader/check/exercise_check.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/grading_place.hpp"
#include "grader/cli/tree.hpp"
#include "grader/release/release.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// Makes a release that nobody gets.
std::vector<std::string> leaks_of_release(const Course& course) {
  const TemporaryFolder folder(fs::temp_directory_path() / "warplab-release-");
  std::vector<std::string> sentences;
  for (const Leak& leak : release(course, linked_rung_tables(), folder.path() / "tree").leaks)
    sentences.push_back(sentence(leak));
  return sentences;
}

}  // namespace

int command_check(const CheckCommand& command) {
  const Course course = course_here().only(command.labs);
  CheckOptions options;
  options.hidden = tree_root() / "tests" / "hidden";
  if (!std::filesystem::is_directory(options.hidden))
    throw BadInput(options.hidden.string() + " is missing: only the instructor's tree can be checked");
  check_built(course);
  options.mutants = command.mutants;
  options.pasted = command.pasted;
  options.jobs = command.jobs;
  options.leaks = leaks_of_release;
  options.progress = [](const std::string& what) { fmt::print(stderr, "{}\n", what); };
  const auto headers = std::make_shared<PrecompiledHeaders>();
  const ExerciseReport report = check_exercises(course, options, [&](unsigned thread) {
    // Our own files: what keeps students in would only cost time.
    return std::make_unique<SandboxedBuilder>(course, BuilderOptions{SandboxLevel::none}, thread, headers);
  });
  fmt::print("{}", to_text(report));
  return report.sound() ? exit_ok : exit_check_failed;
}

}  // namespace warplab
