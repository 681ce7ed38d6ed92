#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "common/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/cli/command.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/report/leaderboard.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {

int command_leaderboard(const LeaderboardCommand& command) {
  const bool is_html = command.out.ends_with(".html");
  if (!is_html && !command.out.ends_with(".md"))
    throw BadInput("--out " + command.out + ": it ends in .html or .md");
  const std::filesystem::path batch = command.batch;
  const std::vector<SubmissionRecord> records = RecordStore::read_batch(batch).records;
  std::optional<Secret> secret;
  if (!command.pseudonyms.empty()) {
    const std::string seed = bytes_of_file(batch / "judge/seed");
    secret.emplace(seed.substr(0, seed.find('\n')));
  }
  const Leaderboard board = leaderboard_of(records, command.task, secret);
  const Page page = leaderboard_page(board);
  write_file_atomically(command.out, is_html ? to_html(page) : to_markdown(page));
  if (secret) {
    std::string table = "submission,pseudonym\n";
    for (const auto& [student, name] : pseudonyms_of(records, *secret))
      table += fmt::format("{},{}\n", csv_field(student), csv_field(name));
    write_file_atomically(command.pseudonyms, table);
  }
  fmt::print("{}: {}, {} not right at all sizes\n", command.out, counted(board.rows.size(), "submission"),
             board.left_out);
  return exit_ok;
}

}  // namespace warplab
