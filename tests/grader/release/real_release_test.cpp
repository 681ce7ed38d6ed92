// The students' tree of our own: without leaks, marks, and rungs that are withheld.
#include <gtest/gtest.h>

#include <set>

#include "grader/data/data_pack.hpp"
#include "grader/predict/sealed_ladder.hpp"
#include "grader/release/release.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/release/withheld_parts.hpp"
#include "grader/text/text_lines.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/release/release_trees.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path ours = WARPLAB_SOURCE_DIR;

/// Released once for all tests.
class RealRelease : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new ScratchFolder;
    report_ = release(course_of(ours), linked_rung_tables(), tree());
  }
  static void TearDownTestSuite() { delete std::exchange(scratch_, nullptr); }
  static fs::path tree() { return *scratch_ / "students"; }

  static inline ScratchFolder* scratch_ = nullptr;
  static inline ReleaseReport report_;
};

TEST_F(RealRelease, HasNoLeak) {
  for (const Leak& leak : report_.leaks) ADD_FAILURE() << sentence(leak);
  EXPECT_TRUE(report_.delivered);
  EXPECT_GE(report_.solutions, 40u);
}

TEST_F(RealRelease, HasNoMark) {
  for (const auto& [file, text] : tree_of(tree()))
    for (const std::string_view line : lines_of(text))
      EXPECT_FALSE(is_release_mark(line)) << file << ": " << line;
}

TEST_F(RealRelease, LacksNothingThatItIsBuiltFrom) {
  const house::Outcome configured = house::run(
      "cd '" + tree().string() + "' && cmake --preset emulator -B '" + (*scratch_ / "build").string() + "'");
  EXPECT_EQ(configured.exit_code, 0) << configured.output;
}

/// What a comment quotes as code, where it computes something: "side + 1" of "// `side + 1` is new".
std::vector<std::string> quoted_code(const std::string& comment) {
  std::vector<std::string> all;
  for (std::size_t at = comment.find('`'); at != std::string::npos; at = comment.find('`', at + 1)) {
    const std::size_t end = comment.find('`', at + 1);
    if (end == std::string::npos) break;
    const std::string code = comment.substr(at + 1, end - at - 1);
    if (code.find_first_of("+-*/%<>=^&|") != std::string::npos) all.push_back(code);
    at = end;
  }
  return all;
}

// A head explains what is done and why. How it is written is the task.
TEST_F(RealRelease, QuotesNoCodeOfASolutionAtTheHeadOfAStub) {
  int looked_at = 0;
  for (const Lab& lab : Course::read(ours).labs)
    for (const Task& task : lab.tasks) {
      const std::string text = content_of(lab.folder / task.file);
      const std::string head = text.substr(0, text.find("#include"));
      for (const SolutionRegion& region : solution_regions(text, task.file))
        for (const std::string& line : region.solution)
          for (const std::string& code : quoted_code(head))
            EXPECT_EQ(line.find(code), std::string::npos) << task.file << " tells `" << code << "`";
      ++looked_at;
    }
  EXPECT_GE(looked_at, 60);
  EXPECT_EQ(quoted_code("// `a` and `b + 1`, and `c"), std::vector<std::string>{"b + 1"});
}

// A students' tree without one of them cannot even be configured.
TEST_F(RealRelease, HasEveryFileOfOursThatItsTestsNeed) {
  int needed = 0;
  for (const auto& [file, text] : tree_of(tree())) {
    if (!file.starts_with("tests/")) continue;
    for (const std::string_view before : {"#include \"tests/", "{PROJECT_SOURCE_DIR}/tests/"})
      for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
        const std::size_t begin = text.find("tests/", at);
        const std::string path = text.substr(begin, text.find_first_of("\") \n", begin) - begin);
        EXPECT_TRUE(fs::exists(tree() / path)) << file << " needs " << path;
        ++needed;
      }
  }
  EXPECT_GE(needed, 5);
}

TEST_F(RealRelease, HasNoWithheldRungsFileNorItsNameInCode) {
  int withheld = 0;
  for (const auto& [lab, rungs] : linked_rung_tables())
    for (const Rung& rung : rungs) {
      if (rung.access != Rung::Access::withheld) continue;
      ++withheld;
      for (const auto& [file, text] : tree_of(tree())) {
        EXPECT_EQ(file.find(rung.name), std::string::npos) << file;
        if (!file.ends_with(".md")) {  // what a document published
          EXPECT_EQ(text.find(rung.name), std::string::npos) << file << " names " << rung.name;
        }
        EXPECT_EQ(text.find("\n| `" + rung.name + "`"), std::string::npos)
            << file << " has a row of " << rung.name;
      }
    }
  EXPECT_GE(withheld, 5);
}

// They are shown by `warplab predict`, after a student has predicted.
TEST_F(RealRelease, HasNoFiguresInTheLaddersOfLabsThatArePredicted) {
  int sealed = 0;
  for (const auto& [file, text] : tree_of(tree())) {
    if (!file.ends_with("/predict.json")) continue;
    const fs::path folder = tree() / fs::path(file).parent_path();
    const std::string handout = bytes_of_file(folder / "README.md");
    EXPECT_EQ(handout.find("<!-- rungs of"), std::string::npos) << file;
    EXPECT_EQ(handout.find("pen after you have predicted"), std::string::npos) << file;
    EXPECT_EQ(handout.find("H100 of the ladder"), std::string::npos) << file << " has a figure of the ladder";
    EXPECT_NE(handout.find("## The ladder"), std::string::npos) << file;
    if (bytes_of_file(ours / fs::path(file).parent_path() / "README.md").find("<!-- rungs of") ==
        std::string::npos)
      continue;  // lab 01: nothing of it is measured
    const std::string ladder = shown_text(bytes_of_file(folder / "ladder.sealed"));
    EXPECT_NE(ladder.find("Measured: "), std::string::npos) << file;
    ++sealed;
  }
  EXPECT_GE(sealed, 12);
}

TEST_F(RealRelease, HasWhatGpusMeasuredForOnceALabIsPredicted) {
  int packs = 0;
  for (const Lab& lab : Course::read(tree()).labs) {
    const fs::path pack = lab.folder / data_pack_file;
    if (!fs::exists(pack)) continue;
    ++packs;
    EXPECT_EQ(bytes_of_file(pack).find_first_not_of("0123456789abcdef\n"), std::string::npos);
    std::set<std::string> measured;
    for (const MeasuredRow& row : from_csv(shown_text(bytes_of_file(pack)))) measured.insert(row.rung);
    for (const Rung& rung : problem_registry().at(lab.stem)->rungs())
      EXPECT_FALSE(rung.access == Rung::Access::withheld && measured.contains(rung.name)) << rung.name;
  }
  EXPECT_GE(packs, 12);
}

TEST_F(RealRelease, HasPlacesForAnswersAndNoKey) {
  int places = 0;
  std::vector<std::string> keys;
  for (const auto& entry : fs::recursive_directory_iterator(ours / "labs")) {
    places +=
        fs::exists(tree() / entry.path().lexically_relative(ours)) && entry.path().filename() == "answers.md";
    if (entry.path().filename() != "answer_key.md") continue;
    EXPECT_FALSE(fs::exists(tree() / entry.path().lexically_relative(ours))) << entry.path();
    for (const std::string_view line : lines_of(bytes_of_file(entry.path())))
      if (line.starts_with("- ") && line.size() > 60) keys.emplace_back(line);
  }
  EXPECT_GE(places, 14);
  EXPECT_GE(keys.size(), 150u);
  for (const auto& [file, text] : tree_of(tree()))
    for (const std::string& key : keys)
      EXPECT_EQ(text.find(key), std::string::npos) << file << " has a line of an answer key: " << key;
}

TEST_F(RealRelease, HasWhatAStudentNeedsAndNothingOfTheGraders) {
  const auto files = tree_of(tree());
  for (const char* needed :
       {"run_all.sh", "CMakePresets.json", "README.md", "RELEASE.json", "labs/07_transpose/tasks.json",
        "tests/labs/transpose_test.cpp", "tests/reference/transpose_test.cpp", "grader/course/course.hpp"})
    EXPECT_TRUE(files.contains(needed)) << needed;
  EXPECT_TRUE(files.at("run_all.sh").starts_with("*"));
  for (const auto& [file, text] : files)
    for (const char* folder :
         {"results/", ".git/", ".ci/", "tests/hidden/", "tests/parity/", "tests/grader/", "tests/house/"})
      EXPECT_FALSE(file.starts_with(folder)) << file;
}

TEST_F(RealRelease, LeavesAStubForEveryTask) {
  for (const auto& [file, text] : tree_of(tree())) {
    const fs::path before = ours / file;
    if (!file.starts_with("labs/") || !fs::exists(before)) continue;
    if (solution_regions(bytes_of_file(before), file).empty() || !file.ends_with(".cu")) continue;
    EXPECT_NE(text.find("todo("), std::string::npos) << file;
  }
}

/// Of a file's solutions the longest line of code that the released tree has nowhere.
std::string distinctive_line(const fs::path& file, const std::map<std::string, std::string>& released) {
  std::string longest;
  for (const SolutionRegion& region : solution_regions(bytes_of_file(file), file.string()))
    for (const std::string& line : region.solution) {
      if (line.size() <= longest.size() || line.find("//") != std::string::npos) continue;
      const std::string words(trimmed(line));
      if (std::ranges::none_of(released,
                               [&](const auto& one) { return one.second.find(words) != std::string::npos; }))
        longest = line;
    }
  return longest;
}

// A line of every file's solutions, put where one might be forgotten.
TEST_F(RealRelease, PlantedLeaksAreFound) {
  const std::map<std::string, std::string> files = tree_of(tree());
  std::map<std::string, std::set<std::string>> planted;
  std::size_t lines = 0;
  for (const auto& entry : fs::recursive_directory_iterator(ours / "labs")) {
    if (entry.path().extension() != ".cu") continue;
    const std::string line = distinctive_line(entry.path(), files);
    if (line.empty()) continue;
    const std::string lab = entry.path().parent_path().lexically_relative(ours).generic_string();
    const std::string places[] = {
        lab + "/README.md", "docs/lens.md", lab + "/tasks.json", "README.md", "tests/labs/transpose_test.cpp",
        "run_all.sh"};
    const std::string& place = places[lines++ % std::size(places)];
    std::ofstream(tree() / place, std::ios::app) << "// as in: " << line << "\n";
    planted[place].insert(with_single_blanks(line));
  }
  EXPECT_GE(lines, 35u);
  std::map<std::string, std::set<std::string>> found;
  for (const Leak& leak : leaks(ours, tree(), linked_rung_tables())) found[leak.file].insert(leak.text);
  EXPECT_EQ(found, planted);
}

}  // namespace
}  // namespace warplab
