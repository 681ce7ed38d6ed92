// A batch is graded whole, whatever ends it in between: nothing lost, nothing twice, the same gradebook.
#include "grader/batch/batch.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "grader/batch/child_result.hpp"
#include "grader/batch/collect.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/text/sha256.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/judge/host_adder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr const char* file = "labs/02_vector_add/vector_add_one_per_thread.cu";
constexpr const char* seed = "00112233445566778899aabbccddeeff";

/// Does what a word in the file asks for, and notes whom it built for in a file that outlives the process.
class WordBuilder : public RungBuilder {
 public:
  explicit WordBuilder(fs::path log) : log_(std::move(log)) {}
  Built build(const Task& task, const FileTexts& files) override {
    const std::string& content = files.at(task.file);
    std::ofstream(log_, std::ios::app) << content;
    usleep(3000);
    if (content.starts_with("crashes")) raise(SIGKILL);
    if (content.starts_with("exits")) _exit(0);
    if (content.starts_with("throws")) throw std::runtime_error("the disk is full");
    if (content.starts_with("garbage")) return {nullptr, TaskRecord::Status::not_compiled, "expected ';'"};
    if (content.starts_with("right")) return {std::make_unique<HostAdder>(), {}, ""};
    return {std::make_unique<HostAdder>([](const RungRequest& request, RungReply&) {
              if (request.outputs[0].count > 3) std::memset(request.outputs[0].data, 1, 8);
            }),
            {},
            ""};
  }

 private:
  fs::path log_;
};

class Batch : public ::testing::Test {
 protected:
  Batch() {
    course_ = Course::read(WARPLAB_SOURCE_DIR).only({"vector_add"});
    std::erase_if(course_.labs[0].tasks, [](const Task& task) { return task.id != "one_per_thread"; });
    course_.labs[0].tasks[0].points = 100;
    course_.labs[0].tasks[0].limits.clear();
  }
  void hand_in(const std::string& student, const std::string& word) {
    const fs::path path = folder_ / "in" / student / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << word << " " << student << "\n";
  }
  BatchOptions options(const std::string& out) const {
    BatchOptions options;
    options.submissions = folder_ / "in";
    options.out = folder_ / out;
    options.hidden = fs::path(WARPLAB_SOURCE_DIR) / "tests/hidden";
    options.seed = Secret(seed);
    options.sandbox = "none";
    return options;
  }
  /// Writes the list of commits that fetching leaves beside the submissions.
  void commits(const std::string& rows) {
    folder_.write("in.git/times.csv", "entry,commit,submitted\n" + rows);
  }
  int grade(const BatchOptions& options) const {
    struct Quiet {
      Quiet() { testing::internal::CaptureStdout(); }
      ~Quiet() { testing::internal::GetCapturedStdout(); }
    } quiet;
    return grade_batch(course_, options,
                       [&](unsigned) { return std::make_unique<WordBuilder>(folder_ / "log"); });
  }
  std::string gradebook(const std::string& out) const { return content_of(folder_ / out / "gradebook.csv"); }
  std::map<std::string, double> scores(const std::string& out) const {
    std::map<std::string, double> scores;
    for (const SubmissionRecord& record : RecordStore(folder_ / out).read_all().records)
      scores[record.student] = record.score();
    return scores;
  }

  Course course_;
  ScratchFolder folder_;
};

TEST_F(Batch, EverySubmissionGetsARecordAndAPage) {
  hand_in("ada", "right");
  hand_in("bob", "wrong");
  hand_in("cyd", "garbage");
  fs::create_directories(folder_ / "in" / "dan");
  EXPECT_EQ(grade(options("out")), 0);
  EXPECT_EQ(scores("out"), (std::map<std::string, double>{{"ada", 100}, {"bob", 0}, {"cyd", 0}, {"dan", 0}}));
  for (const char* student : {"ada", "bob", "cyd", "dan"}) {
    EXPECT_TRUE(fs::exists(folder_ / "out/feedback" / (std::string(student) + ".html"))) << student;
    EXPECT_TRUE(fs::exists(folder_ / "out/gradescope" / (std::string(student) + ".json"))) << student;
  }
  for (const char* name : {"gradebook.csv", "junit.xml", "summary.html", "summary.md"})
    EXPECT_TRUE(fs::exists(folder_ / "out" / name)) << name;
  for (const char* closed : {"out", "out/judge"})
    EXPECT_EQ(fs::status(folder_ / closed).permissions(), fs::perms::owner_all) << closed;
}

TEST_F(Batch, AFolderThatIsThereStaysAsOpenAsItIs) {
  hand_in("ada", "right");
  fs::create_directory(folder_ / "out");
  fs::permissions(folder_ / "out", fs::perms(0750));
  EXPECT_EQ(grade(options("out")), 0);
  EXPECT_EQ(fs::status(folder_ / "out").permissions(), fs::perms(0750));
}

/// Says of every file that it is as fast as ours, notes what it was asked in a file that outlives the
/// process, and fails where the file asks for it.
class NotingClock : public TaskClock {
 public:
  explicit NotingClock(fs::path log) : log_(std::move(log)) {}
  bool takes(const Task&) const override { return true; }
  ClockReading time(const Task&, const FileTexts& files, std::uint64_t input_seed) override {
    EXPECT_NE(input_seed, 0u);
    const std::string& content = files.begin()->second;
    std::ofstream(log_, std::ios::app) << content;
    if (content.find("unlucky") != std::string::npos && !fs::exists(log_.string() + ".fixed"))
      throw std::runtime_error("the device is gone");
    ClockReading reading;
    reading.verdict = ClockReading::Verdict::meets;
    reading.device = "NVIDIA H100";
    reading.input = "67108864 float";
    reading.most = 1.25;
    reading.rounds = 8;
    reading.ratio = {1.0125, 1, 1.5};
    return reading;
  }

 private:
  fs::path log_;
};

class TimedBatch : public Batch {
 protected:
  BatchOptions timed(bool resume = false) {
    BatchOptions timed = options("out");
    timed.resume = resume;
    timed.clock = &clock_;
    return timed;
  }
  std::string clock_csv() const { return content_of(folder_ / "out/clock.csv"); }

 private:
  NotingClock clock_{folder_ / "clock.log"};
};

constexpr const char* header = "student,task,device,input,ratio,low,high,rounds,most,verdict,reason\n";
constexpr const char* row =
    ",vector_add/one_per_thread,NVIDIA H100,67108864 float,1.012,1.000,1.500,8,1.25,meets,\n";

TEST_F(TimedBatch, TimesWhatIsRightAndNothingElseAndScoresAsWithoutAClock) {
  for (const char* student : {"ada", "bob", "cyd"})
    hand_in(student, student == std::string("ada")   ? "right"
                     : student == std::string("bob") ? "wrong"
                                                     : "garbage");
  ASSERT_EQ(grade(options("plain")), 0);
  ASSERT_EQ(grade(timed()), 0);
  EXPECT_EQ(gradebook("out"), gradebook("plain"));
  EXPECT_EQ(content_of(folder_ / "clock.log"), "right ada\n");
  EXPECT_EQ(clock_csv(), std::string(header) + "ada" + row);
  EXPECT_FALSE(fs::exists(folder_ / "plain/clock.csv"));
  EXPECT_NE(content_of(folder_ / "out/feedback/ada.md").find("1.01 times as long as our own version"),
            std::string::npos);
  EXPECT_EQ(content_of(folder_ / "plain/records/ada.json").find("clock"), std::string::npos);
}

TEST_F(TimedBatch, ResumedItNeitherLosesNorRepeatsAReading) {
  hand_in("ada", "right");
  ASSERT_EQ(grade(timed()), 0);
  hand_in("bob", "right");
  ASSERT_EQ(grade(timed(true)), 0);
  EXPECT_EQ(content_of(folder_ / "clock.log"), "right ada\nright bob\n");
  BatchOptions without = options("out");
  without.resume = true;
  ASSERT_EQ(grade(without), 0);
  EXPECT_EQ(clock_csv(), std::string(header) + "ada" + row + "bob" + row);
}

TEST_F(TimedBatch, WhatWasGradedWithoutAClockIsTimedWithoutBeingGradedAgain) {
  hand_in("ada", "right");
  ASSERT_EQ(grade(options("out")), 0);
  ASSERT_EQ(grade(timed(true)), 0);
  EXPECT_EQ(content_of(folder_ / "log"), "right ada\n");
  EXPECT_EQ(clock_csv(), std::string(header) + "ada" + row);
}

TEST_F(TimedBatch, ARecordThatStaysGetsNoReadingOfAnotherFile) {
  hand_in("ada", "right");
  ASSERT_EQ(grade(options("out")), 0);
  hand_in("ada", "wrong");
  ASSERT_EQ(grade(timed(true)), 0);
  EXPECT_EQ(scores("out").at("ada"), 100);
  EXPECT_FALSE(fs::exists(folder_ / "clock.log"));
  EXPECT_FALSE(fs::exists(folder_ / "out/clock.csv"));
}

TEST_F(TimedBatch, TheSameFileIsTimedOnce) {
  for (const char* student : {"ada", "bob"})
    folder_.write(std::string("in/") + student + "/" + file, "right\n");
  ASSERT_EQ(grade(timed()), 0);
  EXPECT_EQ(content_of(folder_ / "clock.log"), "right\n");
  EXPECT_EQ(clock_csv(), std::string(header) + "ada" + row + "bob" + row);
}

TEST_F(TimedBatch, AClockThatFailsCostsNoPointsAndIsAskedAgain) {
  hand_in("ada", "right unlucky");
  EXPECT_EQ(grade(timed()), exit_fault);
  EXPECT_EQ(scores("out").at("ada"), 100);
  EXPECT_FALSE(fs::exists(folder_ / "out/clock.csv"));
  std::ofstream(folder_ / "clock.log.fixed");
  EXPECT_EQ(grade(timed(true)), 0);
  EXPECT_EQ(clock_csv(), std::string(header) + "ada" + row);
}

TEST_F(Batch, WritesToItsOwnFolderAlone) {
  const fs::path before = fs::current_path();
  fs::create_directories(folder_ / "here");
  fs::current_path(folder_ / "here");
  hand_in("ada", "right");
  EXPECT_EQ(grade(options("out")), 0);
  fs::current_path(before);
  EXPECT_TRUE(fs::is_empty(folder_ / "here"));
}

TEST_F(Batch, OurOwnFailureIsRecordedAndTheOthersGoOn) {
  hand_in("ada", "throws");
  hand_in("bob", "right");
  EXPECT_EQ(grade(options("out")), exit_fault);
  const auto records = RecordStore(folder_ / "out").read_all().records;
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].status, SubmissionRecord::Status::own_failure);
  EXPECT_EQ(records[0].problem, "warplab itself failed on it, and it must be graded again: the disk is full");
  EXPECT_EQ(records[1].score(), 100);
  hand_in("ada", "right");  // the disk is fixed, and so on
  BatchOptions again = options("out");
  again.resume = true;
  EXPECT_EQ(grade(again), 0);
  EXPECT_EQ(scores("out").at("ada"), 100);
}

TEST_F(Batch, ASubmissionThatEndsItsGradersProcessEndsNoOthers) {
  for (const char* student : {"ada", "cyd", "eve"}) hand_in(student, "right");
  hand_in("bob", "crashes");
  hand_in("dan", "exits");
  for (const unsigned jobs : {1u, 2u}) {
    BatchOptions batch = options("out" + std::to_string(jobs));
    batch.jobs = jobs;
    EXPECT_EQ(grade(batch), exit_fault);
    batch.resume = true;
    EXPECT_EQ(grade(batch), exit_fault) << "resumed, it goes on after them again";
    const auto records = RecordStore(batch.out).read_all().records;
    ASSERT_EQ(records.size(), 5u);
    for (const SubmissionRecord& record : records) {
      const bool failed = record.student == "bob" || record.student == "dan";
      EXPECT_EQ(record.status,
                failed ? SubmissionRecord::Status::own_failure : SubmissionRecord::Status::graded)
          << record.student;
      EXPECT_EQ(record.score(), failed ? 0 : 100) << record.student;
    }
    EXPECT_EQ(records[1].problem,
              "warplab itself failed on it, and it must be graded again: its process was ended by SIGKILL "
              "(Killed)");
    EXPECT_TRUE(fs::exists(batch.out / "gradebook.csv"));
    EXPECT_TRUE(fs::exists(batch.out / "feedback/bob.html"));
  }
}

TEST_F(Batch, ASubmissionThatCrashesLaterKeepsThePointsThatItHad) {
  hand_in("ada", "right");
  ASSERT_EQ(grade(options("out")), 0);
  hand_in("ada", "crashes");
  BatchOptions again = options("out");
  again.resume = true;
  EXPECT_EQ(grade(again), exit_fault);
  EXPECT_EQ(scores("out").at("ada"), 100);
}

TEST_F(Batch, VerdictsOnTheSameFilesAreSharedByProcesses) {
  for (const char* student : {"ada", "bob", "cyd"})
    folder_.write(std::string("in/") + student + "/" + file, "right\n");
  ASSERT_EQ(grade(options("out")), 0);
  EXPECT_EQ(content_of(folder_ / "log"), "right\n");
  EXPECT_EQ(scores("out"), (std::map<std::string, double>{{"ada", 100}, {"bob", 100}, {"cyd", 100}}));
}

TEST_F(Batch, KilledTenTimesItEndsAsIfItHadNotBeen) {
  for (int i = 0; i < 60; ++i) hand_in("student-" + std::to_string(100 + i), i % 3 ? "right" : "wrong");
  ASSERT_EQ(grade(options("whole")), 0);
  fs::remove(folder_ / "log");

  std::srand(7);
  for (int kills = 0; kills < 10; ++kills) {
    const pid_t child = fork();
    if (child == 0) {
      BatchOptions resumed = options("killed");
      resumed.resume = true;
      resumed.jobs = 2;
      grade(resumed);
      _exit(0);
    }
    usleep(20'000 + std::rand() % 60'000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  BatchOptions resumed = options("killed");
  resumed.resume = true;
  ASSERT_EQ(grade(resumed), 0);
  EXPECT_EQ(gradebook("killed"), gradebook("whole"));
  for (const auto& entry : fs::directory_iterator(folder_ / "whole/records"))
    EXPECT_EQ(content_of(entry.path()), content_of(folder_ / "killed/records" / entry.path().filename()));

  // Only what was in the making when it was killed was begun again: two at a time, ten times.
  std::ifstream log(folder_ / "log");
  std::map<std::string, int> built;
  for (std::string line; std::getline(log, line);) ++built[line];
  int begun = 0;
  for (const auto& [line, times] : built) begun += times;
  EXPECT_EQ(built.size(), 60u);
  EXPECT_LE(begun, 60 + 2 * 10);
}

/// A batch of a class with a roster and rules.
class ClassBatch : public Batch {
 protected:
  ClassBatch() {
    folder_.write("class/term.json",
                  R"({"late": {"percent_per_day": 10}, "labs": {"vector_add": {"deadline": "2027-03-01"}}})");
    folder_.write("class/submissions.csv", "entry,submitted\nbob,2027-03-02 12:00\n");
    roster("1,ada,Ada Low\n2,bob,Bob Ray\n3,cyd,Cyd Oh\n");
    for (const char* student : {"ada", "bob", "stranger"}) hand_in(student, "right");
  }
  void roster(const std::string& rows) { folder_.write("class/roster.csv", "id,login,name\n" + rows); }
  ClassPlan plan() const { return ClassPlan::read(course_, folder_ / "class/roster.csv", {}, {"canvas"}); }
  int grade_class(const std::string& out, bool resume = false) const {
    const ClassPlan made = plan();
    BatchOptions with_class = options(out);
    with_class.plan = &made;
    with_class.resume = resume;
    return grade(with_class);
  }
};

TEST_F(ClassBatch, MakesMarksOfStudentsAtItsEnd) {
  ASSERT_EQ(grade_class("out"), 0);
  const std::string marks = content_of(folder_ / "out/marks/marks.csv");
  EXPECT_NE(marks.find("\n1,ada,Ada Low,,,100,100,100,0,0,"), std::string::npos) << marks;
  EXPECT_NE(marks.find("\n2,bob,Bob Ray,,,90,90,100,0,0,"), std::string::npos) << marks;
  EXPECT_NE(marks.find("\n3,cyd,Cyd Oh,,,0,0,100,0,0,"), std::string::npos) << marks;
  EXPECT_TRUE(fs::exists(folder_ / "out/marks/canvas.csv"));
  EXPECT_NE(content_of(folder_ / "out/summary.md").find("stranger fits nobody in the roster"),
            std::string::npos);
}

TEST_F(ClassBatch, WhatCountsHasTheTimeAtWhichItWasHandedIn) {
  const auto mark_of = [&](const std::string& out) {
    const std::string marks = content_of(folder_ / out / "marks/marks.csv");
    const std::string before = "\n1,ada,Ada Low,,,";
    const std::size_t mark = marks.find(before) + before.size();
    return marks.substr(mark, marks.find(',', mark) - mark);
  };
  commits("ada,c1,2027-02-28 12:00 UTC\n");
  ASSERT_EQ(grade_class("kept"), 0);
  hand_in("ada", "wrong");
  commits("ada,c2,2027-03-05 12:00 UTC\n");
  ASSERT_EQ(grade_class("kept", true), 0);
  EXPECT_EQ(mark_of("kept"), "100") << "a worse one that came late costs nothing";

  hand_in("ada", "right");
  ASSERT_EQ(grade_class("late"), 0);
  EXPECT_EQ(mark_of("late"), "60");
  hand_in("ada", "wrong");
  commits("ada,c1,2027-02-28 12:00 UTC\n");
  ASSERT_EQ(grade_class("late", true), 0);
  EXPECT_EQ(mark_of("late"), "60") << "and an old commit makes nothing else be in time";

  folder_.write("class/term.json", R"({"policy": "last"})");
  ASSERT_EQ(grade_class("late", true), 0);
  EXPECT_EQ(mark_of("late"), "100") << "by its own time the first one was the last";
  ASSERT_EQ(grade_class("kept", true), 0);
  EXPECT_EQ(mark_of("kept"), "0") << "what was handed in last counts";
}

TEST_F(ClassBatch, ShowsAnswersBesideKeyAndCountsAndLeavesPointsThatWereFilledIn) {
  const std::string digest = "sha256:" + sha256("<b>4</b> blocks").substr(0, 12);
  const fs::path answers = folder_ / "out/marks/answers", table = answers / "written.csv";
  ASSERT_EQ(grade_class("out"), 0);
  EXPECT_FALSE(fs::exists(answers)) << "nobody has answered";
  folder_.write("in/ada/labs/02_vector_add/answers.md", "## 1\n<b>4</b> blocks\n");
  ASSERT_EQ(grade_class("out", true), 0);
  const std::string page = content_of(answers / "vector_add.html");
  for (const char* part :
       {"Ada Low (ada)", "&lt;b&gt;4&lt;/b&gt; blocks", "2 words of at most 80", "<h4>Key</h4>",
        "first transfer of a program", "<b>one_per_thread</b>: 100 of 100 points"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find("Bob Ray"), std::string::npos) << "he has no answers";
  EXPECT_TRUE(content_of(table).starts_with(
      "student,lab,part,points,most,remark,answer\nada,vector_add,question 1,,4,," + digest +
      "\nada,vector_add,question 2,,3,,none\n"));

  const std::string filled =
      "student,lab,part,points,most,remark,answer\nada,vector_add,question 1,3.5,4,which?," + digest + "\n";
  std::ofstream(table) << filled;
  ASSERT_EQ(grade_class("out", true), 0);
  EXPECT_EQ(content_of(table), filled) << "points are not lost";
  EXPECT_NE(content_of(folder_ / "out/summary.md").find("was left as it is; copy it there"),
            std::string::npos);
  folder_.write("class/written.csv", filled);
  ASSERT_EQ(grade_class("out", true), 0);
  EXPECT_NE(content_of(folder_ / "out/marks/marks.csv").find("\n1,ada,Ada Low,,,103.5,103.5,104,"),
            std::string::npos);
  EXPECT_TRUE(content_of(table).starts_with(filled + "ada,vector_add,question 2,,3,,none\n"));
  EXPECT_NE(content_of(answers / "vector_add.html").find("<b>3.5 of 4 points</b> which?"), std::string::npos);
}

TEST_F(ClassBatch, LeavesATableOfAnswersWithAnyCorrectionAndNoOther) {
  const fs::path table = folder_ / "out/marks/answers/written.csv";
  const std::string head = "student,lab,part,points,most,remark\nada,vector_add,question 1,";
  folder_.write("in/ada/labs/02_vector_add/answers.md", "## 1\n4 blocks\n");
  folder_.write("class/written.csv", head + "1.5,4,which?\n");
  ASSERT_EQ(grade_class("out"), 0);
  for (const char* corrected : {"2,4,which?\n", "1.5,4,which one?\n", "1.5,4,\n", ",4,which one?\n"}) {
    std::ofstream(table) << head << corrected;
    ASSERT_EQ(grade_class("out", true), 0);
    EXPECT_EQ(content_of(table), head + corrected);
    EXPECT_NE(content_of(folder_ / "out/summary.md").find("has points or a remark for question 1 of ada to "),
              std::string::npos);
  }
  std::ofstream(table) << head << "2,4,which?\n";
  folder_.write("class/written.csv", head + "2,4,which?\n");
  ASSERT_EQ(grade_class("out", true), 0);
  EXPECT_NE(content_of(table).find("question 1,2,4,which?,"), std::string::npos)
      << "it has all that was there";
  folder_.write("class/written.csv", head + "3,4,\n");
  ASSERT_EQ(grade_class("out", true), 0);
  EXPECT_NE(content_of(table).find("question 1,3,4,,"), std::string::npos)
      << "what the run wrote itself is written again";
}

TEST_F(ClassBatch, NamesAnswersThatChangedAfterTheyWereMarked) {
  const auto summary = [&] {
    EXPECT_EQ(grade_class("out", true), 0);
    return content_of(folder_ / "out/summary.md");
  };
  const std::string page = "out/marks/answers/vector_add.html",
                    changed = "question 1 of ada to vector\\_add changed";
  folder_.write("in/ada/labs/02_vector_add/answers.md", "## 1\n4 blocks\n");
  ASSERT_EQ(grade_class("out"), 0);
  std::string marked = content_of(folder_ / "out/marks/answers/written.csv");
  marked.replace(marked.find("question 1,,4,"), 14, "question 1,3,4,");
  folder_.write("class/written.csv", marked);
  EXPECT_EQ(summary().find(changed), std::string::npos);
  EXPECT_NE(content_of(folder_ / page).find(">1 of 6 marked"), std::string::npos)
      << content_of(folder_ / page);

  folder_.write("in/ada/labs/02_vector_add/answers.md", "## 1\n5 blocks\n\n## 2\nmore\n");
  EXPECT_NE(summary().find(changed), std::string::npos);
  EXPECT_NE(content_of(folder_ / page).find("The answer changed after it got these points"),
            std::string::npos);
  EXPECT_NE(content_of(folder_ / page).find(">0 of 6 marked"), std::string::npos);
  const std::string table = content_of(folder_ / "out/marks/answers/written.csv");
  EXPECT_NE(table.find("question 1,3,4,,sha256:" + sha256("4 blocks").substr(0, 12)), std::string::npos)
      << table;
  EXPECT_NE(table.find("question 2,,3,,sha256:" + sha256("more").substr(0, 12)), std::string::npos) << table;

  marked.replace(marked.find(sha256("4 blocks").substr(0, 12)), 12, sha256("5 blocks").substr(0, 12));
  folder_.write("class/written.csv", marked);
  EXPECT_EQ(summary().find(changed), std::string::npos) << "it was marked again";
}

TEST_F(ClassBatch, NamesWhatWarplabFailedOnAndLeavesItsMarkOpen) {
  hand_in("cyd", "throws");
  ASSERT_EQ(grade_class("out"), exit_fault);
  const std::string summary = content_of(folder_ / "out/summary.md"),
                    marks = content_of(folder_ / "out/marks/marks.csv");
  EXPECT_NE(summary.find("warplab itself failed on 1 submission: cyd; --resume grades them again"),
            std::string::npos)
      << summary;
  EXPECT_EQ(summary.find("without a submission"), std::string::npos) << summary;
  EXPECT_NE(marks.find("\n3,cyd,Cyd Oh,,,,0,100,0,0,"), std::string::npos) << marks;
}

TEST_F(ClassBatch, ThatFitsTwoStudentsEndsBeforeAnythingIsGraded) {
  roster("1,ada,Ada Low\n2,x,Bob Ray\n3,y,\"Ray, Bob\"\n");
  hand_in("Bob Ray", "right");
  folder_.write("class/submissions.csv", "entry,student\nbob,x\n");
  const std::string place = (folder_ / "class/roster.csv").string();
  EXPECT_EQ(message_of<BadInput>([&] { grade_class("out"); }),
            "Bob Ray fits Bob Ray (" + place + ":3) and Ray, Bob (" + place +
                ":4); name its student in submissions.csv");
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_FALSE(fs::exists(folder_ / "log"));
}

TEST_F(ClassBatch, KilledAtAnyMomentItEndsWithTheSameMarks) {
  ASSERT_EQ(grade_class("whole"), 0);
  std::srand(7);
  for (int kills = 0; kills < 10; ++kills) {
    const pid_t child = fork();
    if (child == 0) {
      grade_class("killed", true);
      _exit(0);
    }
    usleep(5'000 + std::rand() % 60'000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  ASSERT_EQ(grade_class("killed", true), 0);
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "whole/marks")) {
    if (!entry.is_regular_file()) continue;
    ++files;
    EXPECT_EQ(content_of(entry.path()), content_of(folder_.path() / "killed/marks" /
                                                   entry.path().lexically_relative(folder_ / "whole/marks")))
        << entry.path();
  }
  EXPECT_EQ(files, 9u);
}

TEST_F(Batch, ShardsMakeTheSameAsOneRun) {
  for (int i = 0; i < 7; ++i) hand_in("s" + std::to_string(i), i % 2 ? "right" : "wrong");
  ASSERT_EQ(grade(options("whole")), 0);
  for (unsigned i = 1; i <= 3; ++i) {
    BatchOptions shard = options("parts");
    shard.shard = Shard{i, 3};
    ASSERT_EQ(grade(shard), 0);
    EXPECT_FALSE(fs::exists(folder_ / "parts/gradebook.csv"));
    if (i < 3) {
      const auto remarks = collect(course_, folder_ / "parts", folder_ / "in").remarks;
      ASSERT_EQ(remarks.size(), 1u);
      EXPECT_EQ(remarks[0],
                fmt::format("{} of 7 submissions have no record yet; --resume grades them", i == 1 ? 4 : 2));
      fs::remove(folder_ / "parts/gradebook.csv");
    }
  }
  const Collected all = collect(course_, folder_ / "parts", folder_ / "in");
  EXPECT_EQ(all.records, 7u);
  EXPECT_TRUE(all.remarks.empty());
  EXPECT_EQ(gradebook("parts"), gradebook("whole"));
}

TEST_F(Batch, WhatAnotherProcessHasIsGradedOnceThatHasEnded) {
  hand_in("ada", "right");
  hand_in("bob", "right");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t other = fork();
  if (other == 0) {
    const std::optional<Claim> held = RecordStore(folder_ / "out").claim("bob");
    if (write(ready[1], "", 1) == 1) sleep(6);
    _exit(0);  // without a record
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  fs::create_directory(folder_ / "out/judge");
  testing::internal::CaptureStdout();
  const int code = grade_batch(course_, options("out"),
                               [&](unsigned) { return std::make_unique<WordBuilder>(folder_ / "log"); });
  const std::string said = testing::internal::GetCapturedStdout();
  waitpid(other, nullptr, 0);
  for (const int end : ready) close(end);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(scores("out"), (std::map<std::string, double>{{"ada", 100}, {"bob", 100}})) << said;
  EXPECT_NE(said.find("waiting for 1 submission that another process grades\n"), std::string::npos) << said;
}

TEST_F(Batch, AResubmissionIsGradedAndNeverLosesPoints) {
  hand_in("ada", "right");
  hand_in("bob", "wrong");
  ASSERT_EQ(grade(options("out")), 0);
  hand_in("ada", "wrong");
  hand_in("bob", "right");
  BatchOptions again = options("out");
  again.resume = true;
  ASSERT_EQ(grade(again), 0);
  EXPECT_EQ(scores("out"), (std::map<std::string, double>{{"ada", 100}, {"bob", 100}}));
}

TEST_F(Batch, AResubmissionHasARecordOfItsOwnBesideThoseBefore) {
  BatchOptions again = options("out");
  again.resume = true;
  hand_in("ada", "right");
  commits("ada,c1,2027-02-28 12:00 UTC\n");
  ASSERT_EQ(grade(options("out")), 0);
  const SubmissionRecord first = RecordStore(folder_ / "out").read("ada").value();
  EXPECT_EQ(first.submitted, "2027-02-28 12:00 UTC");
  hand_in("ada", "wrong");
  folder_.write("in/ada/labs/02_vector_add/answers.md", "## 1\n4 blocks\n");
  commits("ada,c2,2027-03-05 12:00 UTC\n");
  ASSERT_EQ(grade(again), 0);
  const SubmissionRecord last = RecordStore(folder_ / "out").read("ada").value();
  EXPECT_EQ(last.score(), 0);
  EXPECT_EQ(last.submitted, "2027-03-05 12:00 UTC");
  EXPECT_EQ(last.answers.at("vector_add"), "## 1\n4 blocks\n");
  ASSERT_EQ(last.earlier.size(), 1u);
  EXPECT_EQ(to_json(last.earlier[0]), to_json(first));
  EXPECT_NE(content_of(folder_ / "out/feedback/ada.md").find("100 of 100 points"), std::string::npos);
  ASSERT_EQ(grade(again), 0);
  EXPECT_EQ(to_json(RecordStore(folder_ / "out").read("ada").value()), to_json(last)) << "nothing changed";
}

TEST_F(Batch, ATimeThatIsListedAfterGradingIsAddedToTheRecord) {
  hand_in("ada", "right");
  ASSERT_EQ(grade(options("out")), 0);
  commits("ada,c1,2027-02-28 12:00 UTC\n");
  BatchOptions again = options("out");
  again.resume = true;
  ASSERT_EQ(grade(again), 0);
  EXPECT_EQ(RecordStore(folder_ / "out").read("ada")->submitted, "2027-02-28 12:00 UTC");
  commits("ada,c2,2027-03-05 12:00 UTC\n");
  ASSERT_EQ(grade(again), 0);
  EXPECT_EQ(RecordStore(folder_ / "out").read("ada")->submitted, "2027-02-28 12:00 UTC")
      << "the same files are not handed in later by a commit without changes";
}

TEST_F(Batch, WhatWarplabFailedOnIsReplacedByWhatIsHandedInNext) {
  hand_in("ada", "right");
  ASSERT_EQ(grade(options("out")), 0);
  const std::string graded = content_of(folder_ / "out/records/ada.json");
  BatchOptions again = options("out");
  again.resume = true;
  for (const char* word : {"crashes", "throws"}) {
    hand_in("ada", word);
    ASSERT_EQ(grade(again), exit_fault);
    EXPECT_EQ(RecordStore(folder_ / "out").read("ada")->status, SubmissionRecord::Status::own_failure);
  }
  hand_in("ada", "right");
  ASSERT_EQ(grade(again), 0);
  EXPECT_EQ(content_of(folder_ / "out/records/ada.json"), graded);
}

TEST_F(Batch, OtherPointsGradeAllAnewAndAreNeverMixed) {
  hand_in("ada", "right");
  hand_in("bob", "wrong");
  hand_in("Bob", "wrong");
  ASSERT_EQ(grade(options("out")), 0);
  for (Task& task : course_.labs[0].tasks) task.points /= 2;
  const auto remarks = collect(course_, folder_ / "out", folder_ / "in").remarks;
  ASSERT_EQ(remarks.size(), 1u);  // of the second entry; the records are of one kind
  EXPECT_TRUE(remarks[0].starts_with("bob is graded as bob~")) << remarks[0];
  BatchOptions again = options("out");
  again.resume = true;
  fs::rename(folder_ / "in/ada", folder_ / "ada");
  ASSERT_EQ(grade(again), 0);
  const auto mixed = collect(course_, folder_ / "out", folder_ / "in").remarks;
  EXPECT_TRUE(std::ranges::any_of(mixed, [](const std::string& remark) {
    return remark.starts_with("records differ in the tasks, points, limits");
  }));
  fs::rename(folder_ / "ada", folder_ / "in/ada");
  ASSERT_EQ(grade(again), 0);
  EXPECT_EQ(scores("out").at("ada"), 50) << "the better record was of other points";
}

TEST_F(Batch, ARecordThatCannotBeKeptEndsItWithASentence) {
  hand_in("ada", "right");
  for (const unsigned jobs : {1u, 2u}) {
    BatchOptions stopped = options("out" + std::to_string(jobs));
    ASSERT_EQ(grade(stopped), 0);
    stopped.jobs = jobs;
    stopped.resume = true;
    for (const char* student : {"bob", "cyd", "dan"}) hand_in(student, "right");
    fs::create_directories(stopped.out / "records/bob.json");
    EXPECT_NE(message_of<BadInput>([&] { grade(stopped); }).find("records/bob.json"), std::string::npos);
    for (const char* student : {"bob", "cyd", "dan"}) fs::remove_all(folder_ / "in" / student);
  }
}

TEST(ChildResult, OnlyWhatCannotBeWrittenEndsTheBatch) {
  const auto result_of = [](const std::function<nlohmann::ordered_json()>& work, std::string& why) {
    return result_in(text_of_result(work), why);
  };
  std::string why;
  EXPECT_EQ(result_of([] { return nlohmann::ordered_json{{"a", 1}}; }, why).dump(), "{\"a\":1}");
  EXPECT_EQ(why, "");
  EXPECT_TRUE(result_of([]() -> nlohmann::ordered_json { throw std::bad_alloc(); }, why).is_null());
  EXPECT_EQ(why, "std::bad_alloc");
  EXPECT_TRUE(result_of([]() -> nlohmann::ordered_json { throw BadInput("no \xff"); }, why).is_null());
  EXPECT_TRUE(why.starts_with("no ")) << why;
  const nlohmann::ordered_json number = 5;
  EXPECT_TRUE(result_of([&] { return number.at("member"); }, why).is_null());
  EXPECT_NE(why, "");
  EXPECT_TRUE(result_of([]() -> nlohmann::ordered_json { throw 1; }, why).is_null());
  EXPECT_NE(why, "");
  for (const char* text : {"", "{\"result\": 1", "[]", "5", "{\"failed\": 7}"}) {
    EXPECT_TRUE(result_in(text, why).is_null()) << text;
    EXPECT_EQ(why, "its process ended before it was done");
  }
  EXPECT_EQ(message_of<CannotWrite>([&] {
              result_of([]() -> nlohmann::ordered_json { throw CannotWrite("the disk is full"); }, why);
            }),
            "the disk is full");
}

TEST_F(Batch, ARecordThatCannotBeReadIsGradedAgain) {
  hand_in("ada", "right");
  ASSERT_EQ(grade(options("out")), 0);
  const std::string whole = content_of(folder_ / "out/records/ada.json");
  auto broken = nlohmann::json::parse(whole);
  broken["answers"] = 5;
  BatchOptions again = options("out");
  again.resume = true;
  for (const std::string& text :
       {std::string("{"), std::string("[1]"), whole.substr(0, whole.size() / 2), broken.dump()}) {
    folder_.write("out/records/ada.json", text);
    EXPECT_EQ(grade(again), 0) << text;
    EXPECT_EQ(content_of(folder_ / "out/records/ada.json"), whole) << text;
  }
}

TEST_F(Batch, AnEarlierBatchIsNeitherLostNorMixedWithAnother) {
  hand_in("ada", "right");
  ASSERT_EQ(grade(options("out")), 0);
  const std::string out = (folder_ / "out").string();
  EXPECT_EQ(message_of<BadInput>([&] { grade(options("out")); }),
            out + " holds a batch already; --resume goes on with it, another --out begins again");
  BatchOptions other = options("out");
  other.resume = true;
  other.seed = Secret("ffeeddccbbaa99887766554433221100");
  EXPECT_EQ(message_of<BadInput>([&] { grade(other); }),
            "--seed-file does not hold the seed of the batch in " + out + "; another --out begins again");
  fs::create_directories(folder_ / "mine");
  std::ofstream(folder_ / "mine/thesis.txt") << "words";
  EXPECT_EQ(message_of<BadInput>([&] { grade(options("mine")); }),
            (folder_ / "mine").string() +
                " holds something that is not a batch of warplab; --out takes a new folder");
}

TEST_F(Batch, IsNoSubmissionOfItself) {
  hand_in("ada", "right");
  const BatchOptions within = options("in/out");
  EXPECT_NE(message_of<BadInput>([&] { grade(within); }).find("where it would be taken for a student"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(within.out));
}

TEST(Shard, IsPartIOfN) {
  EXPECT_EQ(parse_shard("2/5").index, 2u);
  EXPECT_EQ(parse_shard("2/5").count, 5u);
  for (const char* text : {"0/5", "6/5", "2", "a/b", "2/5x", ""})
    EXPECT_THROW(parse_shard(text), BadInput) << text;
}

}  // namespace
}  // namespace warplab
