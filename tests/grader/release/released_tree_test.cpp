// The students' tree, as a student meets it: it configures and builds, each rung that is a task says so and
// every other one works, and the tests of tasks fail with their hints while all others pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "grader/release/release.hpp"
#include "tests/common/command.hpp"
#include "tests/grader/release/release_trees.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using house::Outcome;

// One lab stands for all, since a tree is built from nothing here: the release of all of them
// is looked at in real_release_test.
const Course released = course_of(WARPLAB_SOURCE_DIR).only({"transpose"});
RungTables tables() { return {{"transpose", linked_rung_tables().at("transpose")}}; }

/// Always at the same place, so that a compiler's cache knows it again.
const fs::path tree = fs::path(WARPLAB_BINARY_DIR) / "released/tree",
               build = fs::path(WARPLAB_BINARY_DIR) / "released/build";

Outcome in_tree(const std::string& command) { return house::run("cd '" + tree.string() + "' && " + command); }

class ReleasedTree : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_asked_for()) GTEST_SKIP() << "builds a tree from nothing: WARPLAB_RELEASED_TREE=1 asks for it";
  }
  static bool is_asked_for() { return std::getenv("WARPLAB_RELEASED_TREE") != nullptr; }
  static void SetUpTestSuite() {
    if (!is_asked_for()) return;
    const ReleaseReport report = release(released, linked_rung_tables(), tree);
    for (const Leak& leak : report.leaks) ADD_FAILURE() << sentence(leak);
    ASSERT_TRUE(report.delivered);
    const Outcome configured =
        in_tree("cmake --preset emulator -B '" + build.string() +
                "' $(command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)");
    ASSERT_EQ(configured.exit_code, 0) << configured.output;
    std::string targets;
    for (const auto& [lab, rungs] : tables()) targets += " " + lab;
    const Outcome built = in_tree("cmake --build '" + build.string() + "' --target" + targets + " -- -k 0");
    EXPECT_EQ(built.exit_code, 0) << built.output;
  }
};

TEST_F(ReleasedTree, EveryTasksRungIsToDoAndEveryOtherWorks) {
  for (const auto& [lab, rungs] : tables()) {
    SCOPED_TRACE(lab);
    const std::string file = (build / (lab + ".json")).string();
    const Outcome outcome = in_tree("'" + (build / "bin" / lab).string() + "' --json '" + file + "'");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    std::map<std::string, std::string> status;
    const auto results = nlohmann::json::parse(bytes_of_file(file));
    for (const auto& row : results.at("measurements"))
      if (row.value("role", "") == "rung") status[row.at("rung")] = row.at("status");
    for (const Rung& rung : rungs) {
      if (rung.access == Rung::Access::withheld) {
        EXPECT_FALSE(status.contains(rung.name)) << rung.name;
      } else if (rung.access == Rung::Access::task) {
        EXPECT_EQ(status[rung.name], "todo") << rung.name;
      } else if (rung.needs != "sm_90a" && rung.peer_of.empty()) {
        // `auto` calls what it chooses, be that to do or not.
        EXPECT_TRUE(status[rung.name] == "ok" || (rung.name == "auto" && status[rung.name] == "todo"))
            << rung.name << ": " << status[rung.name];
      }
    }
  }
}

/// The tests of a lab's test program that failed, with what they said.
std::map<std::string, std::string> failures_of(const std::string& lab) {
  const std::string program = (build / "tests/bin" / (lab + "_test")).string(), file = program + ".json";
  (void)house::run("cd '" + build.string() + "' && rm -f '" + file + "' && '" + program +
                   "' --gtest_output='json:" + file + "'");
  std::map<std::string, std::string> failed;
  const auto results = nlohmann::json::parse(bytes_of_file(file));
  for (const auto& suite : results.at("testsuites"))
    for (const auto& test : suite.at("testsuite")) {
      std::string said;
      for (const auto& failure : test.value("failures", nlohmann::json::array()))
        said += failure.at("failure").get<std::string>();
      if (!said.empty())
        failed[suite.at("name").get<std::string>() + "." + test.at("name").get<std::string>()] = said;
    }
  return failed;
}

/// Whether a failing test names a stub by its hint, such as "transpose_naive: ...".
bool names_a_stub(const std::string& said, const std::string& lab, const std::vector<Rung>& rungs) {
  return std::ranges::any_of(rungs, [&](const Rung& rung) {
    return rung.access == Rung::Access::task && said.find(lab + "_" + rung.name + ":") != std::string::npos;
  });
}

TEST_F(ReleasedTree, ItsTestsFailForWhatIsToDoAndForNothingElse) {
  const Outcome built = in_tree("cmake --build '" + build.string() +
                                "' --target transpose_test transpose_reference_test -- -k 0");
  ASSERT_EQ(built.exit_code, 0) << built.output;
  for (const auto& [lab, rungs] : tables()) {
    const std::map<std::string, std::string> failed = failures_of(lab);
    for (const auto& [test, said] : failed)
      EXPECT_TRUE(names_a_stub(said, lab, rungs)) << test << ": " << said;
    for (const Lab& one : course_of(tree).labs) {
      if (one.stem != lab) continue;
      const auto tasks = nlohmann::json::parse(bytes_of_file(one.folder / "tasks.json"));
      for (const auto& task : tasks.at("tasks"))
        EXPECT_TRUE(std::ranges::any_of(
            task.at("tests"),
            [&](const auto& test) { return failed.contains(test.template get<std::string>()); }))
            << lab << "/" << task.at("id") << " passes all its tests, and nothing was written";
    }
    const Outcome reference =
        house::run("'" + (build / "tests/bin" / (lab + "_reference_test")).string() + "'");
    EXPECT_EQ(reference.exit_code, 0) << reference.output;
  }
}

}  // namespace
}  // namespace warplab
