// What `warplab pack` writes, and that it is what the grader takes.
#include "grader/intake/pack.hpp"

#include <gtest/gtest.h>

#include "common/host/bad_input.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/intake.hpp"
#include "grader/predict/sealed_answers.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr const char* stub = "void f() {\n  warplab::todo(\"f: write it\");\n}\n";
constexpr const char* done = "// todo(\"f\") is gone\nvoid f() { puts(\"todo(\"); }\n";

/// A lab of two files, the second of two tasks.
Course course_in(const fs::path& root) {
  Course course;
  course.root = root;
  Lab lab{"transpose", root / "labs/07_transpose", {}};
  for (const auto& [id, file] : {std::pair("naive", "transpose_naive.cu"),
                                 {"tiled", "transpose_tiled.cu"},
                                 {"launch", "transpose_tiled.cu"}}) {
    Task task;
    task.lab = "transpose";
    task.id = id;
    task.file = file;
    lab.tasks.push_back(task);
  }
  course.labs.push_back(lab);
  return course;
}

TEST(Pack, WritesTheSameBytesForTheSameFilesAndTheGraderTakesThem) {
  const ScratchFolder scratch;
  scratch.write("labs/07_transpose/transpose_naive.cu", done);
  scratch.write("labs/07_transpose/transpose_tiled.cu", stub);
  scratch.write("labs/07_transpose/tasks.json", "{}");
  const Course course = course_in(scratch.path());
  const Packed packed = pack(course, scratch.path() / "alice.tar.gz");
  EXPECT_EQ(packed.done, std::vector<std::string>{"transpose/naive"});
  EXPECT_EQ(packed.to_do, (std::vector<std::string>{"transpose/tiled", "transpose/launch"}));
  ASSERT_EQ(packed.files.size(), 2u);
  EXPECT_EQ(packed.files[0].first, "labs/07_transpose/transpose_naive.cu");
  const std::string text = text_of(packed);
  EXPECT_NE(text.find(": 2 files, 1 task done\n  done: transpose/naive\n"), std::string::npos) << text;
  EXPECT_NE(text.find("still to do, and without points: transpose/tiled, transpose/launch"),
            std::string::npos);

  const std::string first = content_of(packed.archive);
  fs::last_write_time(scratch.path() / "labs/07_transpose/transpose_naive.cu", fs::file_time_type::min());
  (void)pack(course, scratch.path() / "again.tar.gz");
  EXPECT_EQ(first, content_of(scratch.path() / "again.tar.gz"));

  const Intake intake = read_submission(single_submission(packed.archive), task_files(course));
  EXPECT_EQ(intake.student, "alice");
  EXPECT_EQ(intake.problem, "");
  EXPECT_TRUE(intake.notes.empty());
  EXPECT_EQ(intake.files.at({"07_transpose", "transpose_naive.cu"}), done);
  EXPECT_EQ(intake.files.at({"07_transpose", "transpose_tiled.cu"}), stub);
}

TEST(Pack, RefusesWhenNothingHasBeenDoneAndLeavesNoFile) {
  const ScratchFolder scratch;
  const Course course = course_in(scratch.path());
  const fs::path archive = scratch.path() / "alice.tar.gz";
  EXPECT_THROW((void)pack(course, archive), BadInput);
  scratch.write("labs/07_transpose/transpose_naive.cu", stub);
  try {
    (void)pack(course, archive);
    FAIL() << "a stub was packed as work";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("begin with transpose/naive"), std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(fs::exists(archive));
  scratch.write("labs/07_transpose/transpose_tiled.cu", done + std::string(2 << 20, ' '));
  EXPECT_THROW((void)pack(course, archive), BadInput) << "the grader would not take a file of that size";
  EXPECT_FALSE(fs::exists(archive));
}

constexpr const char* places = "## 1 (at most 3 words, 4 points)\n\n\n## 2 (at most 3 words, 4 points)\n\n\n";

TEST(Pack, HasAnswersAndTellsWhichAreTooLong) {
  const ScratchFolder scratch;
  scratch.write("labs/07_transpose/transpose_naive.cu", done);
  scratch.write("labs/07_transpose/answers.md", places);
  const Course course = course_in(scratch.path());
  const Packed without = pack(course, scratch.path() / "alice.tar.gz");
  EXPECT_EQ(without.files.size(), 1u) << "places are not answers";
  EXPECT_NE(text_of(without).find("no question is answered in answers.md of transpose\n"), std::string::npos)
      << text_of(without);

  const std::string written = std::string(places) + "four words are written\n";
  scratch.write("labs/07_transpose/answers.md", written);
  const Packed packed = pack(course, scratch.path() / "alice.tar.gz");
  const std::string text = text_of(packed);
  EXPECT_NE(text.find("  answers: transpose, 1 of 2 questions\n"
                      "    question 2 has 4 words of at most 3; shorten it\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("no question"), std::string::npos) << text;
  const Intake intake = read_submission(single_submission(packed.archive), submission_files(course));
  EXPECT_EQ(intake.files.at({"07_transpose", "answers.md"}), written);
  EXPECT_TRUE(intake.notes.empty());
}

TEST(Pack, HasALogOfTestsWhereOneIsKept) {
  const ScratchFolder scratch;
  scratch.write("labs/07_transpose/transpose_naive.cu", done);
  const Course course = course_in(scratch.path());
  EXPECT_EQ(text_of(pack(course, scratch / "ada.tar.gz")).find("log"), std::string::npos);
  const std::string log = "time,task,points,of\n2027-03-01 10:00 +0000,transpose/naive,5,10\n";
  scratch.write("labs/07_transpose/test_log.csv", log);
  const Packed packed = pack(course, scratch / "ada.tar.gz");
  EXPECT_NE(text_of(packed).find("with your log of tests (test_log.csv) of transpose; delete it to hand in "
                                 "without\n"),
            std::string::npos)
      << text_of(packed);
  const Submission submission = single_submission(packed.archive);
  EXPECT_EQ(read_submission(submission, {{"07_transpose", test_log_file}}).files.size(), 1u);
  EXPECT_TRUE(read_submission(submission, submission_files(course)).notes.empty()) << "grading ignores it";
}

TEST(Pack, OfAnswersAloneIsSomethingToHandIn) {
  const ScratchFolder scratch;
  scratch.write("labs/07_transpose/transpose_naive.cu", stub);
  scratch.write("labs/07_transpose/answers.md", std::string(places) + "two");
  EXPECT_EQ(pack(course_in(scratch.path()), scratch.path() / "a.tar.gz").files.size(), 2u);
}

TEST(Pack, HasPredictionsAndFindsWhichAreSomethingToHandIn) {
  const ScratchFolder scratch;
  const Course course = course_in(scratch.path());
  write_sealed(scratch / "predictions/transpose.json", {"transpose", "Ada", {}});
  write_sealed(scratch / "predictions/reduction.json", {"reduction", "Ada", {}});
  write_sealed(scratch / "hunts/transpose/found.json", {"transpose", "Ada", {}, SealedKind::hunt});
  const Packed packed = pack(course, scratch / "ada.tar.gz");
  EXPECT_EQ(packed.sealed,
            (std::vector<std::string>{"predictions/transpose.json", "hunts/transpose/found.json"}))
      << "only of the labs that are packed";
  EXPECT_NE(text_of(packed).find("  sealed: predictions/transpose.json\n"), std::string::npos);
  const FoundFiles found = read_files(single_submission(packed.archive), ".json");
  ASSERT_EQ(found.files.size(), 2u);
  EXPECT_EQ(sealed_in(found.files[1].content, "", SealedKind::predictions).name, "Ada");
}

TEST(Pack, AFileThatIsNotThereIsSaid) {
  const ScratchFolder scratch;
  scratch.write("labs/07_transpose/transpose_naive.cu", done);
  const Packed packed = pack(course_in(scratch.path()), scratch.path() / "a.tar.gz");
  EXPECT_NE(text_of(packed).find("not found: transpose/tiled, transpose/launch"), std::string::npos);
}

TEST(Pack, ACallOfTodoCountsOnlyInCode) {
  EXPECT_TRUE(is_to_do(stub));
  EXPECT_TRUE(is_to_do("todo (1)"));
  EXPECT_FALSE(is_to_do(done));
  EXPECT_FALSE(is_to_do("/* todo(1) */ int todo; my_todo(1); auto s = R\"(todo(1))\";"));
  EXPECT_FALSE(is_to_do("// a \\\n todo(1)"));
  EXPECT_FALSE(is_to_do(""));
}

}  // namespace
}  // namespace warplab
