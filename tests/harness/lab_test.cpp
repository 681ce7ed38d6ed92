// The tests that every lab gets from WARPLAB_LAB_TESTS, tried on rungs that must pass
// and rungs that must fail them.
#include <gtest/gtest-spi.h>

#include "harness/rung/backend.hpp"
#include "harness/testing/test_support.hpp"
#include "tests/common/command.hpp"

namespace warplab {
namespace {

RungOutcome outcome_of(const std::string& rung) {
  const Problem& problem = problem_of("mischief");
  return run_rung(problem, rung_of(problem, rung), problem.default_case(backend));
}

TEST(LabTests, SuiteNamesAreCamelCase) {
  EXPECT_EQ(suite_name("transpose", "tiled_padded"), "TransposeTiledPadded");
  EXPECT_EQ(suite_name("vector_add", "grid_stride"), "VectorAddGridStride");
}

TEST(LabTests, ARightRungIsAccepted) {
  const RungOutcome outcome = outcome_of("copies");
  EXPECT_TRUE(outcome.accepted()) << outcome.why;
  ASSERT_EQ(outcome.comparisons.size(), 1u);
  EXPECT_EQ(outcome.comparisons[0].count, 1000);
}

TEST(LabTests, AWrongRungIsReportedWithItsMismatches) {
  const RungOutcome outcome = outcome_of("wrong");
  EXPECT_FALSE(outcome.accepted());
  EXPECT_NE(outcome.why.find("1 of 1000 elements differ"), std::string::npos) << outcome.why;
  EXPECT_NE(outcome.why.find("[2] expected"), std::string::npos) << outcome.why;
}

TEST(LabTests, ARungThatWritesNothingIsNotSavedByZeros) {
  const RungOutcome outcome = outcome_of("silent");
  EXPECT_FALSE(outcome.accepted());
  EXPECT_NE(outcome.why.find("they hold the poison"), std::string::npos) << outcome.why;
}

TEST(LabTests, AStubIsToDoAndNotAccepted) {
  const RungOutcome outcome = outcome_of("todo");
  EXPECT_EQ(outcome.status, RungStatus::todo);
  EXPECT_TRUE(outcome.comparisons.empty());
}

TEST(LabTests, GivenLiteralsTakeThePlaceOfSeededInputs) {
  const Problem& problem = problem_of("mischief");
  Case c = problem.default_case(backend);
  c.size[0].second = 3;
  HostArray literal(DType::f32, {3});
  literal.as<float>()[1] = 5;
  EXPECT_TRUE(run_rung(problem, rung_of(problem, "copies"), c, {literal}, {literal}).accepted());
  EXPECT_FALSE(
      run_rung(problem, rung_of(problem, "copies"), c, {literal}, {HostArray(DType::f32, {3})}).accepted());
}

/// The exit code and the output of the lab tests of mischief that match a filter.
std::pair<int, std::string> lab_tests(const std::string& arguments) {
  const auto [code, output] = house::run(WARPLAB_BINARY_DIR "/tests/bin/mischief_lab_tests " + arguments);
  return {code, output};
}

TEST(RegisteredLabTests, AreNamedAfterLabAndRung) {
  const auto [code, output] = lab_tests("--gtest_list_tests");
  EXPECT_EQ(code, 0);
  EXPECT_NE(output.find("MischiefChangesInputs.\n  MatchesReferenceAtEverySize\n  LeavesInputsUnchanged\n"),
            std::string::npos)
      << output;
}

TEST(RegisteredLabTests, PassForARightRung) {
  const auto [code, output] = lab_tests("--gtest_filter='MischiefCopies.*'");
  EXPECT_EQ(code, 0) << output;
  EXPECT_NE(output.find("[  PASSED  ] 2 tests"), std::string::npos) << output;
}

TEST(RegisteredLabTests, FailForEveryWrongRung) {
  for (const char* suite :
       {"MischiefSilent", "MischiefWrong", "MischiefCrashes", "MischiefExits", "MischiefThrows",
        "MischiefWritesPastEnd", "MischiefWritesBefore", "MischiefNotBuilt", "MischiefNonsense"}) {
    const auto [code, output] =
        lab_tests(std::string("--gtest_filter=") + suite + ".MatchesReferenceAtEverySize");
    EXPECT_EQ(code, 1) << output;
    EXPECT_NE(output.find("1 FAILED TEST"), std::string::npos) << output;
  }
}

TEST(RegisteredLabTests, AStubFailsWithItsHint) {
  const auto [code, output] = lab_tests("--gtest_filter='MischiefTodo.*'");
  EXPECT_EQ(code, 1);
  EXPECT_NE(output.find("to do: mischief_todo: copy the array"), std::string::npos) << output;
}

TEST(RegisteredLabTests, AChangedInputFailsTheTestOfThatNameAlone) {
  const auto [code, output] = lab_tests("--gtest_filter='MischiefChangesInputs.*'");
  EXPECT_EQ(code, 1);
  EXPECT_NE(output.find("it changed input 0"), std::string::npos) << output;
  EXPECT_NE(output.find("[       OK ] MischiefChangesInputs.MatchesReferenceAtEverySize"), std::string::npos)
      << output;
  EXPECT_NE(output.find("[  FAILED  ] MischiefChangesInputs.LeavesInputsUnchanged"), std::string::npos)
      << output;
}

TEST(RegisteredLabTests, AreSkippedWhereTheDeviceLacksWhatARungNeeds) {
  const auto [code, output] = lab_tests("--gtest_filter='MischiefElsewhere.*'");
  EXPECT_EQ(code, 0) << output;
  EXPECT_NE(output.find("[  SKIPPED ] 2 tests"), std::string::npos) << output;
}

}  // namespace
}  // namespace warplab
