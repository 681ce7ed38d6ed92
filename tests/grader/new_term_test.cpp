// From one term to the next: dates, secret, archive, and what went wrong last term.
#include "grader/new_term/new_term.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "common/bad_input.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/new_term/mistakes.hpp"
#include "grader/report/page.hpp"
#include "grader/term/class_files.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/sample_records.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

TEST(Deadlines, MoveByWholeWeeks) {
  EXPECT_EQ(weeks_later("2027-03-01", 26), "2027-08-30");
  EXPECT_EQ(weeks_later("2027-12-31 18:00 +0100", 1), "2028-01-07 18:00 +0100");
  EXPECT_EQ(weeks_later("2028-02-22T23:59", 1), "2028-02-29T23:59");
}

class NewTerm : public testing::Test {
 protected:
  NewTerm() : course_(Course::read(WARPLAB_SOURCE_DIR)) {
    fs::copy(fs::path(WARPLAB_SOURCE_DIR) / "tests/grader/term/class", folder_ / "old");
    RecordStore(folder_ / "batch").write(test::sample_record("ada"));
    folder_.write("batch/judge/seed", "00112233445566778899aabbccddeeff\n");
    options_.roster = folder_ / "old/roster.csv";
    options_.out = folder_ / "new";
    options_.name = "fall 2027";
    options_.weeks = 26;
    options_.batches = {folder_ / "batch"};
  }
  Course course_;
  NewTermOptions options_;
  ScratchFolder folder_;
};

TEST_F(NewTerm, HasLaterDeadlinesAFreshSecretAndNoStudents) {
  const NewTermReport report = make_new_term(course_, options_);
  EXPECT_EQ(report.deadlines, 4u);
  folder_.write("new/roster.csv", content_of(folder_ / "new/roster.csv") + "1,jdoe,Jane Doe,B,,,,\n");
  const ClassFiles next = ClassFiles::read(folder_ / "new/roster.csv", course_);
  EXPECT_EQ(next.term.name, "fall 2027");
  EXPECT_EQ(next.term.zone.text(*next.term.deadline("vector_add", "A")), "2027-08-30 23:59");
  EXPECT_EQ(next.term.zone.text(*next.term.deadline("matrix_add", "B")), "2027-09-14 23:59");
  EXPECT_EQ(next.term.late.days, 2u);
  EXPECT_TRUE(next.overrides.empty());
  const std::string seed = content_of(folder_ / "new/seed");
  EXPECT_EQ(seed.size(), 33u);
  EXPECT_NE(seed, content_of(folder_ / "batch/judge/seed"));
  struct stat of_seed {};
  ASSERT_EQ(stat((folder_ / "new/seed").c_str(), &of_seed), 0);
  EXPECT_EQ(of_seed.st_mode & 0777, 0600u);
}

TEST_F(NewTerm, KeepsTheOldOneInAnArchive) {
  EXPECT_EQ(make_new_term(course_, options_).archived, 8u);
  const std::string listed = house::run("tar -tzf " + (folder_ / "new/last_term.tar.gz").string()).output;
  for (const char* file :
       {"class/roster.csv", "class/overrides.csv", "batch_01/records/ada.json", "batch_01/judge/seed"})
    EXPECT_NE(listed.find(file), std::string::npos) << listed;
}

TEST_F(NewTerm, IsWholeOrAbsent) {
  folder_.write("old/overrides.csv", "student,what\n");
  EXPECT_TRUE(message_of<BadInput>([&] {
                make_new_term(course_, options_);
              }).starts_with((folder_ / "old/overrides.csv").string() + ":1: "));
  fs::remove(folder_ / "old/overrides.csv");
  fs::remove(folder_ / "old/requests.csv");
  options_.batches.push_back(folder_ / "nothing");
  EXPECT_EQ(message_of<BadInput>([&] { make_new_term(course_, options_); }),
            (folder_ / "nothing").string() + " holds no batch: it has no folder records");
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  std::size_t entries = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path())) entries += fs::exists(entry.path());
  EXPECT_EQ(entries, 2u) << "nothing of an attempt is left";
  options_.batches.pop_back();
  make_new_term(course_, options_);
  EXPECT_EQ(message_of<BadInput>([&] { make_new_term(course_, options_); }),
            (folder_ / "new").string() + " is there already; the next term takes a new folder");
}

TEST_F(NewTerm, TakesAFolderWithASlashAndNeedsTheOneAboveIt) {
  options_.out = (folder_ / "new").string() + "/";
  make_new_term(course_, options_);
  EXPECT_TRUE(fs::exists(folder_ / "new/seed"));
  options_.out = folder_ / "missing/new";
  EXPECT_EQ(message_of<BadInput>([&] { make_new_term(course_, options_); }),
            (folder_ / "missing").string() + " is not a folder, so the next term cannot be made in it");
  EXPECT_FALSE(fs::exists(folder_ / "missing"));
}

TEST(Mistakes, AreCountedPerCheckAndPoints) {
  std::vector<SubmissionRecord> records;
  for (const double score : {0.0, 10.0, 20.0, 25.0}) {
    SubmissionRecord record;
    TaskRecord task = test::sample_task("transpose", "tiled", "A tile", score, 25);
    const auto status = score < 15 ? Check::Status::failed : Check::Status::passed;
    task.checks = {test::sample_check("right at hidden sizes", Check::Kind::hidden_cases, status, 0, 10),
                   test::sample_check("barriers", Check::Kind::limit, Check::Status::not_run, 0, 5)};
    record.tasks = {task};
    records.push_back(record);
  }
  records.emplace_back().status = SubmissionRecord::Status::not_gradable;
  const std::string text = to_markdown(mistakes_page("spring 2027", records));
  EXPECT_NE(text.find("# Frequent mistakes of spring 2027"), std::string::npos) << text;
  EXPECT_NE(text.find("From 4 graded submissions."), std::string::npos) << text;
  EXPECT_NE(text.find("| transpose/tiled | 25 | 4 | 0 | 7.5 | 15 | 21.25 | 25 | "), std::string::npos)
      << text;
  EXPECT_NE(text.find("| transpose/tiled | right at hidden sizes | 4 | 2 | "), std::string::npos) << text;
  EXPECT_NE(text.find("60 %"), std::string::npos) << text;
  EXPECT_NE(text.find("50 % |\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("barriers"), std::string::npos) << text;
}

}  // namespace
}  // namespace warplab
