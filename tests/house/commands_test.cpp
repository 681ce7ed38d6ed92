// Documents are run: every command in an `sh` or `console` block of the README, the handouts and the guides
// is run in a copy of the tree, one test per document, and prints what is below it. Those that no test can
// run are in commands_not_run.txt, each with its reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "tests/house/markdown.hpp"
#include "tests/house/shadow_tree.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR;

/// Commands that are not run, with their reasons: the lines "command # why" of commands_not_run.txt.
std::map<std::string, std::string> not_run() {
  std::map<std::string, std::string> reasons;
  for (const std::string& line : lines_of(content_of(source / "tests/house/commands_not_run.txt"))) {
    const std::size_t mark = line.rfind(" # ");
    if (line.empty() || line.starts_with("#")) continue;
    if (mark == std::string::npos)
      throw std::runtime_error("commands_not_run.txt gives no reason for: " + line);
    reasons[line.substr(0, mark)] = line.substr(mark + 3);
  }
  if (reasons.empty()) throw std::runtime_error("commands_not_run.txt is missing, or empty");
  return reasons;
}

std::vector<ShownCommand> commands_of(const Document& document) {
  std::vector<ShownCommand> all;
  for (const CodeBlock& block : document.blocks)
    for (const ShownCommand& command : commands_of(block)) all.push_back(command);
  return all;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<std::string> documents_with_commands() {
  std::vector<std::string> names;
  for (const fs::path& path : document_paths())
    if (!commands_of(read_document(path)).empty()) names.push_back(fs::relative(path, source).string());
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return std::regex_replace(info.param, std::regex("[^A-Za-z0-9]+"), "_");
}

class Commands : public testing::TestWithParam<std::string> {};

TEST_P(Commands, DoWhatTheDocumentSays) {
  const auto reasons = not_run();
  const ShadowTree tree;
  for (const auto& [line, text, output] : commands_of(read_document(source / GetParam()))) {
    if (reasons.contains(text)) continue;
    SCOPED_TRACE(GetParam() + ":" + std::to_string(line) + ": " + text);
    const Outcome outcome = tree.run(text);
    // A mistake that is shown fails, so what it prints is compared; a command without output must succeed.
    if (output.empty())
      EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    else
      EXPECT_TRUE(matches(output, lines_of(outcome.output))) << "shown:\n"
                                                             << joined(output) << "printed:\n"
                                                             << outcome.output;
  }
}

INSTANTIATE_TEST_SUITE_P(Documents, Commands, testing::ValuesIn(documents_with_commands()), test_name);

TEST(CommandsNotRun, AreStillShownSomewhere) {
  std::set<std::string> shown;
  for (const fs::path& path : document_paths())
    for (const ShownCommand& command : commands_of(read_document(path))) shown.insert(command.text);
  for (const auto& [command, reason] : not_run())
    EXPECT_TRUE(shown.contains(command)) << "no document shows it any more: " << command;
}

TEST(CommandsNotRun, NoneHidesInAnIndentedBlock) {
  const std::regex command(
      R"(^(\$ |\./|build/|cmake |ctest |cluster/|gdb |git |sudo |s(batch|run|alloc) ).*)");
  for (const fs::path& path : document_paths())
    for (const CodeBlock& block : read_document(path).blocks) {
      if (!block.language.empty()) continue;
      for (const std::string& line : block.lines)
        EXPECT_FALSE(std::regex_match(line, command))
            << path << ":" << block.line << ": a command belongs between ```sh and ```, to be run: " << line;
    }
}

// The machinery above, on documents small enough to check by eye.
class SmallDocument : public testing::Test {
 protected:
  Document of(const std::string& text) const { return read_document(folder_.write("small.md", text)); }
  ScratchFolder folder_;
};

TEST_F(SmallDocument, CommandsAndOutputsAreTold) {
  const Document document =
      of("text\n```sh\n# why\nfirst \\\n  --more\nsecond\n```\n```console\n$ third\nout\n\nput\n\n$ "
         "fourth\n```\n"
         "    indented\n");
  const auto all = commands_of(document);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].text, "first --more");
  EXPECT_EQ(all[0].line, 4);
  EXPECT_EQ(all[1].text, "second");
  EXPECT_EQ(all[2].output, (std::vector<std::string>{"out", "", "put"}));
  EXPECT_TRUE(all[3].output.empty());
  EXPECT_EQ(document.blocks.back().language, "");
}

TEST_F(SmallDocument, AnchorsAreGitHubs) {
  const Document document =
      of("# The `lens`: what it counts\n## Again\n## Again\n```sh\n# no heading\n```\n");
  EXPECT_EQ(document.anchors, (std::set<std::string>{"the-lens-what-it-counts", "again", "again-1"}));
}

TEST(ShownOutput, MatchesWithGapsAndNotOtherwise) {
  using Lines = std::vector<std::string>;
  EXPECT_TRUE(matches(Lines{"a", "...", "d"}, Lines{"a", "b", "c", "d"}));
  EXPECT_TRUE(matches(Lines{"...", "b ... d"}, Lines{"a", "b c d"}));
  EXPECT_FALSE(matches(Lines{"a", "..."}, Lines{"b", "a"}));
  EXPECT_TRUE(matches(Lines{"a  b"}, Lines{"a     b"}));
  EXPECT_FALSE(matches(Lines{"a b"}, Lines{"ab"}));
  EXPECT_FALSE(matches(Lines{"a"}, Lines{"a", "b"}));
  EXPECT_FALSE(matches(Lines{"a", "b"}, Lines{"a"}));
  EXPECT_FALSE(matches(Lines{"x ... y"}, Lines{"x y"}));
}

TEST(ShownOutput, ACommandThatFailsIsFound) {
  const ShadowTree tree;
  EXPECT_NE(tree.run("cmake --preset nonsense").exit_code, 0);
  EXPECT_NE(tree.run("cmake --build --preset emulator --target nonsense").exit_code, 0);
  EXPECT_NE(tree.run("ctest --preset emulator -R NoTestIsCalledThis").exit_code, 0);
  EXPECT_EQ(tree.run("cmake --build --preset emulator --target transpose").exit_code, 0);
}

}  // namespace
}  // namespace warplab::house
