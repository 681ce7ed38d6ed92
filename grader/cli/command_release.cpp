#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/intake/pack.hpp"
#include "grader/release/release.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {

int command_release(const std::string& out, const std::vector<std::string>& labs,
                    const std::optional<std::string>& github) {
  const Course course = course_here().only(labs);
  const ReleaseReport report = release(course, linked_rung_tables(), out,
                                       github ? ReleaseFor::github : ReleaseFor::anyone, github.value_or(""));
  for (const Leak& leak : report.leaks) fmt::print(stderr, "{}\n", sentence(leak));
  if (!report.delivered) {
    fmt::print(stderr, "warplab: nothing was released, since {} would give solutions away\n",
               report.leaks.size() == 1 ? "a line" : fmt::format("{} lines", report.leaks.size()));
    return exit_check_failed;
  }
  fmt::print("{} {}: {}, {}, {} cut\n", report.replaced ? "renewed" : "released", out,
             counted(report.labs.size(), "lab"), counted(report.files, "file"),
             counted(report.solutions, "solution"));
  return exit_ok;
}

int command_pack(const std::string& archive, const std::vector<std::string>& labs) {
  if (!archive.ends_with(".tar.gz") && !archive.ends_with(".tgz"))
    throw BadInput("--out " + archive + " is not a .tar.gz, which is what is handed in");
  const Course course = course_here().only(labs);
  fmt::print("{}", text_of(pack(course, archive)));
  return exit_ok;
}

}  // namespace warplab
