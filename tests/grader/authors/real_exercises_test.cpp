// Our exercises, built and judged as submissions are: stubs to do, solutions with
// all points, mistakes caught.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "grader/build/sandboxed_builder.hpp"
#include "grader/check/exercise_check.hpp"
#include "grader/check/exercise_rules.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {
namespace {

TEST(RealExercises, EveryStubIsToDoEverySolutionIsRightAndEveryMistakeIsCaught) {
  // All labs take half an hour: WARPLAB_ALL_EXERCISES=1 in the environment, or `warplab check --mutants`.
  const bool all = std::getenv("WARPLAB_ALL_EXERCISES") != nullptr;
  const Course course = Course::read(WARPLAB_SOURCE_DIR)
                            .only(all ? std::vector<std::string>() : std::vector<std::string>{"vector_add"});
  std::string lacking;
  BuilderOptions builder;
  builder.level = strongest_level(lacking);
  CheckOptions options;
  options.hidden = course.root / "tests/hidden";
  options.mutants = true;
  options.max_mutants = all ? 0 : 2;
  options.jobs = 2;
  const auto headers = std::make_shared<PrecompiledHeaders>();
  const ExerciseReport report = check_exercises(course, options, [&](unsigned thread) {
    return std::make_unique<SandboxedBuilder>(course, builder, thread, headers);
  });
  for (const LabReport& lab : report.labs)  // beyond rules, which have a test that is faster
    EXPECT_EQ(lab.problems, broken_rules(*course.find(lab.lab), *problem_registry().at(lab.lab), course.root,
                                         options.hidden));
  std::puts(to_text(report).c_str());
}

}  // namespace
}  // namespace warplab
