#include <fmt/format.h>

#include <filesystem>

#include "common/host/bad_input.hpp"
#include "common/io/temporary_folder.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/text/report_text.hpp"
#include "grader/variant/overlay.hpp"
#include "grader/variant/variant.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// The labs that can differ, or those that were asked for. @throws BadInput for one that cannot
Course varied(const Course& all, const std::vector<std::string>& labs) {
  Course course = all.only(labs);
  std::vector<std::string> stay;
  std::erase_if(course.labs, [&](const Lab& lab) {
    const bool stays = variants_of(course.root, lab).empty();
    if (stays) stay.push_back(lab.stem);
    return stays;
  });
  if (!labs.empty() && !stay.empty())
    throw BadInput(fmt::format("{} has no variants; `warplab variant` lists the labs that have some",
                               fmt::join(stay, ", ")));
  return course;
}

void print_choices(const Course& course) {
  fmt::print("{:<14} {:<14} {:<12} {}\n", "lab", "axis", "choice", "what it asks for");
  for (const Lab& lab : course.labs)
    for (const VariantAxis& axis : variants_of(course.root, lab))
      for (const VariantChoice& choice : axis.choices)
        fmt::print("{:<14} {:<14} {:<12} {}\n", lab.stem, axis.name, choice.name, choice.what);
}

/// Whoever only has files of their own draws nothing.
std::vector<Chosen> choices_of(const VariantCommand& command, const Course& course) {
  if (command.secret.empty()) return {};
  const std::vector<Chosen> chosen = chosen_by(course, Secret::in_file(command.secret), command.fixed);
  for (const Chosen& one : chosen) fmt::print("{}/{}: {}\n", one.lab, one.axis, one.choice);
  return chosen;
}

void print_next_steps(const std::string& out, const Course& course) {
  std::vector<std::string> labs;
  for (const Lab& lab : course.labs) labs.push_back(lab.stem);
  fmt::print(
      "  cd {} && cmake --preset emulator && cmake --build --preset emulator --target warplab {}\n"
      "  build/emulator/bin/warplab check --mutants --labs {}\n",
      out, fmt::join(labs, " "), fmt::join(labs, ","));
}

int make(const VariantCommand& command, const Course& all) {
  const bool draws = !command.secret.empty();
  const Course course = draws ? varied(all, command.labs) : all.only(command.labs);
  const std::vector<Chosen> chosen = choices_of(command, course);
  if (command.out.empty()) {
    changed_files(course, chosen);  // an edit that does not fit is found now
    return exit_ok;
  }
  const VariantReport report = make_variant(course, chosen, command.out);
  fmt::print("{}: {}, {} changed. Build and check it before you release from it:\n", command.out,
             counted(report.files, "file"), report.changed);
  print_next_steps(command.out, course);
  return exit_ok;
}

}  // namespace

int command_variant(const VariantCommand& command) {
  const bool lists = command.secret.empty() && command.overlay.empty();
  if (lists && (!command.out.empty() || !command.fixed.empty()))
    throw BadInput("--out and --choose need --secret FILE, which draws the choices, or --overlay DIR");
  if (command.secret.empty() && !command.fixed.empty())
    throw BadInput("--choose needs --secret FILE, which draws the other choices");
  if (lists) {
    print_choices(varied(course_here(), command.labs));
    return exit_ok;
  }
  if (command.overlay.empty()) return make(command, course_here());
  const TemporaryFolder folder(fs::temp_directory_path() / "warplab-overlay-");
  const OverlayReport own = lay_over(tree_root(), command.overlay, folder.path() / "tree");
  fmt::print("{}: {} replaced, {} added\n", command.overlay, counted(own.replaced, "file"), own.added);
  return make(command, Course::read(folder.path() / "tree"));
}

}  // namespace warplab
