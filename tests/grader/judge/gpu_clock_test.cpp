// The clock where there is a GPU: our solutions meet what is asked, slow files miss it, and what is not right
// is not timed.
#include "grader/clock/gpu_clock.hpp"

#include <gtest/gtest.h>

#include "common/host/bad_input.hpp"
#include "grader/release/handed_out.hpp"
#include "harness/rung/build_tree.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using Verdict = ClockReading::Verdict;

constexpr std::uint64_t input_seed = 20'270'301;

Course transpose() { return Course::read(WARPLAB_SOURCE_DIR).only({"transpose"}); }

const Task& task_called(const Course& course, const std::string& id) {
  for (const Task& task : course.labs.at(0).tasks)
    if (task.id == id) return task;
  throw std::logic_error("there is no task " + id);
}

std::string solution_of(const Course& course, const Task& task) {
  return content_of(course.labs.at(0).folder / task.file);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("the file has no " + what);
  for (std::size_t i = at; i != std::string::npos; i = text.find(what, i + by.size()))
    text.replace(i, what.size(), by);
  return text;
}

class GpuClockTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    SandboxLevel level = strongest_level(why);
    // At level confined a tree below a folder that is closed to others cannot be seen.
    for (fs::path folder = build_root(); folder != "/"; folder = folder.parent_path())
      if ((fs::status(folder).permissions() & fs::perms::others_exec) == fs::perms::none)
        level = SandboxLevel::none;
    try {
      clock_ = std::make_unique<GpuClock>(course_, GpuClockOptions{WARPLAB_BINARY_DIR, level, 30});
    } catch (const NotAvailable& absent) {
      GTEST_SKIP() << absent.what();
    }
    RecordProperty("sandbox", name_of(level));
  }
  ClockReading reading_of(const Task& task, const std::string& content) {
    const ClockReading reading = clock_->time(task, {{task.file, content}}, input_seed);
    std::printf("%s: %s\n", name_of(reading.verdict), sentence_of(reading).c_str());
    return reading;
  }
  const Course course_ = transpose();
  const Task& naive_ = task_called(course_, "naive");
  const Task& tiled_ = task_called(course_, "tiled");
  const Task& padded_ = task_called(course_, "tiled_padded");
  std::unique_ptr<GpuClock> clock_;
};

TEST_F(GpuClockTest, OurSolutionsMeetWhatIsAsked) {
  for (const Task* const task : {&naive_, &tiled_, &padded_}) {
    ASSERT_TRUE(clock_->takes(*task));
    const ClockReading reading = reading_of(*task, solution_of(course_, *task));
    EXPECT_EQ(reading.verdict, Verdict::meets) << task->name();
    ASSERT_TRUE(reading.ratio);
    EXPECT_NEAR(reading.ratio->median, 1, 0.1);
    EXPECT_EQ(reading.device, clock_->device().name);
    EXPECT_EQ(reading.input, "4096x4096 int");
  }
}

TEST_F(GpuClockTest, AStubIsNotTimed) {
  const ClockReading reading = reading_of(tiled_, handed_out(course_.labs.at(0), tiled_.file));
  EXPECT_EQ(reading.verdict, Verdict::not_timed);
  EXPECT_FALSE(reading.ratio);
}

TEST_F(GpuClockTest, TheNaiveKernelInThePlaceOfThePaddedOneMisses) {
  std::string slow = replaced(solution_of(course_, naive_), "transpose_naive", "transpose_tiled_padded");
  slow = replaced(slow, "dim3 block, cudaStream_t stream) {",
                  "cudaStream_t stream) {\n  const dim3 block(32, 32);");
  slow = replaced(slow, "int, dim3, cudaStream_t", "int, cudaStream_t");
  const ClockReading reading = reading_of(padded_, slow);
  EXPECT_EQ(reading.verdict, Verdict::misses);
  ASSERT_TRUE(reading.ratio);
  EXPECT_GT(reading.ratio->median, 1.25);
}

TEST_F(GpuClockTest, WhatHidesItsWorkOnAStreamOfItsOwnIsNotBelieved) {
  const std::string hidden =
      replaced(solution_of(course_, tiled_), "cudaStream_t stream) {",
               "cudaStream_t) {\n  static const cudaStream_t stream = [] {\n    cudaStream_t own;\n"
               "    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);\n    return own;\n  }();\n");
  EXPECT_EQ(reading_of(tiled_, hidden).verdict, Verdict::not_believed);
}

TEST_F(GpuClockTest, WhatDoesNotCompileSaysSo) {
  const ClockReading reading = reading_of(tiled_, solution_of(course_, tiled_) + "\nthis is not C++;\n");
  EXPECT_EQ(reading.verdict, Verdict::not_timed);
  EXPECT_NE(reading.reason.find("transpose_tiled.cu"), std::string::npos) << reading.reason;
  EXPECT_EQ(reading.reason.find(WARPLAB_SOURCE_DIR), std::string::npos) << reading.reason;
}

/// Needs only nvcc.
TEST(ClockBuild, ASolutionBecomesAModuleByTheTreesOwnOptions) {
  const Course course = transpose();
  const Task& task = task_called(course, "tiled");
  const ClockTree tree(WARPLAB_BINARY_DIR, course.root);
  const ScratchFolder folder;
  fs::create_directories(folder / "work");
  Sandbox sandbox(SandboxLevel::none, 0);
  const ModuleBuild built =
      tree.build({course.labs.at(0).folder, task.lab, task.rung, task.file, solution_of(course, task)},
                 folder / "work", [&](const std::vector<std::string>& command, double wall_s) {
                   return sandbox.run({}, command, wall_s);
                 });
  EXPECT_EQ(built.errors, "");
  EXPECT_TRUE(fs::exists(built.module));
}

}  // namespace
}  // namespace warplab
