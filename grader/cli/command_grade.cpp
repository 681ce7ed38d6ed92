#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/host/bad_input.hpp"
#include "grader/batch/batch.hpp"
#include "grader/batch/collect.hpp"
#include "grader/build/sandboxed_builder.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/grading_place.hpp"
#include "grader/cli/tree.hpp"
#include "grader/clock/gpu_clock.hpp"
#include "grader/clones/clones.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

constexpr double submission_s = 600;  // each is graded in a process with a builder of its own

/// @throws BadInput
std::optional<ClassPlan> plan_of(const ClassFlags& flags) {
  if (flags.roster.empty()) {
    if (!flags.platforms.empty()) throw BadInput("--export needs --roster: it writes a row per student");
    if (!flags.earlier.empty()) throw BadInput("--earlier needs --roster: it adds marks of students");
    return {};
  }
  return ClassPlan::read(course_here(), flags.roster, {flags.earlier.begin(), flags.earlier.end()},
                         flags.platforms);
}

/// Makes submissions of repositories, if they are asked for. @throws BadInput
void take_clones(const std::string& submissions, const CloneFlags& clones,
                 const std::optional<ClassPlan>& plan) {
  if (clones.from_git.empty()) {
    if (!clones.before.empty()) throw BadInput("--before needs --from-git: it picks a commit");
    return;
  }
  CloneRequest request{clones.from_git, {}, submissions, plan ? &plan->files.roster : nullptr};
  const TimeZone zone = plan ? plan->files.term.zone : TimeZone();
  if (!clones.before.empty()) try {
      request.before = parse_last_instant(clones.before, zone);
    } catch (const BadInput& error) {
      throw BadInput(fmt::format("--before '{}' {}", clones.before, error.what()));
    }
  const ClonedSubmissions found = take_from_git(request);
  fmt::print("{} in {}\n", counted(found.taken, "commit"), submissions);
  for (const std::string& remark : found.remarks) fmt::print("{}\n", remark);
}

}  // namespace

int command_fetch(const FetchCommand& command) {
  take_clones(command.submissions, command.clones, plan_of({command.roster, {}, {}}));
  return exit_ok;
}

int command_grade(const GradeOptions& options) {
  if (!options.clones.from_git.empty() && !options.shard.empty())
    throw BadInput(
        "--from-git does not go with --shard, since all shards would write the same clones; run "
        "`warplab fetch` once before");
  const Course course = course_here().only(options.labs);
  check_built(course);
  BatchOptions batch;
  batch.submissions = options.submissions;
  batch.out = std::filesystem::absolute(options.out);
  batch.hidden = hidden_folder();
  batch.jobs = options.jobs;
  if (!options.shard.empty()) batch.shard = parse_shard(options.shard);
  batch.resume = options.resume;
  if (!options.seed_file.empty()) batch.seed = Secret::in_file(options.seed_file);
  const SandboxLevel level = level_to_grade_at(options.sandbox);
  batch.sandbox = name_of(level);
  BuilderOptions limits{level};
  limits.all_s = batch.submission_s = submission_s;
  const std::optional<ClassPlan> plan = plan_of(options.of_class);
  if (plan) batch.plan = &*plan;
  take_clones(options.submissions, options.clones, plan);
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

int command_collect(const std::string& out, const std::string& submissions, const ClassFlags& of_class) {
  const std::optional<ClassPlan> plan = plan_of(of_class);
  const Collected collected = collect(course_here(), out, submissions, plan ? &*plan : nullptr);
  fmt::print("{} in {}\n", counted(collected.records, "record"), out);
  for (const std::string& remark : collected.remarks) fmt::print("{}\n", remark);
  return exit_ok;
}

}  // namespace warplab
