// Leaderboards by counts: who is on one, who beats whom, and that nobody's name is on one with pseudonyms.
#include "grader/report/leaderboard.hpp"

#include <gtest/gtest.h>

#include <set>

#include "common/host/bad_input.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/common/unnamed_parts.hpp"
#include "tests/grader/batch/sample_records.hpp"

namespace warplab {
namespace {

const Secret secret("00112233445566778899aabbccddeeff");

/// A submission with these counts of bytes and requests.
SubmissionRecord counted(const std::string& student, double moved, double requests,
                         Check::Status hidden = Check::Status::passed) {
  using Status = Check::Status;
  TaskRecord task = test::sample_task("scan", "open", "Any way you like", 1, 1);
  task.checks = {test::sample_check("right at public sizes", Check::Kind::public_cases, Status::passed, 0, 0),
                 test::sample_check("right at hidden sizes", Check::Kind::hidden_cases, hidden, 0, 0),
                 test::sample_check("bytes moved", Check::Kind::limit, Status::passed, 0, 0),
                 test::sample_check("requests", Check::Kind::limit, Status::failed, 0, 0)};
  task.checks[2].input = "near 65536 int";
  task.checks[2].counted = moved;
  task.checks[3].counted = requests;
  SubmissionRecord record;
  record.student = student;
  record.tasks = {task};
  return record;
}

std::vector<std::string> names_on(const Leaderboard& board) {
  std::vector<std::string> names;
  for (const LeaderboardRow& one : board.rows) names.push_back(one.name);
  return names;
}

TEST(Leaderboard, DifferentStrategiesLeadSideBySide) {
  const Leaderboard board = leaderboard_of({counted("slow", 3, 9), counted("ada", 1, 4), counted("bob", 2, 1),
                                            counted("cyd", 2, 2), counted("twin", 2, 1)},
                                           "scan/open", {});
  EXPECT_EQ(names_on(board), (std::vector<std::string>{"ada", "bob", "twin", "cyd", "slow"}));
  std::vector<std::size_t> beaten;
  for (const LeaderboardRow& one : board.rows) beaten.push_back(one.beaten_by);
  EXPECT_EQ(beaten, (std::vector<std::size_t>{0, 0, 0, 2, 4})) << "equal counts do not beat each other";
  EXPECT_EQ(board.measures, (std::vector<std::string>{"bytes moved, near 65536 int", "requests"}));
  const std::string page = to_markdown(leaderboard_page(board));
  EXPECT_NE(page.find("| none | ada | 1 (least) | 4 |\n| none | bob | 2 | 1 (least) |"), std::string::npos)
      << page;
  EXPECT_NE(page.find("| 2 | cyd | 2 | 2 |"), std::string::npos) << page;
}

TEST(Leaderboard, HasWhatIsRightAndCountedAndNothingElse) {
  SubmissionRecord uncounted = counted("uncounted", 1, 1);
  uncounted.tasks[0].checks[3].counted.reset();
  SubmissionRecord to_do = counted("todo", 1, 1);
  to_do.tasks[0].status = TaskRecord::Status::to_do;
  SubmissionRecord absent = counted("absent", 1, 1);
  absent.tasks.clear();
  const Leaderboard board = leaderboard_of(
      {counted("wrong", 1, 1, Check::Status::failed), counted("unasked", 1, 1, Check::Status::not_run),
       uncounted, to_do, absent, counted("ada", 1, 1)},
      "scan/open", {});
  EXPECT_EQ(names_on(board), std::vector<std::string>{"ada"});
  EXPECT_EQ(board.left_out, 4u);
  EXPECT_NE(to_markdown(leaderboard_page(board)).find("4 submissions not here"), std::string::npos);
  const Leaderboard empty = leaderboard_of({to_do}, "scan/open", {});
  EXPECT_NE(to_html(leaderboard_page(empty)).find("No submission is right"), std::string::npos);
}

TEST(Leaderboard, OfATaskThatIsNotThereOrHasNoLimitIsRefused) {
  SubmissionRecord unlimited = counted("ada", 1, 1);
  unlimited.tasks[0].checks.resize(2);
  EXPECT_EQ(message_of<BadInput>([&] { (void)leaderboard_of({unlimited}, "scan/open", {}); }),
            "scan/open has no limit, so nothing of it is counted; a leaderboard needs one");
  EXPECT_EQ(message_of<BadInput>([&] { (void)leaderboard_of({unlimited}, "scan/opened", {}); }),
            "the batch has no task 'scan/opened'; did you mean scan/open?");
}

TEST(Leaderboard, PseudonymsAreOfOneEachAndTellNothingWithoutTheSecret) {
  std::vector<SubmissionRecord> records;
  for (int i = 0; i < 300; ++i) records.push_back(counted("student" + std::to_string(i), 1 + i, 1));
  const auto names = pseudonyms_of(records, secret);
  std::set<std::string> different;
  for (const auto& [student, name] : names) different.insert(name);
  EXPECT_EQ(different.size(), 300u);
  EXPECT_EQ(pseudonyms_of(records, secret), names) << "the same each time";
  EXPECT_NE(pseudonyms_of(records, Secret(std::string(32, '1'))), names);
  const std::string page = to_html(leaderboard_page(leaderboard_of(records, "scan/open", secret)));
  EXPECT_EQ(unnamed_parts(page), "");
  EXPECT_EQ(page.find("student0"), std::string::npos);
  EXPECT_NE(page.find(names[0].second), std::string::npos);
}

}  // namespace
}  // namespace warplab
