#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/batch/class_plan.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/marks/book.hpp"
#include "grader/report/leaderboard.hpp"
#include "grader/term/class_files.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

/// All of a batch; with a roster those that count for the task's lab, under their students' names.
/// @throws BadInput
std::vector<SubmissionRecord> records_for(const LeaderboardCommand& command) {
  if (command.roster.empty()) return RecordStore::read_batch(command.batch).records;
  const Course course = course_here();
  const ClassFiles files = ClassFiles::read(command.roster, course);
  const std::vector<GradedBatch> batches{read_graded_batch(command.batch)};
  return counting_records(make_book(course, files, batches), task_choice(command.task).lab);
}

}  // namespace

int command_leaderboard(const LeaderboardCommand& command) {
  const bool is_html = command.out.ends_with(".html");
  if (!is_html && !command.out.ends_with(".md"))
    throw BadInput("--out " + command.out + ": it ends in .html or .md");
  const std::filesystem::path batch = command.batch;
  const std::string row_is = command.roster.empty() ? "submission" : "student";
  const std::vector<SubmissionRecord> records = records_for(command);
  std::optional<Secret> secret;
  if (!command.pseudonyms.empty()) secret = Secret::in_file(batch / "judge/seed");
  Leaderboard board = leaderboard_of(records, command.task, secret);
  board.row_is = row_is;
  const Page page = leaderboard_page(board);
  write_file_atomically(command.out, is_html ? to_html(page) : to_markdown(page));
  if (secret) {
    std::string table = row_is + ",pseudonym\n";
    for (const auto& [student, name] : pseudonyms_of(records, *secret))
      table += fmt::format("{},{}\n", csv_field(student), csv_field(name));
    write_file_atomically(command.pseudonyms, table);
  }
  fmt::print("{}: {}, {} not right at all sizes\n", command.out, counted(board.rows.size(), row_is),
             board.left_out);
  return exit_ok;
}

}  // namespace warplab
