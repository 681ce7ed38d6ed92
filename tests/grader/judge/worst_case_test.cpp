// What one student can cost at most: a submission whose every file takes as long as it may is ended when the
// time for all its files is over, and the batch says this time before it begins.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "grader/batch/batch.hpp"
#include "grader/build/sandboxed_builder.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/release/solution_regions.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

const Course course = Course::read(WARPLAB_SOURCE_DIR).only({"transpose"});

/// Our solutions of all tasks, with something in front of what each kernel does.
void hand_in(const ScratchFolder& scratch, const std::string& first) {
  const Lab& lab = course.labs.at(0);
  for (const Task& task : lab.tasks) {
    std::string text = with_solutions(content_of(lab.folder / task.file), task.file);
    const std::size_t kernel = text.find("__global__"), body = text.find(") {\n", kernel);
    ASSERT_NE(body, std::string::npos) << task.file;
    text.insert(body + 4, first);
    scratch.write("in/slow/labs/" + lab.folder.filename().string() + "/" + task.file, text);
  }
}

struct Graded {
  std::string said;
  SubmissionRecord record;
};

Graded graded(const ScratchFolder& scratch, const BuilderOptions& limits) {
  BatchOptions batch;
  batch.submissions = scratch / "in";
  batch.out = scratch / "out";
  batch.sandbox = name_of(limits.level);
  batch.submission_s = limits.all_s;
  const auto headers = std::make_shared<PrecompiledHeaders>();
  testing::internal::CaptureStdout();
  grade_batch(course, batch, [&](unsigned thread) {
    return std::make_unique<SandboxedBuilder>(course, limits, thread, headers);
  });
  return {testing::internal::GetCapturedStdout(), RecordStore::read_batch(batch.out).records.at(0)};
}

TEST(WorstCase, IsEndedWhenTheTimeOfASubmissionIsOver) {
  std::string why;
  BuilderOptions limits{strongest_level(why)};
  limits.call_s = 2;
  limits.all_s = 8;
  const ScratchFolder scratch;
  hand_in(scratch, "  volatile bool goes_on = true;\n  while (goes_on) {\n  }\n");
  const Graded result = graded(scratch, limits);
  EXPECT_TRUE(result.said.starts_with("1 submission, 1 at a time: at most 1 min each, and 1 min in all\n"))
      << result.said;
  ASSERT_EQ(result.record.tasks.size(), 6u);
  EXPECT_EQ(result.record.score(), 0);
  const TaskRecord& first = result.record.tasks.front();
  EXPECT_EQ(first.status, TaskRecord::Status::judged);
  // After two seconds or, on a machine that gives it no processor meanwhile, after the emulator's most steps.
  const std::string& happened = first.checks.front().happened;
  EXPECT_TRUE(happened.find("finish") != std::string::npos || happened.find("endless") != std::string::npos)
      << happened;
  const auto is_late = [](const TaskRecord& task) {
    return task.reason ==
           "not graded: the 0.133333 minutes that grading may take for one submission are over";
  };
  EXPECT_TRUE(is_late(result.record.tasks.back())) << result.record.tasks.back().reason;
  // A call counts with the two seconds that it may take, so four are within the time and a fifth ends it.
  EXPECT_LE(std::ranges::count_if(result.record.tasks, std::not_fn(is_late)), 5);
}

TEST(WorstCase, ACompilerHasItsTimeOfAProcessorAndFiveTimesThatByTheClock) {
  BuilderOptions limits;
  EXPECT_EQ(build_wall_s(limits, 0), 300);
  limits.all_s = 600;
  EXPECT_EQ(build_wall_s(limits, 0), 300);
  EXPECT_EQ(build_wall_s(limits, 360), 300);
  EXPECT_EQ(build_wall_s(limits, 500), 160) << "no command goes on for more than a minute beyond the ten";
  EXPECT_EQ(build_wall_s(limits, 599), 61);
  EXPECT_EQ(build_wall_s(limits, 700), 60) << "one that begins in time may end";
}

TEST(WorstCase, ACompilerThatComputesForEverIsEndedByTheProcessorsTime) {
  std::string why;
  BuilderOptions limits{strongest_level(why)};
  if (limits.level == SandboxLevel::none) GTEST_SKIP() << why;
  limits.compile_s = 3;
  const Lab& lab = course.labs.at(0);
  const Task& task = lab.tasks.at(0);
  const std::string text = with_solutions(content_of(lab.folder / task.file), task.file) +
                           R"(
template <int n>
constexpr unsigned long long turn(unsigned long long x) {
  for (int i = 0; i < 200000; ++i) x = x * 3 + 1;
  return x;
}
template <int n>
struct Chain { static constexpr unsigned long long value = turn<n>(Chain<n - 1>::value); };
template <>
struct Chain<0> { static constexpr unsigned long long value = 1; };
static_assert(Chain<800>::value != 0);
)";
  const auto headers = std::make_shared<PrecompiledHeaders>();
  SandboxedBuilder builder(course, limits, 0, headers);
  const RungBuilder::Built built = builder.build(task, {{task.file, text}});
  EXPECT_EQ(built.runner, nullptr);
  EXPECT_EQ(built.status, TaskRecord::Status::not_compiled);
  EXPECT_NE(built.reason.find("it took more than 3 s of a processor"), std::string::npos) << built.reason;
}

}  // namespace
}  // namespace warplab
