// What `warplab completion` prints, as shells read it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/common/command.hpp"

namespace warplab {
namespace {

const std::string program = std::string(WARPLAB_BINARY_DIR) + "/bin/warplab";

house::Outcome in_bash(const std::string& commands) {
  return house::run("bash --norc -c 'source <(\"" + program + "\" completion bash); " + commands + "'");
}

/// What bash offers for the last of some words.
std::string offered(const std::string& words) {
  const auto count = std::ranges::count(words, ' ');
  return in_bash("COMP_WORDS=(" + words + (words.ends_with(' ') ? "\"\"" : "") +
                 "); COMP_CWORD=" + std::to_string(count) + "; _warplab; echo ${COMPREPLY[@]}")
      .output;
}

bool has(const std::string& text, const std::string& word) {
  return (" " + text.substr(0, text.find('\n')) + " ").find(" " + word + " ") != std::string::npos;
}

TEST(Completion, IsBashThatParses) {
  const house::Outcome outcome = house::run("'" + program + "' completion bash | bash -n");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(in_bash("complete -p warplab").output.find("-F _warplab warplab"), std::string::npos);
}

TEST(Completion, OffersEverySubcommandOfTheHelp) {
  const std::string all = offered("warplab ");
  for (const char* name : {"list", "test", "pack", "release", "grade", "gradescope", "check", "collect",
                           "limits", "doctor", "new-lab", "completion"})
    EXPECT_TRUE(has(all, name)) << name << " is not among " << all;
  EXPECT_EQ(offered("warplab rel"), "release\n");
}

TEST(Completion, OffersTheFlagsOfASubcommandAlone) {
  const std::string flags = offered("warplab grade --");
  for (const char* flag : {"--out", "--labs", "--jobs", "--resume", "--sandbox", "--help"})
    EXPECT_TRUE(has(flags, flag)) << flag << " is not among " << flags;
  EXPECT_FALSE(has(flags, "--mutants"));
  EXPECT_EQ(offered("warplab check --mu"), "--mutants\n");
}

/// Everybody on a machine can read the arguments of its programs.
TEST(Completion, OffersNoFlagThatTakesASecret) {
  for (const char* command : {"grade", "gradescope", "viva", "autograde"}) {
    const std::string flags = offered(std::string("warplab ") + command + " --");
    EXPECT_TRUE(has(flags, "--seed-file")) << command;
    EXPECT_FALSE(has(flags, "--seed")) << command;
  }
}

TEST(Completion, OffersLabsAndTasks) {
  EXPECT_EQ(offered("warplab limits trans"), "transpose\n");
  EXPECT_TRUE(has(offered("warplab test transpose/til"), "transpose/tiled"));
  EXPECT_EQ(offered("warplab check --labs vec"), "vector_add\n");
  EXPECT_EQ(offered("warplab check --labs transpose,vec"), "transpose,vector_add\n");
}

TEST(Completion, IsZshAndFishThatParse) {
  for (const char* shell : {"zsh", "fish"}) {
    const house::Outcome printed = house::run("'" + program + "' completion " + shell);
    EXPECT_EQ(printed.exit_code, 0) << printed.output;
    EXPECT_NE(printed.output.find("gradescope"), std::string::npos);
    if (house::run(std::string("command -v ") + shell).exit_code != 0) continue;  // not installed
    const house::Outcome parsed =
        house::run("'" + program + "' completion " + shell + " >/tmp/warplab-completion.$$ && " + shell +
                   " -n /tmp/warplab-completion.$$; r=$?; rm -f /tmp/warplab-completion.$$; exit $r");
    EXPECT_EQ(parsed.exit_code, 0) << parsed.output;
  }
}

TEST(Completion, RefusesAnotherShell) {
  const house::Outcome outcome = house::run("'" + program + "' completion tcsh");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
  EXPECT_NE(outcome.output.find("bash"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace warplab
