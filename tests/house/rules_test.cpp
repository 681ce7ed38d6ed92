// The rules of the house that a program can check: what each lab consists of, how long functions may be, what
// tasks promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/io/file_content.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/house/functions.hpp"

namespace {

namespace fs = std::filesystem;
using warplab::file_content;

const fs::path source = WARPLAB_SOURCE_DIR;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The files that git tracks; none where the tree is not a clone.
std::vector<fs::path> tracked_files() {
  const auto listed = warplab::house::run("git -C '" + source.string() + "' -c safe.directory='*' ls-files");
  std::vector<fs::path> files;
  if (listed.exit_code != 0) return files;
  for (const std::string& line : lines_of(listed.output))
    if (fs::exists(source / line)) files.emplace_back(line);
  return files;
}

struct Lab {
  fs::path folder;
  std::string stem;
};

std::vector<Lab> labs() {
  std::vector<Lab> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(source / "labs"))
    if (entry.is_directory()) found.push_back({entry.path(), entry.path().filename().string().substr(3)});
  return found;
}

bool is_code(const fs::path& file) {
  static const std::set<std::string> kinds = {".cpp", ".hpp", ".h", ".cu", ".cuh", ".cmake", ".sh"};
  return kinds.count(file.extension()) || file.filename() == "CMakeLists.txt";
}

TEST(Rules, EveryLabHasTheSameFiles) {
  ASSERT_FALSE(labs().empty());
  for (const auto& [folder, stem] : labs()) {
    SCOPED_TRACE(folder.filename());
    EXPECT_TRUE(std::regex_match(folder.filename().string(), std::regex("[0-9][0-9]_[a-z0-9_]+")));
    for (const std::string& file :
         {std::string("README.md"), std::string("CMakeLists.txt"), std::string("tasks.json"),
          stem + "_problem.cpp", stem + "_adapter.cpp", stem + ".hpp"})
      EXPECT_TRUE(fs::exists(folder / file)) << file;
    EXPECT_TRUE(fs::exists(source / "reference" / (stem + ".hpp")));
    EXPECT_TRUE(fs::exists(source / "tests/labs" / (stem + "_test.cpp")));
    EXPECT_LT(lines_of(file_content(folder / "CMakeLists.txt")).size(), 10u);
  }
}

// Without the group `grading` warplab test runs nothing, and whoever opened such a machine would not know
// why.
TEST(Rules, MachinesOfOneStepHaveKnownPackagesAndThoseOfTheGrader) {
  std::set<std::string> groups;
  for (const std::string& line : lines_of(file_content(source / "scripts/packages.txt")))
    groups.insert(line.substr(0, line.find(' ')));
  const std::regex install("packages_of ([a-z ]+)\\)");
  for (const char* file : {".devcontainer/devcontainer.json", "containers/students.Containerfile",
                           "containers/graders.Containerfile"}) {
    SCOPED_TRACE(file);
    const std::string text = file_content(source / file);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(text, found, install));
    std::istringstream words(found[1]);
    const std::set<std::string> asked{std::istream_iterator<std::string>(words), {}};
    for (const char* needed : {"tool", "library", "archive", "grading"})
      EXPECT_TRUE(asked.contains(needed)) << needed;
    for (const std::string& group : asked) EXPECT_TRUE(groups.contains(group)) << group;
  }
}

TEST(Rules, KernelsShareTheLabsStemAndHoldNoMainAllocationOrPrinting) {
  const std::regex forbidden(
      R"(\bmain\s*\(|\bcudaMalloc|\bcudaFree|\bstd::cout|\bfprintf\s*\(|\bmalloc\s*\(|\bnew\s+[a-z]|WARPLAB_BACKEND)");
  for (const auto& [folder, stem] : labs())
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      static const std::set<std::string> others = {"peers", "mistakes", "demos", "probe"};
      if (entry.path().extension() != ".cu" || others.count(entry.path().parent_path().filename())) continue;
      SCOPED_TRACE(entry.path().filename());
      EXPECT_EQ(entry.path().filename().string().rfind(stem + "_", 0), 0u);
      std::smatch found;
      const std::string text = std::regex_replace(file_content(entry.path()), std::regex("//[^\n]*"), "");
      // A lab about the runtime's own calls may well make them: its files hold no
      // kernel, or are whole programs.
      if (text.find("__global__") == std::string::npos ||
          file_content(folder / (stem + "_problem.cpp")).find("whole_programs") != std::string::npos)
        continue;
      EXPECT_FALSE(std::regex_search(text, found, forbidden)) << found.str();
    }
}

// All else that tasks.json must have is held by broken_rules(), which a test of the grader asks.
TEST(Rules, TestsThatTasksNameAreAmongThoseOfThisBuild) {
  const std::string tests = warplab::house::run("ctest --test-dir '" WARPLAB_BINARY_DIR "' -N").output;
  for (const auto& [folder, stem] : labs()) {
    SCOPED_TRACE(folder.filename());
    const auto tasks = nlohmann::json::parse(file_content(folder / "tasks.json"), nullptr, false);
    ASSERT_FALSE(tasks.is_discarded());
    for (const auto& task : tasks.at("tasks"))
      for (const std::string test : task.at("tests"))
        EXPECT_NE(tests.find(test), std::string::npos) << test << " is not among the tests of this build";
  }
}

TEST(Rules, SolutionMarkersArePairedAndStubsStandInsideThem) {
  static const std::regex begins(R"(\s*// BEGIN SOLUTION)"), ends(R"(\s*// END SOLUTION)");
  int regions = 0;
  for (const fs::path& file : tracked_files()) {
    if (!is_code(file) || *file.begin() != "labs") continue;
    SCOPED_TRACE(file);
    bool inside = false;
    for (const std::string& line : lines_of(file_content(source / file))) {
      if (std::regex_match(line, begins)) {
        EXPECT_FALSE(inside) << "a solution begins inside a solution";
        inside = true;
        ++regions;
      } else if (std::regex_match(line, ends)) {
        EXPECT_TRUE(inside) << "a solution ends that did not begin";
        inside = false;
      } else if (line.find("// STUB") != std::string::npos) {
        EXPECT_TRUE(inside) << "a stub is outside a solution: " << line;
      } else {
        EXPECT_EQ(line.find("END SOLUTION"), std::string::npos)
            << "a marker needs a line of its own: " << line;
      }
    }
    EXPECT_FALSE(inside) << "a solution does not end";
  }
  if (tracked_files().empty()) GTEST_SKIP() << "this tree is not a git clone";
  EXPECT_GT(regions, 0);
}

TEST(Rules, HandoutsHaveTheirSections) {
  for (const auto& [folder, stem] : labs()) {
    SCOPED_TRACE(folder.filename());
    const std::vector<std::string> lines = lines_of(file_content(folder / "README.md"));
    const std::string text = file_content(folder / "README.md");
    for (const char* part : {"**Goal:**", "ou will learn", "**Out of scope:**"})
      EXPECT_NE(text.find(part), std::string::npos) << part;
    EXPECT_GE(lines.size(), 40u);
    std::string headings;
    for (const std::string& line : lines)
      if (line.rfind("#", 0) == 0) headings += line + "\n";
    for (const char* section : {"first command|start here", "picture", "tasks", "ladder", "questions",
                                "graded", "mistakes", "sources"})
      EXPECT_TRUE(std::regex_search(headings, std::regex(section, std::regex::icase)))
          << "no section on '" << section << "'";
  }
}

TEST(Rules, FunctionsAreShort) {
  const std::vector<fs::path> files = tracked_files();
  if (files.empty()) GTEST_SKIP() << "this tree is not a git clone";
  static const std::set<std::string> kinds = {".cpp", ".hpp", ".h", ".cu", ".cuh"};
  std::size_t found = 0;
  for (const fs::path& file : files) {
    const bool is_attack = file.generic_string().starts_with("tests/grader/exploits/");
    const bool is_cuda_header =
        file.generic_string().starts_with("emulator/include/") && !file.has_extension();
    if (is_attack || (!kinds.contains(file.extension()) && !is_cuda_header)) continue;
    for (const warplab::house::Function& function :
         warplab::house::functions_in(file_content(source / file))) {
      ++found;
      EXPECT_GT(function.lines, 0u) << file << ":" << function.line << ": its end is not found";
      EXPECT_LE(function.lines, function.is_kernel ? 90u : 60u)
          << file << ":" << function.line << ": divide " << function.head << " along its ideas";
    }
  }
  EXPECT_GT(found, 5000u);
}

TEST(Rules, FunctionsAreMeasuredWithTheirHeadsAndWhatIsInThem) {
  const std::string text = R"text(#define MACRO() { \
  }
namespace a {  // {
/* { */ template <class T>
struct [[nodiscard]] S : B<T> {
 public:
  S() : n_(3), more_(2) {}
  const char* text() const {
    return R"({{{)" "\"{" + '{';
  }
  int digits = 1'000'000;
};
constexpr int table[] = {1, 2, f(3)};
const auto lambda = [](int x) {
  return x;
};
__global__ void kernel(const int* in,
                       int* out) {
  // BEGIN SOLUTION
  const auto each = [&] {
    struct Local {
      void f() {}
    };
  };
  // END SOLUTION
  // STUB // Write it.
}
}  // namespace a
)text";
  struct Expected {
    const char* head;
    std::size_t line, lines;
    bool is_kernel;
  };
  const auto found = warplab::house::functions_in(text);
  const Expected expected[] = {{"S() : n_(3), more_(2)", 7, 1, false},
                               {"const char* text() const", 8, 3, false},
                               {"const auto lambda = [](int x)", 14, 3, false},
                               {"__global__ void kernel(const int* in, int* out)", 17, 8, true}};
  ASSERT_EQ(found.size(), std::size(expected));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].head, expected[i].head);
    EXPECT_EQ(found[i].line, expected[i].line) << found[i].head;
    EXPECT_EQ(found[i].lines, expected[i].lines) << found[i].head;
    EXPECT_EQ(found[i].is_kernel, expected[i].is_kernel) << found[i].head;
  }
}

// It only finds what it needs and builds; what runs labs is a program (runner/).
TEST(Rules, RunAllIsShort) { EXPECT_LE(lines_of(file_content(source / "run_all.sh")).size(), 200u); }

TEST(Rules, TheLintFindsWordsAndLongLinesButNotThoseOfCode) {
  if (warplab::house::run("python3 --version").exit_code != 0) GTEST_SKIP() << "python3 is not installed";
  const warplab::ScratchFolder folder;
  // What is looked for is put together here, so that this file passes.
  const std::string wide(60, 'w'), sectors = "4 sectors ", again = std::string("an") + "ew";
  std::ofstream(folder / "a.md") << "Read " + sectors + "a\nrequest.\n\n```sh\necho " + again + "\n```\n\n" +
                                        wide + " " + wide + "\n\n| " + wide + " | " + wide + " |\n";
  std::ofstream(folder / "b.cu") << "int " + again + " = 1;\n// Fill it\n// " + again +
                                        ".\nstop(\"not \"\n     \"" + again + "\");\n" + wide + " " + wide +
                                        "\n// STUB " + std::string(109, 's') + "\nconst char* page = R\"(" +
                                        wide + " " + wide + ")\";\n";
  const auto lint = [&](const char* file) {
    return warplab::house::run("'" + (source / ".ci/prose.py").string() + "' '" + (folder / file).string() +
                               "'");
  };
  const auto document = lint("a.md"), code = lint("b.cu");
  EXPECT_EQ(document.exit_code, 1);
  EXPECT_NE(document.output.find("a.md:1: '" + sectors), std::string::npos) << document.output;
  EXPECT_NE(document.output.find("a.md:8: 121 columns"), std::string::npos) << document.output;
  EXPECT_NE(document.output.find("\n2 found"), std::string::npos) << document.output;
  EXPECT_NE(code.output.find("b.cu:3: '" + again), std::string::npos) << code.output;
  EXPECT_NE(code.output.find("b.cu:5: '" + again), std::string::npos) << code.output;
  EXPECT_NE(code.output.find("b.cu:6: 121 columns"), std::string::npos) << code.output;
  EXPECT_NE(code.output.find("\n3 found"), std::string::npos) << code.output;
}

/// Files that `file` includes by quotes, itself too, and theirs.
void add_included(const fs::path& file, std::set<fs::path>& all) {
  if (!all.insert(file).second) return;
  static const std::regex include("#include \"([^\"]+)\"");
  const std::string text = file_content(file);
  for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it)
    for (const fs::path& folder : {file.parent_path(), source, source / "emulator/include"})
      if (fs::exists(folder / (*it)[1].str())) {
        add_included((folder / (*it)[1].str()).lexically_normal(), all);
        break;
      }
}

TEST(Rules, WhatEveryKernelFileIncludesIsQuickToCompile) {
  std::set<fs::path> headers;
  for (const char* header : {"emulator/include/cuda_runtime.h", "common/todo.hpp", "common/launch_shape.hpp",
                             "common/cuda_check.hpp", "common/vector16.hpp"})
    add_included(source / header, headers);
  ASSERT_GT(headers.size(), 30u);
  const std::regex slow(
      "#include <(string|vector|stdexcept|functional|memory|map|algorithm|atomic|iostream|sstream)>");
  for (const fs::path& header : headers)
    EXPECT_FALSE(std::regex_search(file_content(header), slow))
        << header << ": it is compiled for each submission";
}

// Otherwise a compiler looks for it below each of its -I folders. In a tree that lies within another one, as
// a release in the build folder does, it then finds the other tree's file.
TEST(Rules, IncludesThatGoUpStartFromTheirOwnFolder) {
  const std::regex upwards("^\\s*#\\s*include\\s*\"(\\.\\./[^\"]+)\"");
  int found = 0;
  for (const fs::path& file : tracked_files()) {
    if (!is_code(file) || file.string().starts_with("tests/grader/exploits/")) continue;
    for (const std::string& line : lines_of(file_content(source / file))) {
      std::smatch match;
      if (!std::regex_search(line, match, upwards)) continue;
      ++found;
      EXPECT_TRUE(fs::exists(source / file.parent_path() / match[1].str())) << file << ": " << line;
    }
  }
  EXPECT_TRUE(found > 0 || tracked_files().empty());
}

// Beside the tree lie submissions, batches and secrets.
TEST(Rules, ImagesHoldTheTreeAndNothingBesideIt) {
  if (tracked_files().empty()) GTEST_SKIP() << "this tree is not a git clone";
  std::set<std::string> tracked{"course.json"}, taken;  // the first is an instructor's own
  for (const fs::path& file : tracked_files()) tracked.insert(*file.begin());
  bool is_nothing_taken_before = false;
  for (const std::string& line : lines_of(file_content(source / ".dockerignore"))) {
    is_nothing_taken_before |= line == "*";
    if (!line.starts_with('!')) continue;
    EXPECT_TRUE(is_nothing_taken_before) << line;
    taken.insert(line.substr(1));
  }
  EXPECT_EQ(taken, tracked);
}

TEST(Rules, NoFileNamesAPlaceOfOneMachine) {
  if (tracked_files().empty()) GTEST_SKIP() << "this tree is not a git clone";
  // Written so that this file does not match itself.
  const std::string place = "(^|[^A-Za-z0-9_.])/(ro[o]t|wo[r]k|ho[m]e)/|\\.\\./sha[r]ed";
  const auto found =
      warplab::house::run("git -C '" + source.string() + "' -c safe.directory='*' grep -nIE '" + place + "'");
  EXPECT_EQ(found.exit_code, 1) << found.output;  // git's word for "nothing"
}

}  // namespace
