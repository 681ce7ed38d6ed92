// What `warplab new-lab` writes, refuses and leaves alone.
#include "grader/new_lab/new_lab.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "common/host/bad_input.hpp"
#include "grader/course/course.hpp"
#include "grader/text/source_tree.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// A tree of two labs, with what a new one is made of.
class NewLabs : public ::testing::Test {
 protected:
  NewLabs() {
    tree_.write("labs/01_alpha/tasks.json", "");
    tree_.write("labs/12_beta/tasks.json", "");
    tree_.write("reference/gamma.hpp", "kept");
    for (const char* folder : {"tests/labs", "tests/reference", "tests/hidden/mutants", "grader/new_lab"})
      fs::create_directories(tree_ / folder);
    fs::copy(fs::path(WARPLAB_SOURCE_DIR) / "grader/new_lab/templates", tree_ / "grader/new_lab/templates",
             fs::copy_options::recursive);
  }
  std::map<fs::path, std::string> all() const {
    std::map<fs::path, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(tree_.path()))
      files[entry.path().lexically_relative(tree_.path())] =
          entry.is_regular_file() ? content_of(entry.path()) : "";
    return files;
  }
  /// Why a lab is not made; nothing must have changed then.
  std::string refusal(const NewLab& lab) const {
    const auto before = all();
    const std::string why = message_of<BadInput>([&] { make_lab(tree_.path(), lab); });
    EXPECT_EQ(all(), before);
    return why;
  }

  ScratchFolder tree_;
};

TEST_F(NewLabs, HaveEveryFileThatALabHasAndNoMarkIsLeft) {
  const auto before = all();
  const std::vector<fs::path> files = make_lab(tree_.path(), {"prefix_sum", "Scans", 0});
  for (const char* file :
       {"labs/13_prefix_sum/CMakeLists.txt", "labs/13_prefix_sum/README.md",
        "labs/13_prefix_sum/prefix_sum.hpp", "labs/13_prefix_sum/prefix_sum_adapter.cpp",
        "labs/13_prefix_sum/prefix_sum_grid_stride.cu", "labs/13_prefix_sum/prefix_sum_one_per_thread.cu",
        "labs/13_prefix_sum/prefix_sum_problem.cpp", "labs/13_prefix_sum/tasks.json",
        "reference/prefix_sum.cpp", "reference/prefix_sum.hpp", "tests/hidden/mutants/prefix_sum.json",
        "tests/hidden/prefix_sum.json", "tests/labs/prefix_sum_test.cpp",
        "tests/reference/prefix_sum_test.cpp"}) {
    EXPECT_NE(std::ranges::find(files, fs::path(file)), files.end()) << file;
    EXPECT_TRUE(fs::exists(tree_ / file)) << file;
  }
  EXPECT_EQ(files.size(), 14u);
  for (const fs::path& file : files) {
    const std::string text = content_of(tree_.path() / file);
    for (const char* mark : {"@lab@", "@Lab@", "@NN@", "@title@", "@pad@"})
      EXPECT_EQ(text.find(mark), std::string::npos) << file << " has " << mark;
  }
  for (const auto& [file, text] : before)
    if (!fs::is_directory(tree_.path() / file)) {
      EXPECT_EQ(content_of(tree_.path() / file), text) << file;
    }
  const std::string readme = content_of(tree_ / "labs/13_prefix_sum/README.md");
  EXPECT_TRUE(readme.starts_with("# Lab 13: Scans\n")) << readme;
  EXPECT_NE(content_of(tree_ / "tests/labs/prefix_sum_test.cpp").find("TEST(PrefixSumGridStride,"),
            std::string::npos);
}

TEST_F(NewLabs, TakeANumberAndATitleOfTheirOwn) {
  make_lab(tree_.path(), {"scan", "", 2});
  EXPECT_TRUE(content_of(tree_ / "labs/02_scan/README.md").starts_with("# Lab 02: Scan\n"));
}

TEST_F(NewLabs, AreReadAsACourse) {
  for (const char* lab : {"labs/01_alpha", "labs/12_beta"}) fs::remove_all(tree_ / lab);
  make_lab(tree_.path(), {"scan", "", 1});
  const Course course = Course::read(tree_.path());
  ASSERT_EQ(course.labs.size(), 1u);
  EXPECT_EQ(course.labs[0].tasks.at(0).points, 10);
}

TEST_F(NewLabs, AreRefusedNamesThatCannotBe) {
  for (const char* name : {"", "a", "Scan", "1scan", "scan-lines", "scan_", "_scan", "a__b", "../scan",
                           "scan x", "a_name_that_is_much_too_long"})
    EXPECT_NE(refusal({name, "", 0}).find("cannot be a lab's"), std::string::npos) << name;
  for (const char* name : {"class", "warplab", "all", "warplab_x", "std"})
    EXPECT_NE(refusal({name, "", 0}).find("taken by the language or the build"), std::string::npos) << name;
  EXPECT_EQ(refusal({"beta", "", 0}), "there is a lab called beta already");
}

TEST_F(NewLabs, AreRefusedNumbersAndTitlesThatCannotBe) {
  EXPECT_EQ(refusal({"scan", "", 12}), "--number 12 is that of 12_beta");
  EXPECT_EQ(refusal({"scan", "", 100}), "--number is 100; it takes 1 to 99");
  EXPECT_EQ(refusal({"scan", "", -1}), "--number is -1; it takes 1 to 99");
  EXPECT_NE(refusal({"scan", "a \"title\"", 0}).find("--title takes"), std::string::npos);
  fs::create_directory(tree_ / "labs/99_last");
  EXPECT_NE(refusal({"scan", "", 0}).find("--number takes one that is free"), std::string::npos);
}

TEST_F(NewLabs, LeaveFilesThatAreThereAlone) {
  EXPECT_NE(refusal({"gamma", "", 0}).find("reference/gamma.hpp is there already"), std::string::npos);
}

TEST_F(NewLabs, AreNotMadeInAReleasedTree) {
  fs::remove_all(tree_ / "grader/new_lab/templates");
  EXPECT_NE(refusal({"scan", "", 0}).find("only the instructor's tree"), std::string::npos);
}

TEST(FilesOfTree, AreThoseOfItsPartsWhereThereIsNoGit) {
  const ScratchFolder tree;
  for (const char* file : {"labs/01_scan/tasks.json", "course.json", "run_all.sh"}) tree.write(file, "");
  for (const char* file : {"class/roster.csv", "batch/judge/seed", "marks/marks.csv", "submissions/ada/a.cu",
                           "gradebook.csv", "warplab-deps.tar.gz", "private/x", "results/h100/run.json"})
    tree.write(file, "");
  EXPECT_EQ(files_of_tree(tree.path()),
            (std::vector<fs::path>{"course.json", "labs/01_scan/tasks.json", "run_all.sh"}));
}

TEST(FilesOfTree, OfThisOneAreAllInParts) {
  for (const fs::path& file : files_of_tree(WARPLAB_SOURCE_DIR))
    EXPECT_TRUE(is_part_of_tree(file.begin()->string())) << file << ": source_tree.cpp does not list it";
}

TEST(FilesOfTree, AreNotTakenWithoutThoseThatGitDoesNotTrack) {
  const ScratchFolder tree;
  tree.write("labs/01_scan/tasks.json", "");
  const auto files = [&] { return files_of_tree_with(tree.path(), {"labs/01_scan/tasks.json"}); };
  EXPECT_EQ(files().size(), 1u) << "where there is no git, all files of labs are of the tree";
  tree.write("kept", "");
  const std::string git = "git -C '" + tree.path().string() + "' ";
  if (std::system((git + "init -q && " + git + "add kept").c_str()) != 0) GTEST_SKIP() << "there is no git";
  EXPECT_EQ(
      message_of<BadInput>(files),
      "git does not track labs/01_scan/tasks.json, and would leave it out: git add labs reference tests");
  ASSERT_EQ(std::system((git + "add labs").c_str()), 0);
  EXPECT_EQ(files().size(), 2u);
}

}  // namespace
}  // namespace warplab
