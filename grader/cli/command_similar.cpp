#include <fmt/format.h>

#include <filesystem>

#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/release/handed_out.hpp"
#include "grader/similar/export_files.hpp"
#include "grader/similar/others.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

void print_pairs(const std::vector<SimilarPair>& pairs) {
  for (const SimilarPair& pair : pairs)
    for (const SimilarFile& file : pair.files)
      fmt::print("{:>4}  {}/{}  {}  {}\n",
                 file.identical ? "same" : fmt::format("{:.0f} %", 100 * file.share), file.file.first,
                 file.file.second, shown_line(pair.first), shown_line(pair.second));
}

}  // namespace

int command_similar(const SimilarCommand& command) {
  const Course course = course_here().only(command.labs);
  const std::vector<TaskFile> files = task_files(course);
  const std::map<TaskFile, std::string> given = given_files(course);
  const std::vector<TakenFiles> taken = taken_of_class(command.submissions, files);
  std::vector<TakenFiles> others;
  for (const std::string& folder : command.against)
    for (TakenFiles& one : others_in(folder, files)) others.push_back(std::move(one));

  SimilarityOptions options;
  options.share = command.percent / 100;
  const std::vector<SimilarPair> within = similar_submissions(taken, given, options),
                                 beyond = similar_to_others(taken, others, given, options);
  print_pairs(within);
  print_pairs(beyond);
  fmt::print("{}: {} alike among themselves, {} with {} of others. A person decides what that means.\n",
             counted(taken.size(), "submission"), counted(within.size(), "pair"),
             counted(beyond.size(), "pair"), counted(others.size(), "version"));
  if (command.out.empty()) return exit_ok;
  export_files(taken, others, given, command.out);
  fmt::print("{}: numbers in place of names; names.csv is yours. Compare with one of\n{}", command.out,
             commands_for(command.out, !others.empty()));
  return exit_ok;
}

}  // namespace warplab
