#include "grader/cli/hand_in.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <optional>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/cli/tree.hpp"
#include "grader/people/gradescope_export.hpp"
#include "grader/term/class_files.hpp"

namespace warplab {

std::string line_after(const std::string& prompt) {
  fmt::print("{}", prompt);
  std::fflush(stdout);
  std::string line;
  if (!std::getline(std::cin, line)) throw BadInput("the input ended, so nothing was sealed");
  return line;
}

void mark_sealed(const SealedFlags& flags, SealedKind kind, const WorthOfSealed& worth_of,
                 const std::string& out) {
  if (flags.roster.empty() && !flags.written.empty())
    throw BadInput("--written needs --roster: it has a row per student");
  std::optional<Seals> seals;
  if (!flags.seals.empty()) seals = Seals::read(flags.seals);
  std::optional<ClassFiles> files;
  std::optional<Matcher> matcher;
  if (!flags.roster.empty()) {
    files = ClassFiles::read(flags.roster, course_here());
    matcher.emplace(files->roster, files->written_students(), read_gradescope_export(flags.grade));
  }
  const SealedHandIns found = sealed_hand_ins(flags.grade, kind);
  for (const std::string& remark : found.remarks) fmt::print(stderr, "{}\n", remark);
  if (seals)
    for (const std::string& remark : seals->remarks()) fmt::print(stderr, "{}\n", remark);
  const std::vector<SealedMark> marks =
      marks_of_sealed(found.all, worth_of, seals ? &*seals : nullptr, matcher ? &*matcher : nullptr);
  if (out.empty())
    fmt::print("{}", table_of(marks));
  else
    write_file_atomically(out, table_of(marks));
  if (!flags.written.empty()) write_file_atomically(flags.written, written_rows_of(marks, kind));
}

}  // namespace warplab
