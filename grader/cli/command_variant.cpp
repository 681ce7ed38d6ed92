#include <fmt/format.h>

#include <algorithm>

#include "common/bad_input.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/text/text_lines.hpp"
#include "grader/variant/variant.hpp"

namespace warplab {
namespace {

/// The labs that can differ, or those that were asked for. @throws BadInput for one that cannot
Course varied(const std::vector<std::string>& labs) {
  Course course = course_here().only(labs);
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

}  // namespace

int command_variant(const VariantCommand& command) {
  const Course course = varied(command.labs);
  if (command.secret.empty()) {
    if (!command.out.empty() || !command.fixed.empty())
      throw BadInput("--out and --choose need --secret FILE, which draws the choices");
    print_choices(course);
    return exit_ok;
  }
  const Secret secret{std::string(trimmed(with_single_blanks(bytes_of_file(command.secret))))};
  const std::vector<Chosen> chosen = chosen_by(course, secret, command.fixed);
  for (const Chosen& one : chosen) fmt::print("{}/{}: {}\n", one.lab, one.axis, one.choice);
  if (command.out.empty()) {
    changed_files(course, chosen);  // an edit that does not fit is found now
    return exit_ok;
  }
  const VariantReport report = make_variant(course, chosen, command.out);
  std::string labs;
  for (const Lab& lab : course.labs) labs += (labs.empty() ? "" : " ") + lab.stem;
  fmt::print(
      "{}: {}, {} changed. Build and check it before you release from it:\n"
      "  cd {} && cmake --preset emulator && cmake --build --preset emulator --target warplab {}\n",
      command.out, counted(report.files, "file"), report.changed, command.out, labs);
  std::ranges::replace(labs, ' ', ',');
  fmt::print("  build/emulator/bin/warplab check --mutants --labs {}\n", labs);
  return exit_ok;
}

}  // namespace warplab
