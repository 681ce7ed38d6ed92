#include "harness/command_line.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "common/bad_input.hpp"
#include "scratch_folder.hpp"

namespace warplab {
namespace {

/// Parses the command line of a program that has the commands grade and list.
void parse(std::vector<const char*> words) {
  CLI::App app("a program", "warplab");
  app.require_subcommand(1);
  unsigned jobs = 1;
  std::string out;
  std::vector<std::string> labs;
  CLI::App* const grade = app.add_subcommand("grade");
  grade->add_option("--jobs", jobs);
  grade->add_option("--out", out)->required();
  grade->add_option("--labs", labs)->delimiter(',');
  app.add_subcommand("list");
  words.insert(words.begin(), "warplab");
  parse_command_line(app, static_cast<int>(words.size()), words.data());
}

std::string complaint(const std::vector<const char*>& words) {
  return message_of<BadInput>([&] { parse(words); });
}

TEST(CommandLine, NamesTheCommandThatWasMeant) {
  EXPECT_EQ(complaint({"grad"}), "unknown command 'grad'; did you mean grade?; see --help");
  EXPECT_EQ(complaint({}), "a command is missing; see --help");
}

TEST(CommandLine, NamesTheOptionThatWasMeant) {
  EXPECT_EQ(complaint({"grade", "--out", "x", "--job", "2"}),
            "unknown option '--job'; did you mean --jobs?; see warplab grade --help");
}

TEST(CommandLine, NamesTheOptionThatLacksItsValue) {
  for (const std::vector<const char*>& words :
       {std::vector<const char*>{"grade", "--out"}, {"grade", "--out", "--jobs", "2"}, {"grade", "--out="}})
    EXPECT_EQ(complaint(words), "--out needs a value; see warplab grade --help");
}

TEST(CommandLine, RefusesOneValueTwiceAndAListNot) {
  EXPECT_EQ(complaint({"grade", "--out", "x", "--out=y"}),
            "--out is given twice; it takes one value; see warplab grade --help");
  EXPECT_NO_THROW(parse({"grade", "--out", "x", "--labs", "a", "--labs", "b"}));
}

TEST(CommandLine, SaysWhatANumberIs) {
  EXPECT_EQ(complaint({"grade", "--out", "x", "--jobs", "-1"}),
            "--jobs is '-1'; it takes a whole number, 0 or more; see warplab grade --help");
  EXPECT_EQ(complaint({"grade", "--out", "x", "--jobs", "two"}),
            "--jobs is 'two'; it takes a whole number, 0 or more; see warplab grade --help");
}

}  // namespace
}  // namespace warplab
