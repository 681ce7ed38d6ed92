// Lab 00: what its programs print, what its rungs promise, and what its program says when something is wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/cuda_check.hpp"
#include "harness/rung/backend.hpp"
#include "harness/testing/test_support.hpp"
#include "tests/common/command.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(WARPLAB_SOURCE_DIR) / "labs/00_first_program";
const std::string driver = std::string(WARPLAB_BINARY_DIR) + "/bin/warplab-cc";
const std::string program = std::string(WARPLAB_BINARY_DIR) + "/bin/first_program";

/// Builds a file of the lab by the driver, as the handout does, and runs it.
house::Outcome build_and_run(const fs::path& file, const std::string& environment = "",
                             const std::string& arguments = "") {
  const fs::path built = fs::path(testing::TempDir()) / ("warplab_first_program_" + file.stem().string());
  const house::Outcome compiled =
      house::run("'" + driver + "' '" + file.string() + "' -o '" + built.string() + "'");
  if (compiled.exit_code != 0) return compiled;
  const house::Outcome outcome = house::run(environment + " '" + built.string() + "' " + arguments + " 2>&1");
  fs::remove(built);
  return outcome;
}

struct Printed {
  const char* file;
  const char* text;
};

TEST(FirstProgramPrograms, PrintWhatTheirMainComputes) {
  if (backend == Backend::cuda) GTEST_SKIP() << "warplab-cc builds for the emulator";
  const Printed all[] = {
      {"first_program_saxpy.cu", "saxpy: no error\n100 102 104 106 208 210 212 214 \n"},
      {"first_program_checked.cu",
       "2 copies, 256 threads per block: no error\n"
       "2 copies, 2048 threads per block: invalid configuration argument\n"
       "1099511627776 copies, 256 threads per block: out of memory\n"
       "1 2 3 1 2 3 \n"},
      {"first_program_timed.cu", "timed: no error, out[3] is 8.5\n"},
      {"first_program_outer_product.cu",
       "outer product: no error\n"
       "    1    10   100  1000\n"
       "    2    20   200  2000\n"
       "    3    30   300  3000\n"},
      {"first_program_uniform_warps.cu", "uniform warps: no error\n"},
      {"first_program_block_count.cu", "block count: no error\n3 of 5 are above 0.4\n"},
      {"first_program_dot3.cu", "dot3: no error\n32 0\n"},
      {"first_program_two_streams.cu", "two streams: no error\n0 101 202 303 404 \n"},
  };
  for (const auto& [file, text] : all) {
    const house::Outcome outcome = build_and_run(folder / file);
    EXPECT_EQ(outcome.exit_code, 0) << file << "\n" << outcome.output;
    EXPECT_NE(outcome.output.find(text), std::string::npos) << file << "\n" << outcome.output;
  }
}

TEST(FirstProgramDemos, RunToTheirEndOnTheEmulator) {
  if (backend == Backend::cuda) GTEST_SKIP() << "warplab-cc builds for the emulator";
  const Printed all[] = {
      {"hello.cu", "the host goes on while the kernel runs\n"},
      {"divergence.cu", "by lane: out[2] 4, out[3] 9\nby warp: out[2] 4, out[34] 1156\n"},
      {"spin_lock.cu", "no error: 32 of 32 threads had their turn\n"},
      {"stride.cu", "stride 1: thread 31 wrote 31 to element 31\n"},
      {"shared.cu", "out[0] is 255, out[255] is 0, out[256] is 511\n"},
      {"registers.cu", "in registers: 64\nin local memory: 64\n"},
      {"unified.cu", "data[0] is 6, data[65535] is 5\n"},
      {"atomics.cu", "add 1024, sub -1024, min -500, max 523,"},
      {"numbers.cu", "(3 + 4i) * (1 - 2i) = 11 -2i\n(3 + 4i) / (1 - 2i) = -1 +2i, |3 + 4i| = 5\n"},
  };
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "demos"))
    files += entry.path().extension() == ".cu";
  EXPECT_EQ(files, std::size(all) + 1) << "barrier_in_a_branch.cu has a test of its own; is there a new one?";
  for (const auto& [file, text] : all) {
    const house::Outcome outcome = build_and_run(folder / "demos" / file);
    EXPECT_EQ(outcome.exit_code, 0) << file << "\n" << outcome.output;
    EXPECT_NE(outcome.output.find(text), std::string::npos) << file << "\n" << outcome.output;
  }
}

TEST(FirstProgramDemos, TheHandoutShowsTheFirstOneAsItIs) {
  const auto content = [](const fs::path& path) {
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string hello = content(folder / "demos/hello.cu");
  EXPECT_NE(content(folder / "README.md").find("```cuda\n" + hello.substr(hello.find("__global__")) + "```"),
            std::string::npos);
}

TEST(FirstProgramDemos, ThreadsThatWaitForOneAnotherAreReported) {
  if (backend == Backend::cuda) GTEST_SKIP() << "on a GPU this program hangs";
  const house::Outcome outcome = build_and_run(folder / "demos/barrier_in_a_branch.cu");
  EXPECT_NE(outcome.output.find("16 threads (first (0,0,0)) in __syncthreads at "), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("unspecified launch failure"), std::string::npos) << outcome.output;
}

TEST(FirstProgramDemos, TheLensNamesTheRaceOfTheSpinLock) {
  if (backend == Backend::cuda) GTEST_SKIP() << "the lens is the emulator's";
  const house::Outcome outcome = build_and_run(folder / "demos/spin_lock.cu", "WARPLAB_LENS=1");
  EXPECT_NE(outcome.output.find("race"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("semaphore"), std::string::npos) << outcome.output;
}

std::vector<lens::Launch> recorded(const std::string& rung, std::int64_t n) {
  const Problem& problem = problem_of("first_program");
  const Rung& own = rung_of(problem, rung);
  Case c = problem.default_case(Backend::emulator);
  c.extent("n") = n;
  return record_rung(problem, own, problem.for_rung(c, own));
}

TEST(FirstProgramUniformWarps, PartsNoWarp) {
  if (backend == Backend::cuda) GTEST_SKIP() << "the emulator counts";
  const lens::Counts counts = recorded("uniform_warps", 4096).at(0).counts;
  EXPECT_EQ(counts.branches.divergent, 0u);
  EXPECT_EQ(counts.global_load.sectors, 2 * 4096u * 4 / 32)
      << "a warp uses every second element of its sectors";
}

TEST(FirstProgramBlockCount, NeedsOneAtomicPerBlock) {
  if (backend == Backend::cuda) GTEST_SKIP() << "the emulator counts";
  EXPECT_EQ(recorded("block_count", 4096).at(0).counts.global_atomics.lanes, 16u);
}

TEST(FirstProgramTimed, LaunchesOnceToWarmUpAndThenAsOftenAsItMeasures) {
  if (backend == Backend::cuda) GTEST_SKIP() << "the emulator counts";
  EXPECT_EQ(recorded("timed", 1000).size(), 11u);
}

TEST(FirstProgramChecked, ReturnsTheErrorAndLeavesItsOutputAlone) {
  const Problem& problem = problem_of("first_program");
  const Rung& rung = rung_of(problem, "checked");
  Case c = problem.default_case(backend);
  c.extent("n") = 3;
  const auto run = [&](double copies, double threads) {
    Case own = c;
    own.params = {{"copies", copies}, {"threads", threads}};
    return run_rung(problem, rung, problem.for_rung(own, rung));
  };
  EXPECT_EQ(run(2, 2048).outputs.at(1).as<int>()[0], cudaErrorInvalidConfiguration);
  EXPECT_EQ(run(1e12, 256).outputs.at(1).as<int>()[0], cudaErrorMemoryAllocation);
  EXPECT_EQ(run(2, 256).outputs.at(1).as<int>()[0], cudaSuccess);
  EXPECT_TRUE(run(1e12, 2048).accepted());
}

TEST(FirstProgramProgram, RefusesWhatItCannotDo) {
  const house::Outcome negative = house::run("'" + program + "' --size -1 2>&1");
  EXPECT_EQ(negative.exit_code, 2) << negative.output;
  const house::Outcome launches = house::run("'" + program + "' --launches 0 2>&1");
  EXPECT_EQ(launches.exit_code, 2);
  EXPECT_NE(launches.output.find("--launches"), std::string::npos) << launches.output;
  const std::string checked = "'" + program + "' --rung checked --size 4194304 --copies ";
  const house::Outcome bytes = house::run(checked + "1099511627776 2>&1");  // 2^64 bytes
  EXPECT_EQ(bytes.exit_code, 2);
  EXPECT_NE(bytes.output.find("more bytes than 63 bits count"), std::string::npos) << bytes.output;
  const house::Outcome fits = house::run(checked + "274877906944 2>&1");  // 2^62 bytes: no device has them
  EXPECT_EQ(fits.exit_code, 0) << fits.output;
  const house::Outcome flag = house::run("'" + program + "' --no-such-flag 2>&1");
  EXPECT_EQ(flag.exit_code, 2);
  EXPECT_EQ(std::count(flag.output.begin(), flag.output.end(), '\n'), 1) << flag.output;
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(first_program);
