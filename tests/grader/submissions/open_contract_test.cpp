// The open contract of lab 11: very different sorts are right, keep to its limits and lead side by side.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "grader/judge/record_store.hpp"
#include "grader/report/leaderboard.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/submissions/batch_run.hpp"
#include "tests/grader/submissions/honest_variations.hpp"

namespace warplab {
namespace {

constexpr const char* task = "quicksort/open_contract";
const std::string place = "labs/11_quicksort/quicksort_open_contract.cu";

/// Three submissions, graded for real: our solution, which merges, and two others.
class OpenContract : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const ScratchFolder scratch;
    scratch.write("in/merge/" + place, content_of(std::string(WARPLAB_SOURCE_DIR) + "/" + place));
    int others = 0;
    for (const HonestVariation& one : written_variations())
      if (one.file == place) scratch.write("in/" + one.name + "/" + place, one.source), ++others;
    ASSERT_EQ(others, 2);
    const BatchRun run =
        run_batch({"grade", scratch / "in", "--out", scratch / "out", "--labs", "quicksort", "--jobs", "2",
                   "--seed-file", scratch.write("seed", "00112233445566778899aabbccddeeff")},
                  600);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    records = RecordStore::read_batch(scratch / "out").records;
  }
  inline static std::vector<SubmissionRecord> records;
};

TEST_F(OpenContract, IsMetByThreeStrategies) {
  ASSERT_EQ(records.size(), 3u);
  for (const SubmissionRecord& record : records) {
    const auto open = std::ranges::find(record.tasks, "open_contract", &TaskRecord::id);
    ASSERT_NE(open, record.tasks.end());
    EXPECT_EQ(open->status, TaskRecord::Status::judged) << record.student << ": " << open->reason;
    EXPECT_EQ(open->points, 0) << "it is beyond the points of the lab";
    for (const Check& check : open->checks)
      EXPECT_EQ(check.status, Check::Status::passed)
          << record.student << ": " << check.name << ": " << check.happened;
  }
}

TEST_F(OpenContract, IsWonByNoneOfThem) {
  const Leaderboard board = leaderboard_of(records, task, {});
  ASSERT_EQ(board.rows.size(), 3u);
  ASSERT_EQ(board.measures.size(), 4u);
  std::map<std::string, std::vector<double>> counts;
  for (const LeaderboardRow& row : board.rows) {
    EXPECT_EQ(row.beaten_by, 0u) << row.name;
    counts[row.name] = row.counts;
  }
  // The numbers of the handout: launches, and bytes against those that must move.
  const auto expect = [&](const char* name, double launches, double moved) {
    EXPECT_EQ(counts.at(name).at(1), launches) << name;
    EXPECT_NEAR(counts.at(name).at(0), moved, moved / 10) << name;
  };
  expect("places_among_all_runs", 2, 52);
  expect("merge", 5, 21);
  expect("sorting_network", 15, 12);
}

}  // namespace
}  // namespace warplab
