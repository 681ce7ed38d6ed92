#include "harness/console/command_line.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "common/host/bad_input.hpp"
#include "harness/console/report_errors.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

/// Parses the command line of a program that has the commands grade and list.
void parse_words(std::vector<const char*> words) {
  CLI::App app("a program", "warplab");
  app.require_subcommand(1);
  unsigned jobs = 1, percent = 60;
  double share = 0;
  bool resume = false;
  std::string out, shell;
  std::vector<std::string> labs;
  CLI::App* const grade = app.add_subcommand("grade");
  grade->add_option("--jobs", jobs);
  grade->add_option("--percent", percent)->check(whole_number("--percent", 1, 100));
  grade->add_option("--shell", shell)->check(one_of("--shell", {"bash", "zsh"}));
  grade->add_option("--share", share);
  grade->add_flag("--resume", resume);
  grade->add_option("--out", out, "The folder for records")->required();
  grade->add_option("--labs", labs)->delimiter(',');
  app.add_subcommand("list");
  words.insert(words.begin(), "warplab");
  parse_command_line(app, static_cast<int>(words.size()), words.data());
}

std::string complaint_of(const std::vector<const char*>& words) {
  return message_of<BadInput>([&] { parse_words(words); });
}

TEST(CommandLine, NamesTheCommandThatWasMeant) {
  EXPECT_EQ(complaint_of({"grad"}), "unknown command 'grad'; did you mean grade?; see --help");
  EXPECT_EQ(complaint_of({}), "a command is missing; see --help");
  EXPECT_EQ(complaint_of({"--jobs", "3"}), "a command comes before '--jobs'; see --help");
}

TEST(CommandLine, NamesTheOptionThatWasMeant) {
  EXPECT_EQ(complaint_of({"grade", "--out", "x", "--job", "2"}),
            "unknown option '--job'; did you mean --jobs?; see warplab grade --help");
}

TEST(CommandLine, NamesTheWordThatIsTooMuch) {
  EXPECT_EQ(complaint_of({"grade", "--out", "x", "y"}), "'y' is one word too many; see warplab grade --help");
  EXPECT_EQ(complaint_of({"grade", "--out", "x", ""}), "a word is empty; see warplab grade --help");
}

TEST(CommandLine, SaysWhatAMissingOptionIsFor) {
  EXPECT_EQ(complaint_of({"grade"}), "--out is missing: the folder for records; see warplab grade --help");
}

TEST(CommandLine, RefusesAValueOfAFlag) {
  EXPECT_EQ(complaint_of({"grade", "--out", "x", "--resume=5"}),
            "--resume takes no value; see warplab grade --help");
}

TEST(CommandLine, RefusesWhatIsNotAmongTheChoices) {
  EXPECT_NO_THROW(parse_words({"grade", "--out", "x", "--shell", "zsh"}));
  EXPECT_EQ(complaint_of({"grade", "--out", "x", "--shell", "bsh"}),
            "--shell bsh is unknown; did you mean bash or zsh?; accepted are bash, zsh");
}

TEST(CommandLine, RefusesNumbersOutOfRange) {
  EXPECT_NO_THROW(parse_words({"grade", "--out", "x", "--percent", "100"}));
  for (const auto& [value, wrong] : {std::pair{"0", "out of range"},
                                     {"-1", "out of range"},
                                     {"101", "out of range"},
                                     {"99999999999999999999", "too large"},
                                     {"1.5", "not a whole number"},
                                     {"many", "not a whole number"}})
    EXPECT_EQ(
        complaint_of({"grade", "--out", "x", "--percent", value}),
        std::string("--percent ") + value + " is " + wrong + "; accepted are whole numbers from 1 to 100");
}

TEST(CommandLine, NamesTheOptionThatLacksItsValue) {
  for (const std::vector<const char*>& words : {std::vector<const char*>{"grade", "--out"},
                                                {"grade", "--out", "--jobs", "2"},
                                                {"grade", "--out", ""},
                                                {"grade", "--out="}})
    EXPECT_EQ(complaint_of(words), "--out needs a value; see warplab grade --help");
}

TEST(CommandLine, RefusesOneValueTwiceAndAListNot) {
  EXPECT_EQ(complaint_of({"grade", "--out", "x", "--out=y"}),
            "--out is given twice; it takes one value; see warplab grade --help");
  EXPECT_NO_THROW(parse_words({"grade", "--out", "x", "--labs", "a", "--labs", "b"}));
}

TEST(CommandLine, SaysWhatANumberIs) {
  EXPECT_EQ(complaint_of({"grade", "--out", "x", "--jobs", "-1"}),
            "--jobs is '-1'; it takes a whole number, 0 or more; see warplab grade --help");
  EXPECT_EQ(complaint_of({"grade", "--out", "x", "--jobs", "two"}),
            "--jobs is 'two'; it takes a whole number, 0 or more; see warplab grade --help");
  EXPECT_EQ(complaint_of({"grade", "--out", "x", "--share", "half"}),
            "--share is 'half'; it takes a number; see warplab grade --help");
}

TEST(ReportErrors, SaysWhatWasThrownAndEndsWithItsCode) {
  const auto outcome = [](const std::function<int()>& run) {
    testing::internal::CaptureStderr();
    const int code = report_errors("lab", run);
    return std::pair(code, testing::internal::GetCapturedStderr());
  };
  EXPECT_EQ(outcome([] { return 7; }), std::pair(7, std::string()));
  EXPECT_EQ(outcome([]() -> int { throw BadInput("no such flag"); }),
            std::pair(2, std::string("lab: no such flag\n")));
  EXPECT_EQ(outcome([]() -> int { throw NotAvailable("no GPU"); }),
            std::pair(3, std::string("lab: no GPU\n")));
  EXPECT_EQ(outcome([]() -> int { throw std::runtime_error("broken"); }),
            std::pair(4, std::string("lab: broken\n")));
}

}  // namespace
}  // namespace warplab
