#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/bad_input.hpp"
#include "grader/batch/batch.hpp"
#include "grader/batch/collect.hpp"
#include "grader/build/sandboxed_builder.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/grading_place.hpp"
#include "grader/cli/tree.hpp"
#include "grader/clock/gpu_clock.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

constexpr double submission_s = 600;  // each is graded in a process with a builder of its own

}  // namespace

int command_grade(const GradeOptions& options) {
  const Course course = course_here().only(options.labs);
  BatchOptions batch;
  batch.submissions = options.submissions;
  batch.out = std::filesystem::absolute(options.out);
  batch.hidden = hidden_folder();
  batch.jobs = options.jobs;
  if (!options.shard.empty()) batch.shard = parse_shard(options.shard);
  batch.resume = options.resume;
  if (!options.seed.empty()) batch.seed = options.seed;
  const SandboxLevel level = level_to_grade_at(options.sandbox);
  batch.sandbox = name_of(level);
  BuilderOptions limits{level};
  limits.all_s = batch.submission_s = submission_s;
  std::optional<GpuClock> clock;
  if (!options.clock.empty()) {
    // Its sandboxes come after those of the threads.
    clock.emplace(course, GpuClockOptions{options.clock, level, std::max(1u, batch.jobs)});
    batch.clock = &*clock;
    fmt::print("clock: {}; it informs, and gives no points\n", clock->device().name);
  }
  const auto headers = std::make_shared<PrecompiledHeaders>();
  return grade_batch(course, batch, [&](unsigned thread) {
    return std::make_unique<SandboxedBuilder>(course, limits, thread, headers);
  });
}

int command_collect(const std::string& out, const std::string& submissions) {
  const Collected collected = collect(course_here(), out, submissions);
  fmt::print("{} in {}\n", counted(collected.records, "record"), out);
  for (const std::string& remark : collected.remarks) fmt::print("{}\n", remark);
  return exit_ok;
}

}  // namespace warplab
