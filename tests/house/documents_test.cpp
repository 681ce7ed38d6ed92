// Documents are run: the commands that stand in the handouts and guides do what a reader would see them do.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/house/command.hpp"

namespace {

namespace fs = std::filesystem;
using warplab::house::Outcome;

struct Command {
  fs::path document;
  int line;
  std::string text;
};

std::vector<fs::path> documents() {
  std::vector<fs::path> found = {fs::path(WARPLAB_SOURCE_DIR) / "README.md"};
  for (const char* folder : {"labs", "docs"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(WARPLAB_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

/// Indented lines of the documents that match `pattern`.
std::vector<Command> commands(const std::string& pattern) {
  std::vector<Command> found;
  for (const fs::path& document : documents()) {
    std::ifstream in(document);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      std::smatch match;
      if (std::regex_search(line, match, std::regex("^    (" + pattern + ".*)")))
        found.push_back({document, number, match[1]});
    }
  }
  return found;
}

/// A folder that looks like the project's root, whose build tree is this one, and where commands may leave
/// files.
class Root {
 public:
  Root() {
    std::string pattern = (fs::temp_directory_path() / "warplab-documents-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    for (const char* name : {"labs", "docs", "common", "reference", "run_all.sh", "CMakePresets.json"})
      fs::create_symlink(fs::path(WARPLAB_SOURCE_DIR) / name, path_ / name);
    fs::create_directory(path_ / "build");
    fs::create_symlink(WARPLAB_BINARY_DIR, path_ / "build/emulator");
  }
  ~Root() { fs::remove_all(path_); }
  Outcome run(const std::string& command) const {
    return warplab::house::run("cd '" + path_.string() + "' && " + command + " </dev/null");
  }

 private:
  fs::path path_;
};

TEST(Documents, EveryProgramThatTheyCallRuns) {
  const Root root;
  const auto found = commands("build/emulator/bin/");
  ASSERT_FALSE(found.empty());
  for (const auto& [document, line, text] : found) {
    const Outcome outcome = root.run(text);
    EXPECT_EQ(outcome.exit_code, 0) << document << ":" << line << ": " << text << "\n" << outcome.output;
  }
}

TEST(Documents, EveryTargetThatTheyBuildExists) {
  const auto found = commands("cmake --preset [a-z-]+ && cmake --build --preset [a-z-]+ --target ");
  ASSERT_FALSE(found.empty());
  for (const auto& [document, line, text] : found) {
    const std::string target = text.substr(text.rfind(' ') + 1);
    const Outcome outcome = warplab::house::run("cmake --build '" WARPLAB_BINARY_DIR "' --target help");
    EXPECT_TRUE(std::regex_search(outcome.output, std::regex("(^|\n)" + target + ": phony")))
        << document << ":" << line << ": there is no target " << target;
  }
}

TEST(Documents, EveryOptionOfRunAllExists) {
  const Root root;
  const auto found = commands("\\./run_all\\.sh");
  ASSERT_FALSE(found.empty());
  for (const auto& [document, line, text] : found) {
    const Outcome outcome = root.run(text + " --help");  // what stands before --help is checked first
    EXPECT_EQ(outcome.exit_code, 0) << document << ":" << line << ": " << text << "\n" << outcome.output;
  }
}

TEST(Documents, EveryLinkLeadsToAFile) {
  const std::regex link("\\]\\(([^)#]+)[^)]*\\)");
  int links = 0;
  for (const fs::path& document : documents()) {
    std::ifstream in(document);
    for (std::string line; std::getline(in, line);)
      for (std::sregex_iterator i(line.begin(), line.end(), link), end; i != end; ++i) {
        const std::string target = (*i)[1];
        if (target.find("://") != std::string::npos) continue;
        ++links;
        EXPECT_TRUE(fs::exists(document.parent_path() / target)) << document << ": " << target;
      }
  }
  EXPECT_GT(links, 0);
}

TEST(Documents, NoPlaceholderIsLeft) {
  const std::regex placeholder("\\b[A-Z]+_OUTPUT\\b|@[A-Z]+@|\\bTBD\\b|\\bFIXME\\b");
  for (const fs::path& document : documents()) {
    std::ifstream in(document);
    for (std::string line; std::getline(in, line);)
      EXPECT_FALSE(std::regex_search(line, placeholder)) << document << ": " << line;
  }
}

// The tables of rungs are filled in from committed results: by the lens, and by a GPU.
TEST(Documents, LaddersAreWhatTheResultsSay) {
  const fs::path root = WARPLAB_SOURCE_DIR;
  // All runs of the labs' own cases on that device; replays of published tables and profiles are others.
  std::vector<std::string> times;
  for (const auto& run : fs::directory_iterator(root / "results"))
    if (const std::string name = run.path().filename();
        name.starts_with("h100-80gb-hbm3") && !name.ends_with("-seeds") && !name.ends_with("-lens"))
      times.push_back("'" + (run.path() / "results.json").string() + "'");
  std::ranges::sort(times);
  std::string all_times;
  for (const std::string& file : times) all_times += " " + file;
  int ladders = 0;
  for (const fs::path& document : documents()) {
    std::ifstream in(document);
    std::stringstream text;
    text << in.rdbuf();
    if (text.str().find("<!-- ladder") == std::string::npos) continue;
    ++ladders;
    const Outcome made =
        warplab::house::run("'" WARPLAB_BINARY_DIR "/bin/warplab-results' ladder '" + document.string() +
                            "' '" + (root / "results/emulator-lens/results.json").string() + "'" + all_times);
    EXPECT_EQ(made.exit_code, 0) << document << ": " << made.output;
    EXPECT_TRUE(made.output == text.str())
        << document << " differs from its results: warplab-results ladder ... --write renews it";
  }
  EXPECT_GE(ladders, 8);
}

}  // namespace
