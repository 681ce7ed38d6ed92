// docs/lens.md: its example is what the program that it names prints, and its table has each kind of finding.
// Other examples compute what they say.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "lens/finding.hpp"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The indented block of the guide that begins with this text, without its margin.
std::string block_of_guide(const std::string& beginning) {
  std::istringstream guide(read(fs::path(WARPLAB_SOURCE_DIR) / "docs/lens.md"));
  std::string block;
  for (std::string line; std::getline(guide, line);) {
    if (block.empty() && line.rfind("    " + beginning, 0) != 0) continue;
    if (!line.empty() && line.rfind("    ", 0) != 0) break;
    block += (line.empty() ? "" : line.substr(4)) + "\n";
  }
  while (block.size() > 1 && block[block.size() - 2] == '\n') block.pop_back();
  return block;
}

TEST(LensGuide, ItsExampleIsWhatTheProgramPrints) {
  const fs::path folder = fs::path(WARPLAB_BINARY_DIR) / "lens_guide_test";
  fs::create_directories(folder);
  const std::string program = (folder / "row_sums").string(), log = (folder / "table.txt").string();
  ASSERT_EQ(
      run("'" WARPLAB_BINARY_DIR "/bin/warplab-cc' '" WARPLAB_SOURCE_DIR "/docs/examples/row_sums.cu' -o '" +
          program + "'"),
      0);
  EXPECT_EQ(run("WARPLAB_LENS=1 '" + program + "' 2>'" + log + "' >/dev/null"), 0);
  EXPECT_EQ(read(log), block_of_guide("thread_per_row  grid"));
  fs::remove_all(folder);
}

TEST(Examples, FragmentsMultiply) {
  const fs::path folder = fs::path(WARPLAB_BINARY_DIR) / "fragments_test";
  fs::create_directories(folder);
  const std::string program = (folder / "fragments").string();
  ASSERT_EQ(
      run("'" WARPLAB_BINARY_DIR "/bin/warplab-cc' '" WARPLAB_SOURCE_DIR "/docs/examples/fragments.cu' -o '" +
          program + "'"),
      0);
  EXPECT_EQ(run("WARPLAB_LENS=1 '" + program + "' >/dev/null 2>&1"), 0);
  fs::remove_all(folder);
}

TEST(LensGuide, ItsTableHasEachKindOfFinding) {
  const std::string guide = read(fs::path(WARPLAB_SOURCE_DIR) / "docs/lens.md");
  for (std::size_t i = 0; i <= static_cast<std::size_t>(warplab::lens::FindingKind::fault); ++i) {
    const char* const name = warplab::lens::name_of(static_cast<warplab::lens::FindingKind>(i));
    EXPECT_NE(guide.find(std::string("\n| ") + name + " | "), std::string::npos) << name;
  }
}

}  // namespace
