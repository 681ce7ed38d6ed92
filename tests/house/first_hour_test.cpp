// The first hour of the student guide, typed by a student who has nothing but a released tree: each command
// works in the order of the page, prints what the page shows, and all of them together take ten minutes of a
// machine with two cores at most.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "grader/release/solution_regions.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/house/markdown.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;

constexpr double max_processor_seconds = 2 * 10 * 60;
constexpr const char* kernel = "labs/02_vector_add/vector_add_one_per_thread.cu";

/// What a student types where a command asks: `warplab predict` wants a name, three numbers, a rung and a
/// reason. Which rungs there are to choose from depends on the name, and one that is not among them is asked
/// for again.
constexpr const char* typed_answers =
    "Ada Lovelace\n4\n4\n4\none_per_thread\nvectorized\n"
    "its requests have more bytes, so fewer are needed\n";

/// Whether a command asks questions.
bool asks(const std::string& command) { return command.find("warplab predict ") != std::string::npos; }

/// Seconds that commands have taken of a processor so far.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The commands between a heading and the next one of its level.
std::vector<ShownCommand> commands_below(const Document& document, const std::string& heading) {
  const auto begin = std::ranges::find(document.lines, heading);
  const auto end = std::find_if(begin == document.lines.end() ? begin : begin + 1, document.lines.end(),
                                [](const std::string& line) { return line.starts_with("## "); });
  std::vector<ShownCommand> commands;
  for (const CodeBlock& block : document.blocks)
    for (const ShownCommand& command : commands_of(block))
      if (command.line > begin - document.lines.begin() && command.line <= end - document.lines.begin())
        commands.push_back(command);
  return commands;
}

/// A student's tree, in a folder that is always the same.
class FirstHour : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::getenv("WARPLAB_RELEASED_TREE"))
      GTEST_SKIP() << "builds a tree from nothing: WARPLAB_RELEASED_TREE=1 asks for it";
    fs::remove_all(tree_);
    const Outcome released =
        house::run("'" WARPLAB_BINARY_DIR "/bin/warplab' release --out '" + tree_.string() + "'");
    ASSERT_EQ(released.exit_code, 0) << released.output;
  }
  /// Without a cache of compilers, which no student's machine has.
  Outcome type(const std::string& command) const {
    const std::string answered = asks(command) ? "printf '" + std::string(typed_answers) + "' | " : "";
    return house::run("export CCACHE_DISABLE=1; cd '" + tree_.string() + "' && " + answered + command);
  }
  /// What the student writes where the guide says so.
  void write_the_kernel() const {
    const std::string text = content_of(fs::path(WARPLAB_SOURCE_DIR) / kernel);
    std::ofstream(tree_ / kernel) << with_solutions(text, kernel);
  }
  const fs::path tree_ = fs::path(WARPLAB_BINARY_DIR) / "first_hour";
};

TEST_F(FirstHour, TakesTenMinutesOfTwoCoresAndWorksAsThePageSays) {
  const std::vector<ShownCommand> commands =
      commands_below(read_document(tree_ / "docs/student-guide.md"), "## The first hour");
  // The hour's main steps: run, predict, write, test, look at the counts, pack.
  for (const char* step : {"./run_all.sh", "warplab predict", "--rung one_per_thread --size 1000",
                           "warplab test", "--lens", "warplab pack"})
    EXPECT_TRUE(std::ranges::any_of(
        commands, [&](const ShownCommand& command) { return command.text.find(step) != std::string::npos; }))
        << step << " is not typed in the first hour";
  const double before = processor_seconds();
  for (const ShownCommand& command : commands) {
    SCOPED_TRACE("student-guide.md:" + std::to_string(command.line) + ": " + command.text);
    if (command.text.find("--rung one_per_thread") != std::string::npos) write_the_kernel();
    const Outcome outcome = type(command.text);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
    if (!command.output.empty()) {
      EXPECT_TRUE(matches(command.output, lines_of(outcome.output))) << outcome.output;
    }
  }
  const double spent = processor_seconds() - before;
  RecordProperty("processor_seconds", std::to_string(spent));
  EXPECT_LT(spent, max_processor_seconds);
}

}  // namespace
}  // namespace warplab::house
