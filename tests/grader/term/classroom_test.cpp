// A template repository and a student's copy of it, as bare repositories in a folder, and what the script of
// the workflow makes of a push. cmake and warplab are stood in for: their own tests build and judge.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// An instructor's template, pushed, and a student's clone of the repository that GitHub makes of it: one
/// commit with the same files.
class Classroom : public testing::Test {
 protected:
  Classroom() {
    for (const char* lab : {"02_vector_add", "07_transpose"}) scratch_.write(in(lab), "stub\n");
    const fs::path script =
        scratch_.write("template/.github/feedback.sh",
                       content_of(fs::path(WARPLAB_SOURCE_DIR) / "grader/classroom/feedback.sh"));
    fs::permissions(script, fs::perms(0755));
    scratch_.write("template/.gitignore", "/build/\n");
    program("bin/cmake", "echo \"$@\" >>\"$CALLS\"; [[ ! -e $CALLS.cmake_fails ]]");
    must(
        "cd template && git init -q -b main && git add -A && git commit -qm template && "
        "git init -q --bare -b main ../student.git && git push -q ../student.git main && cd .. && "
        "git clone -q student.git student");
    judge_with("echo right", 0);
  }
  static std::string in(const std::string& lab) { return "template/labs/" + lab + "/kernel.cu"; }
  fs::path program(const std::string& file, const std::string& commands) {
    const fs::path path = scratch_.write(file, "#!/bin/bash\n" + commands + "\n");
    fs::permissions(path, fs::perms(0755));
    return path;
  }
  void judge_with(const std::string& commands, int code) {
    program("student/build/emulator/bin/warplab",
            "echo \"warplab $*\" >>\"$CALLS\"\n" + commands + "\nexit " + std::to_string(code));
  }
  house::Outcome run(const std::string& command) const {
    return house::run(
        "cd '" + scratch_.path().string() +
        "' && export CALLS=\"$PWD/calls\" PATH=\"$PWD/bin:$PATH\" HOME=\"$PWD\" "
        "GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b && " +
        command);
  }
  void must(const std::string& command) const {
    const house::Outcome outcome = run(command);
    ASSERT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.output;
  }
  /// The student changes a file and pushes; the workflow checks that out. @return its page
  std::string page_after(const std::string& change) {
    must("cd student && " + change + " && git add -A && git commit -qm work && git push -q");
    fs::remove(scratch_ / "calls");
    must("cd student && .github/feedback.sh feedback.md");
    return content_of(scratch_ / "student/feedback.md");
  }
  std::string calls() const { return content_of(scratch_ / "calls"); }

  ScratchFolder scratch_;
};

TEST_F(Classroom, JudgesTheLabsThatWereWorkedOn) {
  judge_with("echo 'vector_add/one_per_thread 30 of 30'", 1);
  const std::string page = page_after("echo mine > labs/02_vector_add/kernel.cu");
  EXPECT_NE(calls().find("warplab test vector_add --hint\n"), std::string::npos) << calls();
  EXPECT_NE(calls().find("--target vector_add"), std::string::npos) << calls();
  EXPECT_EQ(calls().find("transpose"), std::string::npos) << calls();
  EXPECT_TRUE(page.starts_with("## vector_add ")) << page;
  EXPECT_NE(page.find("\nvector_add/one_per_thread 30 of 30\n"), std::string::npos) << page;
  page_after("echo mine > labs/07_transpose/kernel.cu");
  EXPECT_NE(calls().find("warplab test transpose vector_add --hint\n"), std::string::npos) << calls();
}

TEST_F(Classroom, AnUntouchedCopyIsToldWhatToDo) {
  const std::string page = page_after("echo words > notes.txt");
  EXPECT_EQ(page, "No lab was worked on yet: change a file in labs/, commit and push.\n");
  EXPECT_FALSE(fs::exists(scratch_ / "calls")) << "nothing was built";
}

TEST_F(Classroom, WhatASubmissionPrintsStaysInItsBlock) {
  judge_with("printf '~~~~~~~~~~\\n# Points: 100\\n'; yes xxxxxxxxx | head -c 200000", 1);
  const std::string page = page_after("echo mine > labs/02_vector_add/kernel.cu");
  EXPECT_NE(page.find("\n ~~~~~~~~~~\n# Points: 100\n"), std::string::npos) << page.substr(0, 200);
  EXPECT_LT(page.size(), 61000u);
  EXPECT_TRUE(page.ends_with("\n~~~~~~~~~~\n\nHidden sizes are judged when it is graded.\n"));
}

TEST_F(Classroom, WhereNothingCanBeJudgedThePageSaysWhy) {
  judge_with("echo 'warplab: there is no g++' >&2", 3);
  EXPECT_EQ(page_after("echo mine > labs/02_vector_add/kernel.cu"),
            "Your labs could not be judged: warplab: there is no g++\n");
  scratch_.write("calls.cmake_fails", "");
  EXPECT_EQ(page_after("echo more > labs/02_vector_add/kernel.cu"),
            "Building warplab failed. Your labs are not at fault: please tell your instructor.\n");
}

TEST(ClassroomWorkflow, GivesStudentsCodeNoTokenAndPostsWhatTheScriptLeaves) {
  const std::string text = content_of(fs::path(WARPLAB_SOURCE_DIR) / "grader/classroom/feedback.yml");
  const std::size_t judge = text.find("  judge:"), post = text.find("  post:");
  ASSERT_NE(judge, std::string::npos);
  ASSERT_NE(post, std::string::npos);
  const std::string judging = text.substr(judge, post - judge), posting = text.substr(post);
  EXPECT_NE(judging.find("persist-credentials: false"), std::string::npos);
  EXPECT_EQ(judging.find("token"), std::string::npos);
  EXPECT_EQ(judging.find("write"), std::string::npos) << judging;
  EXPECT_EQ(posting.find("checkout"), std::string::npos);
  EXPECT_EQ(posting.find("feedback.sh"), std::string::npos);
  EXPECT_NE(posting.find("body=@feedback.md"), std::string::npos);
}

}  // namespace
}  // namespace warplab
