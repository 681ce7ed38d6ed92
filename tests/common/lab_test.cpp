// The tests that every lab gets from WARPLAB_LAB_TESTS, tried on rungs that must pass and rungs that must
// fail them.
#include <gtest/gtest-spi.h>

#include "common/test_support.hpp"

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
  EXPECT_NE(outcome.why.find("they were never written"), std::string::npos) << outcome.why;
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

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(mischief);
