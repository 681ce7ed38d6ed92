// Students' trees made from small trees of the tests' own: what is in them, what is not, and that nothing but
// a whole one appears.
#include "grader/release/release.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/release/release_trees.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr const char* solved = R"(// Squares.
__global__ void square_fast_kernel(int* out) {
  // BEGIN SOLUTION
  out[threadIdx.x] = static_cast<int>(threadIdx.x * threadIdx.x);
  // STUB (void)out;
  // END SOLUTION
}
)";

/// A course of two labs, without git.
class ReleaseTest : public ::testing::Test {
 protected:
  ReleaseTest() : root_(scratch_ / "ours"), out_(scratch_ / "students") {
    write("README.md", "| [07_square](labs/07_square/) | squares |\n| [08_cube](labs/08_cube/) | cubes |\n");
    write("docs/guide.md",
          "See [the cubes](../labs/08_cube/README.md#goal), [the root](../README.md), [x](http://x.y).\n"
          "In [0, 1) too, see [the\ncubes](../labs/08_cube/).\n");
    write("labs/08_cube/README.md", "Cube them.\n");
    write("run_all.sh", "#!/bin/sh\n");
    fs::permissions(root_ / "run_all.sh", fs::perms(0700));
    write("labs/07_square/README.md",
          "Square them.\n\n| rung | ms |\n|---|---|\n| `fast` | 1 |\n| `faster` | 0 |\n");
    write("labs/07_square/square_fast.cu", solved);
    write("labs/07_square/square_faster.cu", "// withheld\n");
    write("labs/07_square/square_parts.hpp", "// BEGIN WITHHELD\nint part;\n// END WITHHELD\n");
    write("labs/07_square/square_problem.cpp", "a\n// BEGIN WITHHELD\nfaster\n// END WITHHELD\nb\n");
    write("labs/07_square/tasks.json",
          R"({"lab": "square", "tasks": [{"id": "fast", "hidden": ["primes"], "points": 100}]})");
    write("labs/08_cube/cube_fast.cu", "int cube;\n");
    write("reference/square.cpp", "square\n");
    write("reference/cube.cpp", "cube\n");
    write("tests/labs/square_test.cpp", "test\n");
    write("tests/labs/cube_test.cpp", "test\n");
    write("tests/hidden/square.json", "{}\n");
    write("results/h100/table.txt", "square 1 ms\n");
    write("private/tests/hidden/square.json", "{}\n");
    write("labs/07_square/variants/op_mine.diff", "   // STUB context of a hunk\n+  twice();\n");
    write("build/emulator/bin/square", "");
    write("common/picture.bin", std::string("\0// BEGIN SOLUTION\n", 19));
  }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file, std::ios::binary) << text;
  }
  ReleaseReport release_all() const { return release(course_of(root_), rungs_, out_); }
  ReleaseReport release_square() const {
    Course course = course_of(root_);
    std::erase_if(course.labs, [](const Lab& lab) { return lab.stem != "square"; });
    return release(course, rungs_, out_);
  }
  std::string refusal() const {
    return message_of<BadInput>([&] { (void)release_all(); });
  }
  /// What is beside the released tree: leftovers.
  std::vector<std::string> beside() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(scratch_.path()))
      if (entry.path() != root_ && entry.path() != out_) names.push_back(entry.path().filename().string());
    return names;
  }

  const RungTables rungs_ = {{"square",
                              {{"naive", "", Rung::Access::given, {}},
                               {"fast", "", Rung::Access::task, {}},
                               {"faster", "", Rung::Access::withheld, {}}}},
                             {"cube", {{"fast", "", Rung::Access::given, {}}}}};
  ScratchFolder scratch_;
  fs::path root_, out_;
};

TEST_F(ReleaseTest, HasStubsAndNothingWithheld) {
  const ReleaseReport report = release_all();
  EXPECT_TRUE(report.delivered);
  EXPECT_FALSE(report.replaced);
  EXPECT_EQ(report.solutions, 1u);
  EXPECT_EQ(report.labs, (std::vector<std::string>{"07_square", "08_cube"}));
  std::map<std::string, std::string> files = tree_of(out_);
  EXPECT_EQ(report.files, files.size());
  const auto about = nlohmann::json::parse(files.at("RELEASE.json"));
  EXPECT_EQ(about.at("release"), "warplab");
  files.erase("RELEASE.json");
  const auto tasks = nlohmann::json::parse(files.at("labs/07_square/tasks.json"));
  EXPECT_EQ(tasks, nlohmann::json::parse(R"({"lab": "square", "tasks": [{"id": "fast", "points": 100}]})"));
  files.erase("labs/07_square/tasks.json");
  const std::map<std::string, std::string> expected = {
      {"README.md", "| [07_square](labs/07_square/) | squares |\n| [08_cube](labs/08_cube/) | cubes |\n"},
      {"run_all.sh", "*#!/bin/sh\n"},
      {"labs/07_square/README.md", "Square them.\n\n| rung | ms |\n|---|---|\n| `fast` | 1 |\n"},
      {"labs/07_square/square_fast.cu",
       "// Squares.\n__global__ void square_fast_kernel(int* out) {\n  (void)out;\n}\n"},
      {"labs/07_square/square_problem.cpp", "a\nb\n"},
      {"docs/guide.md",
       "See [the cubes](../labs/08_cube/README.md#goal), [the root](../README.md), [x](http://x.y).\n"
       "In [0, 1) too, see [the\ncubes](../labs/08_cube/).\n"},
      {"labs/08_cube/README.md", "Cube them.\n"},
      {"labs/08_cube/cube_fast.cu", "int cube;\n"},
      {"reference/square.cpp", "square\n"},
      {"reference/cube.cpp", "cube\n"},
      {"tests/labs/square_test.cpp", "test\n"},
      {"tests/labs/cube_test.cpp", "test\n"},
      {"common/picture.bin", std::string("\0// BEGIN SOLUTION\n", 19)}};
  EXPECT_EQ(files, expected);
}

TEST_F(ReleaseTest, OfOneLabHasNoTraceOfAnother) {
  ASSERT_TRUE(release_square().delivered);
  for (const auto& [file, text] : tree_of(out_)) {
    EXPECT_EQ(file.find("cube"), std::string::npos) << file;
    if (file != "docs/guide.md") {
      EXPECT_EQ(text.find("cube"), std::string::npos) << file << ": " << text;
    }
  }
  EXPECT_EQ(bytes_of_file(out_ / "docs/guide.md"),
            "See the cubes, [the root](../README.md), [x](http://x.y).\n"
            "In [0, 1) too, see the\ncubes.\n");
  EXPECT_TRUE(fs::exists(out_ / "reference/square.cpp"));
}

TEST_F(ReleaseTest, HasThePointsOfTheCourseAndNoWordOfLabsThatAreNotReleased) {
  write("course.json",
        R"({"labs": {"square": {"fast": {"points": 60}}, "cube": {"fast": {"points": 100}}}})");
  write("labs/07_square/README.md", "## Tasks\n1. **Fast (100 points):** be fast\n## Ladder\n");
  Course course = course_of(root_);
  std::erase_if(course.labs, [](const Lab& lab) { return lab.stem != "square"; });
  Task task;
  task.points = 60;
  course.labs[0].tasks = {task};
  ASSERT_TRUE(release(course, rungs_, out_).delivered);
  EXPECT_NE(content_of(out_ / "labs/07_square/README.md").find("1. **Fast (60 points):**"),
            std::string::npos);
  const std::string released = content_of(out_ / "course.json");
  EXPECT_NE(released.find("square"), std::string::npos);
  EXPECT_EQ(released.find("cube"), std::string::npos);
}

TEST_F(ReleaseTest, MarksATaskThatIsDroppedInTheHandoutAndKeepsItsStub) {
  write("course.json", R"({"labs": {"square": {"fast": {"dropped": true}}}})");
  write("labs/07_square/README.md",
        "## Tasks (100 points)\n1. **Fast (60 points):** be fast\n2. **Right (40 points):** be right\n");
  Course course = course_of(root_);
  std::erase_if(course.labs, [](const Lab& lab) { return lab.stem != "square"; });
  Task fast, right;
  fast.id = "fast", fast.number = 1, fast.points = 60;
  right.id = "right", right.number = 2, right.points = 40;
  course.labs[0].tasks = {right};
  course.labs[0].dropped = {fast};
  ASSERT_TRUE(release(course, rungs_, out_).delivered);
  EXPECT_EQ(content_of(out_ / "labs/07_square/README.md"),
            "## Tasks (40 points)\n1. **Fast (60 points; not in this term):** be fast\n"
            "2. **Right (40 points):** be right\n");
  EXPECT_EQ(content_of(out_ / "labs/07_square/square_fast.cu").find("threadIdx"), std::string::npos);
  EXPECT_NE(content_of(out_ / "course.json").find("dropped"), std::string::npos);
}

TEST_F(ReleaseTest, ForGithubHasItsWorkflowAndOursOnlyHere) {
  write(".github/workflows/tests.yml", "ours\n");
  write("grader/classroom/feedback.yml", "theirs\n");
  write("grader/classroom/feedback.sh", "judge\n");
  ASSERT_TRUE(release_all().delivered);
  for (const auto& [file, text] : tree_of(out_)) EXPECT_FALSE(file.starts_with(".github")) << file;
  ASSERT_TRUE(release(course_of(root_), rungs_, out_, ReleaseFor::github).delivered);
  const auto files = tree_of(out_);
  EXPECT_EQ(files.at(".github/workflows/feedback.yml"), "theirs\n");
  EXPECT_EQ(files.at(".github/feedback.sh"), "*judge\n");
  EXPECT_FALSE(files.contains(".github/workflows/tests.yml"));
}

TEST_F(ReleaseTest, ForARepositoryHasItsBadgeBelowTheHeadingOfTheReadmeOnly) {
  write("grader/classroom/feedback.yml", "theirs\n");
  write("grader/classroom/feedback.sh", "judge\n");
  write("README.md", "# Labs\n\nWelcome.\n");
  const auto readme = [&](const std::string& repository) {
    EXPECT_TRUE(release(course_of(root_), rungs_, out_, ReleaseFor::github, repository).delivered);
    return content_of(out_ / "README.md");
  };
  EXPECT_EQ(readme(""), "# Labs\n\nWelcome.\n");
  EXPECT_EQ(readme("our-course/labs.2027"),
            "# Labs\n\n[![Open in GitHub Codespaces](https://github.com/codespaces/badge.svg)]"
            "(https://codespaces.new/our-course/labs.2027)\n\nWelcome.\n");
  for (const auto& [file, text] : tree_of(out_))
    if (file != "README.md") {
      EXPECT_EQ(text.find("codespaces"), std::string::npos) << file;
    }
  for (const char* name : {"labs", "/labs", "us/", "us/labs/more", "us/a b", "us/labs)"})
    EXPECT_EQ(message_of<BadInput>([&] { readme(name); }),
              std::string("--github takes OWNER/REPOSITORY, such as our-course/labs, not '") + name + "'");
}

TEST_F(ReleaseTest, IsTheSameEachTimeAndReplacesTheOneBefore) {
  ASSERT_TRUE(release_all().delivered);
  const auto first = tree_of(out_);
  fs::create_directories(out_ / ".git");
  std::ofstream(out_ / ".git/HEAD") << "main";
  std::ofstream(out_ / "labs/07_square/old.cu") << "old";
  EXPECT_TRUE(release_all().replaced);
  EXPECT_EQ(bytes_of_file(out_ / ".git/HEAD"), "main");
  fs::remove_all(out_ / ".git");
  EXPECT_EQ(tree_of(out_), first);
  EXPECT_EQ(beside(), std::vector<std::string>{});
}

TEST_F(ReleaseTest, TakesAnEmptyFolderAndRefusesAnythingElse) {
  fs::create_directories(out_);
  EXPECT_TRUE(release_all().delivered);
  fs::remove_all(out_);
  fs::create_directories(out_);
  std::ofstream(out_ / "thesis.tex") << "mine";
  EXPECT_EQ(refusal(),
            "--out " + out_.string() +
                " holds something that is not a release of warplab; it takes a new folder, an empty one, or "
                "that of an earlier release");
  EXPECT_EQ(tree_of(out_).size(), 1u);
  fs::remove_all(out_);
  std::ofstream(out_) << "a file";
  EXPECT_EQ(refusal(), "--out " + out_.string() + " is a file; it takes a folder");
  out_ = root_;
  EXPECT_EQ(refusal(),
            "--out " + out_.string() + " holds the tree that is released; it takes a folder of its own");
  out_ = scratch_.path();
  EXPECT_NE(refusal().find("holds the tree"), std::string::npos);
  out_ = "/proc/students";
  EXPECT_NE(refusal().find("--out /proc/students cannot be written"), std::string::npos);
}

TEST_F(ReleaseTest, WithinTheTreeDoesNotReleaseItself) {
  out_ = root_ / "students";
  ASSERT_TRUE(release_all().delivered);
  const auto first = tree_of(out_);
  ASSERT_TRUE(release_all().delivered);
  EXPECT_EQ(tree_of(out_), first);
}

TEST_F(ReleaseTest, LeavesNothingHalfWrittenWhereAMarkIsWrong) {
  ASSERT_TRUE(release_all().delivered);
  const auto before = tree_of(out_);
  write("labs/08_cube/cube_other.cu", "// BEGIN SOLUTION\n");
  EXPECT_EQ(refusal(), "labs/08_cube/cube_other.cu:1: a solution begins that never ends");
  write("labs/08_cube/cube_other.cu", "x\n# END WITHHELD\n");
  EXPECT_EQ(refusal(), "labs/08_cube/cube_other.cu:2: a withheld part ends that never began");
  EXPECT_EQ(tree_of(out_), before);
  EXPECT_EQ(beside(), std::vector<std::string>{});
}

TEST_F(ReleaseTest, IsNotDeliveredWithALeak) {
  write("labs/07_square/README.md",
        "Write\n`out[threadIdx.x] =\nstatic_cast<int>(threadIdx.x*threadIdx.x);`\n");
  const ReleaseReport report = release_all();
  EXPECT_FALSE(report.delivered);
  ASSERT_EQ(report.leaks.size(), 1u);
  EXPECT_EQ(sentence(report.leaks[0]),
            "labs/07_square/README.md:2 has line 4 of the solution labs/07_square/square_fast.cu: "
            "out[threadIdx.x] = static_cast<int>(threadIdx.x * threadIdx.x);");
  EXPECT_FALSE(fs::exists(out_));
  EXPECT_EQ(beside(), std::vector<std::string>{});
}

TEST_F(ReleaseTest, HasNoAnswerKeyAndIsNotDeliveredWithALineOfOne) {
  const std::string rubric = "- 2 points: squares of neighbouring threads differ by odd numbers\n";
  write("labs/07_square/answers.md", "## 1 (at most 10 words, 2 points)\n");
  write("labs/07_square/answer_key.md", "# Key\n\n## 1 (2 points)\n\n" + rubric);
  ASSERT_TRUE(release_all().delivered);
  EXPECT_TRUE(fs::exists(out_ / "labs/07_square/answers.md"));
  EXPECT_FALSE(fs::exists(out_ / "labs/07_square/answer_key.md")) << "with or without marks around it";

  write("docs/guide.md",
        "Squares grow.\nRemember: squares of neighbouring\nthreads differ by odd numbers.\n");
  const ReleaseReport report = release_all();
  EXPECT_FALSE(report.delivered);
  ASSERT_EQ(report.leaks.size(), 1u);
  EXPECT_EQ(
      sentence(report.leaks[0]),
      "docs/guide.md:2 has line 5 of the key labs/07_square/answer_key.md: squares of neighbouring threads "
      "differ by odd numbers");
  write("labs/07_square/README.md", "Given: squares of neighbouring threads differ by odd numbers.\n");
  EXPECT_TRUE(release_all().delivered) << "what the handout has is not secret";
}

TEST_F(ReleaseTest, GivenCodeIsNoLeakButALaterRungsIs) {
  const std::string line = "out[threadIdx.x] = static_cast<int>(threadIdx.x * threadIdx.x);\n";
  write("labs/07_square/square_naive.cu", line);  // before the task, in the table
  EXPECT_TRUE(release_all().delivered);
  fs::remove(root_ / "labs/07_square/square_naive.cu");
  write("common/square.hpp", line);
  EXPECT_TRUE(release_all().delivered);
  fs::remove(root_ / "common/square.hpp");
  write("labs/08_cube/cube_fast.cu", line);  // one line of another lab's kernel
  EXPECT_TRUE(release_all().delivered);
  write("labs/08_cube/cube_problem.cpp", line);
  EXPECT_FALSE(release_all().delivered);
  fs::remove(root_ / "labs/08_cube/cube_problem.cpp");
  write("labs/07_square/square_last.cu", line);  // which no table has before the task
  EXPECT_FALSE(release_all().delivered);
  fs::remove(root_ / "labs/07_square/square_last.cu");
  write("labs/07_square/square.hpp", "/// " + line);
  EXPECT_FALSE(release_all().delivered);
}

TEST_F(ReleaseTest, KernelsOfOtherLabsMayNotRepeatASolution) {
  const std::string body =
      "  const int first_of_three = threadIdx.x * 3;\n  const int second_of_three = first_of_three + 1;\n"
      "  const int third_of_three = first_of_three + 2;\n";
  write("labs/07_square/square_fast.cu", "// BEGIN SOLUTION\n" + body + "// END SOLUTION\n");
  write("labs/08_cube/cube_fast.cu", body);
  EXPECT_EQ(release_all().leaks.size(), 3u);
}

TEST_F(ReleaseTest, HasNothingOfAClassThatLiesInATreeWithoutGit) {
  for (const char* file : {"class/roster.csv", "batch/judge/seed", "batch/records/ada.json", "marks.csv"})
    write(file, "of the class\n");
  ASSERT_TRUE(release_all().delivered);
  for (const auto& [file, text] : tree_of(out_))
    EXPECT_EQ(text.find("of the class"), std::string::npos) << file;
}

TEST_F(ReleaseTest, HasTrackedFilesAloneWhereThereIsGit) {
  const std::string git = "cd '" + root_.string() + "' && git -c init.defaultBranch=main init -q . 2>&1 && ";
  if (std::system((git + "git add -A -- . ':!labs/08_cube/cube_fast.cu' ':!build'").c_str()) != 0)
    GTEST_SKIP() << "git is not installed";
  write("labs/07_square/notes.txt", "for myself");
  ASSERT_TRUE(release_square().delivered);
  EXPECT_FALSE(fs::exists(out_ / "labs/07_square/notes.txt"));
  EXPECT_TRUE(fs::exists(out_ / "labs/07_square/square_fast.cu"));
  write("course.json", "{}");
  EXPECT_EQ(message_of<BadInput>([&] { (void)release_square(); }),
            "git does not track course.json, and would leave it out: git add course.json");
  fs::remove(root_ / "course.json");
  fs::remove(root_ / "common/picture.bin");  // tracked, but gone
  EXPECT_TRUE(release_square().delivered);
}

}  // namespace
}  // namespace warplab
