// The oracles and the rungs against SciPy, whose code has nothing in common with theirs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "common/host/random.hpp"
#include "common/io/npy.hpp"
#include "harness/console/case_text.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "harness/testing/test_support.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

constexpr const char* borders[] = {"untouched", "clamp", "zero", "reflect"};
constexpr std::pair<std::int64_t, std::int64_t> image_sizes[] = {
    {1, 1}, {1, 7}, {7, 1}, {2, 3}, {3, 3}, {17, 18}, {33, 9}, {64, 65}, {1, 197}, {197, 1}, {131, 67}};

/// One case, its inputs, and what SciPy makes of them.
struct Job {
  Case problem_case;
  std::vector<HostArray> inputs;
  std::string border = "zero";
  int edge = 0;  ///< pixels along each side that `untouched` leaves alone
  std::vector<HostArray> expected;
};

/// A Python with SciPy: the one in the path, or the distribution's; "" where neither has it.
const std::string& python() {
  static const std::string found = [] {
    for (const char* command : {"python3", "/usr/bin/python3"})
      if (std::system(
              (command + std::string(" -c 'import scipy.ndimage, scipy.signal' >/dev/null 2>&1")).c_str()) ==
          0)
        return std::string(command);
    return std::string();
  }();
  return found;
}

/// Puts back what `untouched` does not write.
void restore_edge(const Problem& problem, Job& job) {
  for (std::size_t i = 0; i < job.expected.size(); ++i) {
    const std::optional<HostArray> before = problem.initial_output(job.problem_case, job.inputs, i);
    ASSERT_TRUE(before.has_value()) << "an untouched edge needs something to stay";
    const auto height = job.expected[i].shape()[0], width = job.expected[i].shape()[1];
    const std::int64_t pixel = static_cast<std::int64_t>(before->size_bytes()) / (height * width);
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x)
        if (std::min(x, y) < job.edge || x >= width - job.edge || y >= height - job.edge)
          std::copy_n(before->bytes().begin() + (y * width + x) * pixel, pixel,
                      job.expected[i].bytes().begin() + (y * width + x) * pixel);
  }
}

/// Has SciPy compute what all the jobs expect.
void ask_scipy(const Problem& problem, std::vector<Job>& jobs) {
  const ScratchFolder folder;
  const auto file = [&](std::size_t job, const char* what, std::size_t i) {
    return folder / (std::to_string(job) + "-" + what + "-" + std::to_string(i) + ".npy");
  };
  std::ofstream list(folder / "jobs");
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    list << problem.lab() << ' ' << j << ' ' << jobs[j].border << '\n';
    for (std::size_t i = 0; i < jobs[j].inputs.size(); ++i) write_npy(file(j, "in", i), jobs[j].inputs[i]);
  }
  list.close();
  const std::string command = python() + " " WARPLAB_SOURCE_DIR "/tests/reference/scipy_oracle.py '" +
                              folder.path().string() + "' >'" + (folder / "said").string() + "' 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << content_of(folder / "said");
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    for (std::size_t i = 0; i < problem.outputs(jobs[j].problem_case).size(); ++i)
      jobs[j].expected.push_back(read_npy(file(j, "out", i)));
    if (jobs[j].border == "untouched") restore_edge(problem, jobs[j]);
  }
}

/// Bytes are equal. The oracle rounds a sum in double to T once, and so does SciPy, whose sum may differ by a
/// few roundings of double: at most one step of T, and where terms cancel, of a double as large as the terms.
Tolerance oracle_tolerance(DType dtype) {
  if (dtype == DType::u8) return {};
  return dtype == DType::f32 ? Tolerance{1e-12, 0x1p-23} : Tolerance{1e-12, 1e-12};
}

void oracle_and_rungs_agree(const std::string& lab, std::vector<Job> jobs) {
  const Problem& problem = problem_of(lab);
  ASSERT_NO_FATAL_FAILURE(ask_scipy(problem, jobs));
  for (const Job& job : jobs) {
    const std::vector<HostArray> oracle = problem.expected(job.problem_case, job.inputs);
    ASSERT_EQ(oracle.size(), job.expected.size());
    for (std::size_t i = 0; i < oracle.size(); ++i) {
      const Comparison comparison = compare(oracle[i], job.expected[i], oracle_tolerance(oracle[i].dtype()));
      ASSERT_TRUE(comparison.accepted)
          << "oracle: " << case_text(job.problem_case) << ", output " << i << ": " << comparison.report;
    }
  }
  std::size_t runs = 0;
  for (const Rung& rung : problem.rungs()) {
    if (!rung.peer_of.empty()) continue;  // they know other borders
    for (const Job& job : jobs) {
      const Case c = problem.for_rung(job.problem_case, rung);
      if (std::find(rung.dtypes.begin(), rung.dtypes.end(), c.dtype) == rung.dtypes.end()) continue;
      const RungOutcome outcome = run_rung(problem, rung, c, job.inputs, job.expected);
      if (outcome.status == RungStatus::todo) break;  // a stub: its own tests say so
      // What a rung does not take, or this machine does not have; whether it should, its own tests say.
      if (outcome.status == RungStatus::refused || outcome.status == RungStatus::unavailable) continue;
      ASSERT_TRUE(outcome.accepted()) << rung.name << ": " << case_text(c) << ": " << outcome.why;
      ++runs;
    }
  }
  ::testing::Test::RecordProperty("runs", static_cast<int>(runs));
}

class SciPy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty())
      GTEST_SKIP() << "python3 with SciPy is not installed (Debian: apt install python3-scipy)";
  }
  /// Whether the lab's problem is in this tree; skips the test if not.
  static bool has(const std::string& lab) { return problem_registry().contains(lab); }
};

Case sized(const Problem& problem, const std::vector<std::int64_t>& extents, DType dtype,
           std::uint64_t seed) {
  Case c = problem.default_case(backend);
  for (std::size_t i = 0; i < extents.size(); ++i) c.size.at(i).second = extents[i];
  c.dtype = dtype;
  c.seed = seed;
  return c;
}

TEST_F(SciPy, AgreesWithConv1d) {
  if (!has("conv1d")) GTEST_SKIP() << "this tree has no lab conv1d";
  const Problem& problem = problem_of("conv1d");
  std::vector<Job> jobs;
  for (const DType dtype : {DType::f32, DType::f64})
    for (const auto& [n, m] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {1, 1}, {1, 9}, {5, 4}, {4, 5}, {100, 1}, {257, 32}, {1021, 127}, {300, 1009}, {2000, 300}}) {
      Job& job = jobs.emplace_back();
      job.problem_case = sized(problem, {n, m}, dtype, jobs.size());
      job.inputs = problem.inputs(job.problem_case);
    }
  oracle_and_rungs_agree("conv1d", std::move(jobs));
}

TEST_F(SciPy, AgreesWithImageFilterAtEveryBorder) {
  if (!has("image_filter")) GTEST_SKIP() << "this tree has no lab image_filter";
  const Problem& problem = problem_of("image_filter");
  const ScratchFolder folder;
  // Of each side an odd filter that is nowhere symmetric, whose sums reach past both ends of a byte.
  std::vector<std::pair<std::string, int>> filters{{"mean", 1}, {"sharpen", 1}};
  for (int radius : {0, 1, 2, 3}) {
    std::string text;
    for (int y = 0; y <= 2 * radius; ++y, text += '\n')
      for (int x = 0; x <= 2 * radius; ++x)
        text += std::to_string(random_unit(7, static_cast<std::uint64_t>(100 * y + x)) * 2.3 / (radius + 1) -
                               0.3) +
                ' ';
    filters.emplace_back(folder.write("radius-" + std::to_string(radius), text).string(), radius);
  }
  std::vector<Job> jobs;
  for (const auto& [width, height] : image_sizes)
    for (const DType dtype : {DType::u8, DType::f32})
      for (const char* border : borders)
        for (std::size_t f = 0; f < filters.size(); ++f) {
          // Channels take turns: every border meets every number of them with every filter.
          const std::size_t channels = 1 + (jobs.size() + jobs.size() / 4 + jobs.size() / 24) % 4;
          if (width * height > 400 && f > 2 && channels != 3) continue;
          Job& job = jobs.emplace_back();
          job.border = border;
          job.edge = filters[f].second;
          job.problem_case = sized(problem, {width, height}, dtype, jobs.size());
          Replacements replaced;
          problem.command_line().configure(
              job.problem_case,
              {{"border", border}, {"filter", filters[f].first}, {"channels", std::to_string(channels)}},
              replaced);
          job.inputs = problem.inputs(job.problem_case);
          for (auto& [i, array] : replaced) job.inputs.at(i) = array;
        }
  oracle_and_rungs_agree("image_filter", std::move(jobs));
}

TEST_F(SciPy, AgreesWithGaussianFilters) {
  if (!has("gaussian")) GTEST_SKIP() << "this tree has no lab gaussian";
  const Problem& problem = problem_of("gaussian");
  std::vector<Job> jobs;
  for (const auto& [width, height] : image_sizes)
    for (const int kind : {0, 1, 2}) {  // Gaussians, crosses, and weights at random
      Job& job = jobs.emplace_back();
      job.problem_case = sized(problem, {width, height}, DType::u8, jobs.size());
      const auto turn = static_cast<double>(jobs.size());
      for (const auto& [name, value] : {std::pair{"kind", double(kind)},
                                        {"side", 3 + 2 * std::fmod(turn, 5)},
                                        {"filters", 1 + std::fmod(turn, 8)},
                                        {"channels", 1 + std::fmod(turn, 4)}})
        job.problem_case.set_param(name, value);
      job.inputs = problem.inputs(job.problem_case);
    }
  oracle_and_rungs_agree("gaussian", std::move(jobs));
}

TEST_F(SciPy, AgreesWithSobelAtEveryBorder) {
  if (!has("sobel")) GTEST_SKIP() << "this tree has no lab sobel";
  const Problem& problem = problem_of("sobel");
  std::vector<Job> jobs;
  for (const auto& [width, height] : image_sizes)
    for (const DType dtype : {DType::u8, DType::f32})
      for (const char* border : borders)
        for (const bool orientation : {false, true}) {
          Job& job = jobs.emplace_back();
          job.border = border;
          job.edge = 1;
          job.problem_case = sized(problem, {width, height}, dtype, jobs.size());
          Replacements none;
          problem.command_line().configure(job.problem_case, {{"border", border}}, none);
          // The program has angles for bytes only; these floats have exact gradients, and so an angle.
          if (orientation) job.problem_case.set_param("orientation", 1);
          job.inputs = problem.inputs(job.problem_case);
        }
  oracle_and_rungs_agree("sobel", std::move(jobs));
}

}  // namespace
}  // namespace warplab
