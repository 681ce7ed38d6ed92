// An upload as Gradescope treats it, from the zip to results.json, in a scratch folder: it is set up once,
// and then grades submissions at each level of the sandbox that this machine has.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/batch/gradescope_upload.hpp"
#include "grader/sandbox/sandbox.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/batch/unpacked_upload.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Always at the same place, so that a compiler's cache knows it again.
const fs::path root = fs::path(WARPLAB_BINARY_DIR) / "gradescope";

const Secret secret("00112233445566778899aabbccddeeff");

std::string why_not_here() {
  if (std::getenv("WARPLAB_RELEASED_TREE") == nullptr)
    return "builds a tree from nothing: WARPLAB_RELEASED_TREE=1 asks for it";
  for (const char* package : {"cmake", "ninja-build", "g++", "libcli11-dev", "libfmt-dev",
                              "nlohmann-json3-dev", "libstb-dev", "libarchive-dev", "bubblewrap"})
    if (house::run(std::string("dpkg-query -W -f '${db:Status-Status}' ") + package + " | grep -q ^installed")
            .exit_code != 0)
      return std::string(package) + " is not an installed package, and a test installs none";
  return "";
}

std::string solution(const std::string& file) {
  return content_of(fs::path(WARPLAB_SOURCE_DIR) / "labs/02_vector_add" / file);
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("there is no " + from);
  return text.replace(at, from.size(), to);
}

class GradescopeImage : public ::testing::TestWithParam<SandboxLevel> {
 protected:
  static void SetUpTestSuite() {
    if (!why_not_here().empty()) return;
    const fs::path zip = root / "autograder.zip", made = root / "made.zip";
    fs::create_directories(root);
    make_upload(Course::read(WARPLAB_SOURCE_DIR).only({"vector_add"}), secret, {}, made);
    // CTest runs each test in a process of its own: the same upload is set up once.
    if (content_of(zip) == content_of(made) && fs::exists(root / "is_set_up")) return;
    for (const char* part : {"source", "is_set_up"}) fs::remove_all(root / part);
    fs::rename(made, zip);
    test::unpack_upload(zip, root);
    const house::Outcome outcome = house::run(
        "export AUTOGRADER_ROOT='" + root.string() + "' CCACHE_NOHASHDIR=1 CCACHE_BASEDIR='" + root.string() +
        "'; if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi; '" +
        (root / "source/setup.sh").string() + "'");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
    std::ofstream(root / "is_set_up") << "\n";
  }
  void SetUp() override {
    if (const std::string why = why_not_here(); !why.empty()) GTEST_SKIP() << why;
    try {
      (void)level_by_name(name_of(GetParam()));
    } catch (const std::exception& error) {
      GTEST_SKIP() << error.what();
    }
    std::ofstream(root / "source/settings.sh", std::ios::app)
        << "OPTIONS=(--sandbox " << name_of(GetParam()) << ")\n";
    fs::remove_all(root / "submission");
    fs::remove_all(root / "results");
    fs::create_directories(root / "submission");
  }
  void hand_in(const std::string& file, const std::string& content) const {
    std::ofstream(root / "submission" / file) << content;
  }
  json grade() const {
    const house::Outcome outcome = house::run("AUTOGRADER_ROOT='" + root.string() + "' '" +
                                              (root / "source/run_autograder").string() + "'");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    const json results = json::parse(content_of(root / "results/results.json"));
    EXPECT_EQ(results.at("extra_data").at("sandbox"), name_of(GetParam())) << outcome.output;
    return results;
  }
};

TEST_P(GradescopeImage, GivesSolutionsAllPoints) {
  for (const char* file :
       {"vector_add_one_per_thread.cu", "vector_add_grid_stride.cu", "vector_add_vectorized.cu"})
    hand_in(file, solution(file));
  const json results = grade();
  EXPECT_EQ(results.at("score"), 30) << results.dump(1);
  for (const json& test : results.at("tests")) EXPECT_EQ(test.at("status"), "passed") << test;
}

TEST_P(GradescopeImage, GivesWrongAndCrashingOnesNoneAndSaysWhy) {
  hand_in("vector_add_one_per_thread.cu",
          with(solution("vector_add_one_per_thread.cu"), "a[i] + b[i]", "a[i] - b[i]"));
  hand_in("vector_add_grid_stride.cu",
          with(solution("vector_add_grid_stride.cu"), "c[i] = a[i] + b[i]", "c[i + (1ll << 40)] = a[i]"));
  const json results = grade();
  EXPECT_EQ(results.at("score"), 0);
  const std::string tests = results.at("tests").dump();
  EXPECT_NE(tests.find("differ from the expected values"), std::string::npos) << tests;
  EXPECT_NE(tests.find("vector_add_grid_stride.cu:"), std::string::npos) << "the line that crashes\n"
                                                                         << tests;
}

TEST_P(GradescopeImage, SaysOfAnEmptySubmissionThatNothingWasTaken) {
  const json results = grade();
  EXPECT_EQ(results.at("score"), 0);
  EXPECT_NE(results.at("output").get<std::string>().find("none of the files"), std::string::npos);
}

TEST_P(GradescopeImage, ClosesItsSecretsToOtherUsers) {
  (void)grade();
  for (const char* place : {"source/judge", "source/tree/tests", "submission", "results"})
    EXPECT_EQ(fs::status(root / place).permissions() & fs::perms(0077), fs::perms::none) << place;
}

INSTANTIATE_TEST_SUITE_P(Levels, GradescopeImage,
                         ::testing::Values(SandboxLevel::bubblewrap, SandboxLevel::confined),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace warplab
