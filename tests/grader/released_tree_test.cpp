// The students' tree, as a student meets it: it configures and builds, each rung that is a task says so and
// every other one works, and the tests of tasks fail with their hints while all others pass.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "grader/release.hpp"
#include "tests/grader/release_trees.hpp"
#include "tests/house/command.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using house::Outcome;

/// Always at the same place, so that a compiler's cache knows it again.
const fs::path tree = fs::path(WARPLAB_BINARY_DIR) / "released/tree",
               build = fs::path(WARPLAB_BINARY_DIR) / "released/build";

Outcome in_tree(const std::string& command) { return house::run("cd '" + tree.string() + "' && " + command); }

class ReleasedTree : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_TRUE(release(course_of(WARPLAB_SOURCE_DIR), linked_rung_tables(), tree).delivered);
    const Outcome configured =
        in_tree("cmake --preset emulator -B '" + build.string() +
                "' $(command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)");
    ASSERT_EQ(configured.exit_code, 0) << configured.output;
    std::string targets;
    for (const auto& [lab, rungs] : linked_rung_tables()) targets += " " + lab;
    const Outcome built = in_tree("cmake --build '" + build.string() + "' --target" + targets + " -- -k 0");
    EXPECT_EQ(built.exit_code, 0) << built.output;
  }
};

TEST_F(ReleasedTree, EveryTasksRungIsToDoAndEveryOtherWorks) {
  for (const auto& [lab, rungs] : linked_rung_tables()) {
    SCOPED_TRACE(lab);
    const std::string file = (build / (lab + ".json")).string();
    const Outcome outcome = in_tree("'" + (build / "bin" / lab).string() + "' --json '" + file + "'");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    std::map<std::string, std::string> status;
    for (const auto& row : nlohmann::json::parse(bytes_of_file(file)).at("measurements"))
      if (row.value("role", "") == "rung") status[row.at("rung")] = row.at("status");
    for (const Rung& rung : rungs) {
      if (rung.access == Rung::Access::withheld) {
        EXPECT_FALSE(status.contains(rung.name)) << rung.name;
      } else if (rung.access == Rung::Access::task) {
        EXPECT_EQ(status[rung.name], "todo") << rung.name;
      } else if (rung.needs.empty() && rung.peer_of.empty()) {
        // `auto` calls what it chooses, be that to do or not.
        EXPECT_TRUE(status[rung.name] == "ok" || (rung.name == "auto" && status[rung.name] == "todo"))
            << rung.name << ": " << status[rung.name];
      }
    }
  }
}

TEST_F(ReleasedTree, ItsTestsFailWhereSomethingIsToDoAndNowhereElse) {
  const Outcome built = in_tree("cmake --build '" + build.string() + "' -- -k 0");
  ASSERT_EQ(built.exit_code, 0) << built.output;
  // Tests that tasks.json names, and those that every rung must pass.
  std::string tasks;
  for (const auto& entry : fs::directory_iterator(tree / "labs"))
    if (entry.is_directory())
      for (const auto& task : nlohmann::json::parse(bytes_of_file(entry.path() / "tasks.json")).at("tasks"))
        for (const std::string test : task.at("tests"))
          tasks += test + "\n" + test.substr(0, test.find('.')) + ".\n";
  const Outcome tested = in_tree("ctest --test-dir '" + build.string() + "' -j 2 --timeout 300");
  const std::regex row(R"((\S+) \.+\s*(\*\*\*Failed|\*\*\*Skipped|Passed|\*\*\*\S+))");
  int failed = 0, passed = 0;
  for (std::sregex_iterator i(tested.output.begin(), tested.output.end(), row), end; i != end; ++i) {
    const std::string test = (*i)[1], suite = test.substr(0, test.find('.')), outcome = (*i)[2];
    if (outcome == "Passed" || outcome == "***Skipped") {
      ++passed;
      EXPECT_EQ(("\n" + tasks).find("\n" + test + "\n"), std::string::npos)
          << test << " passes, and nothing was written";
    } else {
      ++failed;
      EXPECT_NE(("\n" + tasks).find("\n" + suite + ".\n"), std::string::npos)
          << test << " fails, though no task has it: " << outcome;
    }
  }
  EXPECT_GE(failed, 50);
  EXPECT_GE(passed, 50);
}

}  // namespace
}  // namespace warplab
