// From one term to the next: dates, secret, archive, and what went wrong last term.
#include "grader/new_term/new_term.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "common/host/bad_input.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/new_term/mistakes.hpp"
#include "grader/new_term/test_log.hpp"
#include "grader/report/page.hpp"
#include "grader/term/class_files.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/common/unnamed_parts.hpp"
#include "tests/grader/batch/sample_records.hpp"

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

TEST_F(NewTerm, KeepsRecordsWhoseNamesAreLong) {
  const std::string longest = std::string(140, 'x') + "m\xC3\xBCller";
  RecordStore(folder_ / "batch").write(test::sample_record(longest));
  EXPECT_EQ(make_new_term(course_, options_).archived, 9u);
  const std::string record = "batch_01/records/" + longest + ".json";
  EXPECT_EQ(
      house::run("tar -xzOf '" + (folder_ / "new/last_term.tar.gz").string() + "' '" + record + "'").output,
      content_of(folder_ / ("batch/records/" + longest + ".json")));
}

TEST_F(NewTerm, MovesTheDeadlinesOfCourseJsonAndKeepsTheOldOne) {
  const std::string old =
      R"({"labs": {"transpose": {"points": 40, "tiled": {"points": 40, "deadline": "2027-04-05 18:00"}},)"
      R"( "reduction": {"naive": {"deadline": "2027-12-31"}, "warp": {"points": 5}}}})";
  EXPECT_FALSE(make_new_term(course_, options_).has_course) << "this tree has no course.json";
  EXPECT_FALSE(fs::exists(folder_ / "new/course.json"));
  fs::remove_all(folder_ / "new");
  course_.root = folder_ / "tree";
  folder_.write("tree/course.json", old);
  const NewTermReport report = make_new_term(course_, options_);
  EXPECT_TRUE(report.has_course);
  EXPECT_EQ(report.deadlines, 6u);
  EXPECT_EQ(report.archived, 9u);
  std::string next = content_of(folder_ / "new/course.json");
  std::erase_if(next, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_EQ(next, R"({"labs":{"transpose":{"points":40,"tiled":{"points":40,"deadline":"2027-10-0418:00"}},)"
                  R"("reduction":{"naive":{"deadline":"2028-06-30"},"warp":{"points":5}}}})");
  EXPECT_EQ(content_of(folder_ / "tree/course.json"), old) << "the tree stays as it is";
  EXPECT_EQ(house::run("tar -xzOf " + (folder_ / "new/last_term.tar.gz").string() + " course.json").output,
            old);
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
  EXPECT_NE(text.find("0 to 100 %, half of them from 30 to 85 %"), std::string::npos) << text;
  EXPECT_NE(text.find("50 % |\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("barriers"), std::string::npos) << text;
  EXPECT_EQ(text.find("What the lens found"), std::string::npos) << text;
  const std::string html = to_html(mistakes_page("spring 2027", records));
  EXPECT_EQ(unnamed_parts(html), "");
  // 0, 7.5, 15, 21.25 and 25 of 25 points, on a line of 120 that begins at 2
  EXPECT_NE(html.find("<path d=\"M2.0 8H38.0M104.0 8H122.0M2.0 4v8M122.0 4v8\"/>"
                      "<rect x=\"38.0\" y=\"2\" width=\"66.0\" height=\"12\"/>"
                      "<path class=\"middle\" d=\"M74.0 2v12\"/>"),
            std::string::npos)
      << html;
}

/// A lab of two tasks in a folder of its own.
Lab scan_lab(const fs::path& folder) {
  Lab lab{"scan", folder, {}};
  for (const char* id : {"warp", "block"}) {
    Task task;
    task.lab = "scan", task.id = id, task.points = 50;
    lab.tasks.push_back(task);
  }
  return lab;
}

TEST(TestLog, TimeBelongsToTheLaterTestUnlessThePauseIsLong) {
  const std::map<std::string, double> minutes = minutes_in(scan_lab("14_scan"),
                                                           "time,task,points,of\n"
                                                           "2027-03-01 10:00 +0000,scan/warp,0,50\n"
                                                           "2027-03-01 10:20 +0000,scan/warp,20,50\n"
                                                           "2027-03-01 10:50 +0000,scan/block,0,50\n"
                                                           "2027-03-01 11:20:01 +0000,scan/block,50,50\n"
                                                           "2027-03-01 11:26:01 +0000,scan/warp,50,50\n"
                                                           "2027-03-01 11:26:01 +0000,scan/block,50,50\n");
  EXPECT_EQ(minutes, (std::map<std::string, double>{{"scan/warp", 23}, {"scan/block", 33}}));
}

TEST(TestLog, OfAnythingElseCountsNothing) {
  const Lab lab = scan_lab("14_scan");
  EXPECT_TRUE(minutes_in(lab, "").empty());
  EXPECT_TRUE(minutes_in(lab, "when,what\n1,2\n").empty());
  EXPECT_EQ(minutes_in(lab,
                       "time,task\n2027-03-01 10:00 +0000,scan/warp\nsoon,scan/warp\n"
                       "2027-03-01 09:00 +0000,scan/warp\n2027-03-01 10:05 +0000,=1+1\n"
                       "2027-03-01 10:10 +0000,scan/warp\n"),
            (std::map<std::string, double>{{"scan/warp", 10}}))
      << "an unknown task, no time, a time that goes back";
}

TEST(TestLog, OfAClassIsReadFromSubmissionsEachOnce) {
  const ScratchFolder folder;
  Course course{folder.path(), {scan_lab(folder / "labs/14_scan")}};
  fs::create_directories(folder / "labs/14_scan");
  SubmissionRecord record;
  record.tasks = {test::sample_task("scan", "warp", "In a warp", 12.5, 50)};
  const auto at = [](int minutes) {
    return std::chrono::sys_days(std::chrono::year(2027) / 3 / 1) + std::chrono::minutes(minutes);
  };
  for (const int minute : {0, 12}) note_test(course.labs[0], record, at(minute));
  const fs::path log = folder / "labs/14_scan/test_log.csv";
  EXPECT_EQ(content_of(log),
            "time,task,points,of\n2027-03-01 00:00 +0000,scan/warp,12.5,50\n"
            "2027-03-01 00:12 +0000,scan/warp,12.5,50\n");
  const auto hand_in = [&](const std::string& student) {
    folder.write("in/" + student + "/labs/14_scan/test_log.csv", content_of(log));
  };
  hand_in("ada");
  note_test(course.labs[0], record, at(20));
  hand_in("ada-2");
  folder.write("in/bob/labs/14_scan/test_log.csv",
               "time,task\n2027-03-02 00:00 +0000,scan/warp\n2027-03-02 00:05 +0000,scan/warp\n");
  folder.write("in/cyd/labs/14_scan/scan_warp.cu", "int x;\n");
  const auto minutes = minutes_of_class(course, {folder / "in"});
  EXPECT_EQ(minutes, (std::map<std::string, std::vector<double>>{{"scan/warp", {5, 20}}}));
  record.status = SubmissionRecord::Status::graded;
  const std::string text = to_markdown(mistakes_page("", {record}, minutes));
  EXPECT_NE(text.find("| scan/warp | 2 | 5 | 8.75 | 12.5 | 16.25 | 20 | "), std::string::npos) << text;
}

TEST(Mistakes, OfTheLensAreCountedOncePerSubmission) {
  const SeenMistake race{lens::FindingKind::race, lens::Hint::barrier_between_write_and_read, 2};
  const SeenMistake guard{lens::FindingKind::out_of_bounds, lens::Hint::missing_guard, 0};
  std::vector<SubmissionRecord> records;
  for (int i = 0; i < 4; ++i) {
    TaskRecord task = test::sample_task("transpose", "tiled", "A tile", 0, 25);
    for (const char* name : {"right at every public size", "right at hidden sizes"}) {
      task.checks.push_back(
          test::sample_check(name, Check::Kind::hidden_cases, Check::Status::failed, 0, 10));
      if (i < 3) task.checks.back().mistakes.insert(race);
      if (i == 0) task.checks.back().mistakes.insert(guard);
    }
    records.emplace_back().tasks = {task};
  }
  records.back().tasks[0].status = TaskRecord::Status::not_compiled;
  const std::string text = to_markdown(mistakes_page("", records));
  const std::size_t first = text.find("| transpose/tiled | race | after barrier 2 | "),
                    second = text.find("| transpose/tiled | out of bounds | before any barrier | ");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_LT(first, second);
  EXPECT_NE(text.find("| 3 | 3 | ████████████████████ 100 % |"), std::string::npos) << text;
  EXPECT_NE(text.find("| 3 | 1 | ███████ 33 % |"), std::string::npos) << text;
}

TEST(Mistakes, OfTheLensAreCountedPerBarrier) {
  std::vector<SubmissionRecord> records;
  for (int i = 0; i < 10; ++i) {
    TaskRecord task = test::sample_task("transpose", "tiled", "A tile", 0, 25);
    task.checks = {test::sample_check("right", Check::Kind::public_cases, Check::Status::failed, 0, 10)};
    if (i < 3)
      task.checks[0].mistakes = {{lens::FindingKind::race, lens::Hint::barrier_between_write_and_read, 2},
                                 {lens::FindingKind::race, lens::Hint::barrier_between_write_and_read, 1}};
    else if (i < 5)
      task.checks[0].mistakes = {
          {lens::FindingKind::divergent_barrier, lens::Hint::barrier_not_reached_by_all, 1}};
    else if (i < 6)  // of a record that kept no place
      task.checks[0].mistakes = {{lens::FindingKind::race, lens::Hint::barrier_between_write_and_read}};
    records.emplace_back().tasks = {task};
  }
  const std::string text = to_markdown(mistakes_page("", records));
  const auto has = [&](const std::string& start, const std::string& end) {
    const std::size_t row = text.find("| transpose/tiled | " + start);
    return row != std::string::npos && text.substr(row, text.find('\n', row) - row).ends_with(end);
  };
  EXPECT_TRUE(has("race | after barrier 1 | ", " 30 % |")) << text;
  EXPECT_TRUE(has("race | after barrier 2 | ", " 30 % |")) << text;
  EXPECT_TRUE(has("divergent barrier | at barrier 2 | ", " 20 % |")) << text;
  EXPECT_TRUE(has("race |  | ", " 10 % |")) << text;
}

}  // namespace
}  // namespace warplab
