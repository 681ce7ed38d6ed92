// Right values are judged in two steps: where blocks and tiles fit, then everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "grader/build/sandboxed_builder.hpp"
#include "grader/check/mutants.hpp"
#include "grader/course/secret.hpp"
#include "grader/judge/judge.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

const Course course = Course::read(WARPLAB_SOURCE_DIR);
const std::filesystem::path hidden = course.root / "tests/hidden";

/// What a mistake in our solution of lab 07's tile gets.
TaskRecord judged(const std::string& mistake) {
  const Lab& lab = *course.find("transpose");
  const Task& task = *std::ranges::find(lab.tasks, std::string("tiled"), &Task::id);
  const std::vector<Mutant> mutants = mutants_of(lab, hidden / "mutants/transpose.json");
  const auto mutant =
      std::ranges::find_if(mutants, [&](const Mutant& m) { return m.task == "tiled" && m.name == mistake; });
  if (mutant == mutants.end()) throw std::logic_error("there is no such mistake: " + mistake);
  SandboxedBuilder builder(course, {SandboxLevel::none}, 0, std::make_shared<PrecompiledHeaders>());
  const RungBuilder::Built built = builder.build(
      task, {{task.file, with_mistake(bytes_of_file(lab.folder / task.file), task.file, *mutant)}});
  if (!built.runner) throw std::runtime_error(built.reason);
  return Judge(Secret("0123456789abcdef0123456789abcdef"), hidden).judge(task, *built.runner);
}

TEST(TwoSteps, ASwappedGuardKeepsThePointsOfSizesThatTheTileFitsAndOfLimits) {
  const TaskRecord record = judged("the load's guard for the store");
  double passed = 0, all = 0;
  for (const Check& check : record.checks) {
    all += check.max_points;
    const bool is_of_first_step = check.name == "right where blocks and tiles fit" ||
                                  check.name == "right at hidden sizes: extents that tiles divide" ||
                                  check.kind == Check::Kind::limit;
    if (is_of_first_step) {
      EXPECT_EQ(check.status, Check::Status::passed) << check.name << ": " << check.happened;
    }
    if (check.status == Check::Status::passed) passed += check.max_points;
  }
  EXPECT_DOUBLE_EQ(all, 15);
  EXPECT_DOUBLE_EQ(record.score, passed);
  EXPECT_GE(record.score, 0.7 * 15 - 1e-9);  // 15 + 15 % for the first step, 40 % for limits
  EXPECT_LT(record.score, 15);
  EXPECT_EQ(record.checks.at(1).name, "right at every public size");
  EXPECT_EQ(record.checks.at(1).status, Check::Status::failed);
}

TEST(TwoSteps, WhatIsWrongWhereTheTileFitsEarnsNothing) {
  const TaskRecord record = judged("not turned");
  EXPECT_EQ(record.checks.at(0).status, Check::Status::failed);
  EXPECT_EQ(record.checks.at(1).happened, "it is wrong where blocks and tiles fit, which is above");
  for (const Check& check : record.checks) {
    if (check.kind == Check::Kind::limit) {
      EXPECT_EQ(check.reason, "not measured, because a check above failed");
    }
  }
}

}  // namespace
}  // namespace warplab
