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

}  // namespace
}  // namespace warplab
