#include "grader/judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "common/launch_shape.hpp"
#include "grader/course/limits.hpp"
#include "grader/course/task_problem.hpp"
#include "grader/judge/barriers.hpp"
#include "grader/judge/failure.hpp"
#include "grader/judge/limit_sizes.hpp"
#include "grader/judge/oddities.hpp"
#include "harness/console/case_text.hpp"
#include "harness/rung/backend.hpp"
#include "lens/merge.hpp"

namespace warplab {

/// The result of one call.
struct Judge::Verdict {
  bool timed_out = false, to_do = false;
  std::optional<Failure> failure;  ///< of one that did not pass
  std::vector<lens::Launch> launches;
  std::vector<HostArray> outputs;  ///< of one that was counted
};

/// The runs in which all was counted: limits on the same case share one.
struct Judge::CountedRuns {
  std::map<std::string, Verdict> known;  ///< by case
  std::string why_void;                  ///< why one of them says nothing of any limit, or ""
  /// As oddities.hpp says, of the first of them that has such.
  std::string idle_kernels() const {
    for (const auto& [where, verdict] : known)
      if (std::string notice = idle_kernels_of(verdict.launches); !notice.empty()) return notice;
    return "";
  }
};

namespace {

constexpr std::size_t max_kept_bytes = std::size_t{256} << 20;  // of inputs and expected values
constexpr std::uint64_t every_block = 0;
constexpr std::uint64_t some_blocks =
    16;  // of each launch, where races are looked for and nothing is counted
// Larger cases show what happens with very many blocks and the like. They are CTest's: recorded on one core
// they would take longer than a student, or a batch, should wait.
constexpr double max_elements = 1 << 17;

/// The cases of one check on right values.
struct Step {
  std::vector<Case> cases;
  bool limits_need_it = true;  ///< it is the first of two steps, or the only one
};

/// What a check runs; nothing for a limit's, and for hidden sizes in a tree that has none.
std::optional<Step> step_of(const Task& task, const Check& check, const std::vector<Case>& publics,
                            const std::vector<HiddenKind>& kinds) {
  Step step;
  if (check.kind == Check::Kind::public_cases) {
    std::ranges::copy_if(publics, std::back_inserter(step.cases),
                         [&](const Case& c) { return fits(task, c) == check.where_it_fits; });
    step.limits_need_it = check.where_it_fits || task.fits.empty();
    return step;
  }
  const auto kind = std::ranges::find(kinds, check.input, &HiddenKind::kind);
  if (check.kind != Check::Kind::hidden_cases || kind == kinds.end()) return {};
  std::ranges::copy_if(kind->cases, std::back_inserter(step.cases),
                       [&](const Case& c) { return belongs(task, c); });
  step.limits_need_it = kind->fits || task.fits.empty();
  return step;
}

/// Whether a case is small enough to be recorded whole. All blocks of whole programs are, those of others
/// only where something is counted: so theirs have to be small in their inputs too.
bool is_graded(const Problem& problem, const Case& c) {
  double elements = 0;
  for (const ArraySpec& output : problem.outputs(c)) {
    double count = 1;
    for (const std::int64_t extent : output.shape) count *= static_cast<double>(extent);
    elements += count;
  }
  if (problem.whole_programs())
    for (const HostArray& input : problem.inputs(c))
      elements = std::max(elements, static_cast<double>(input.count()));
  return elements <= max_elements;
}

/// Calls a rung; once more if its process was killed meanwhile, which no code of a student can do.
/// @throws std::runtime_error if that one was killed too
RungReply reply_to(const RungRequest& request, RungRunner& runner) {
  RungReply reply = runner.run(request);
  if (reply.killed_by_others) reply = runner.run(request);
  if (reply.killed_by_others)
    throw std::runtime_error(
        "the process that ran it was killed twice (SIGKILL), by the system for want of memory or by hand");
  return reply;
}

/// How a call ended that gave no values to compare.
Failure failure_of(const RungReply& reply) {
  Failure failure;
  failure.kind = reply.status == RungStatus::refused ? Failure::Kind::refused
                 : reply.timed_out                   ? Failure::Kind::timed_out
                                                     : Failure::Kind::ended_badly;
  failure.details = reply.why;
  failure.cuda_error = reply.cuda_error;
  return failure;
}

/// Whether grid_in_layers() made this grid of more than one layer: it fills each at least by half.
bool is_in_layers(const lens::Launch& launch) {
  return launch.grid[2] > 1 && launch.grid[1] > graded_blocks_down / 2 &&
         launch.grid[1] <= graded_blocks_down;
}

/// What ran without being recorded, though all of it was to be: a sentence, or "".
std::string unrecorded(const RungReply& reply) {
  if (!reply.lens || !reply.counts) return "what it launched was not recorded";
  std::uint64_t blocks = 0;
  for (const lens::Launch& launch : *reply.lens) blocks += launch.blocks_recorded;
  if (lens::count_of(*reply.lens) == reply.counts->launches && blocks == reply.counts->blocks) return "";
  return fmt::format("{} launches of {} blocks ran, and {} of {} were recorded", reply.counts->launches,
                     reply.counts->blocks, lens::count_of(*reply.lens), blocks);
}

/// Shares of so many hundredths of a point by the checks' weights: they sum exactly.
void share_out(std::int64_t hundredths, const std::vector<Check*>& checks,
               const std::vector<double>& weights) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  double weight = 0;
  std::int64_t given = 0;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    weight += weights[i];
    const auto up_to_here = static_cast<std::int64_t>(static_cast<double>(hundredths) * weight / all + 1e-6);
    checks[i]->max_points = static_cast<double>(up_to_here - given) / 100;
    given = up_to_here;
  }
}

/// What kinds of hidden sizes weigh: as much together in the first step as in the second.
std::vector<double> weights_of_steps(const std::vector<bool>& of_first_step) {
  const auto first = std::ranges::count(of_first_step, true),
             second = std::ranges::count(of_first_step, false);
  std::vector<double> weights;
  for (const bool is_first : of_first_step)
    weights.push_back(is_first && second > 0 ? static_cast<double>(second) / static_cast<double>(first) : 1);
  return weights;
}

/// With the input's parameters, by which limits on one measure differ: "kernels launched, pattern equal".
std::string what_of(const Limit& limit, const Task& task) {
  if (!limit.figure.empty()) return limit.figure + ", as the lab's program prints it";
  std::string what = find_measure(limit.measure)->what;
  if (limit.params.empty()) return what;
  const Problem& problem = problem_of(task);
  for (const Parameter& parameter : problem.for_rung(published_case(limit, problem), rung_of(task)).params)
    if (std::ranges::any_of(limit.params, [&](const auto& p) { return p.first == parameter.name; }))
      what += fmt::format(", {} {}", parameter.name, value_text(parameter));
  return what;
}

std::string size_near(const Limit& limit, const Problem& problem) {
  const Case c = published_case(limit, problem);
  return fmt::format("{}{} {}", limit.figure.empty() ? "near " : "", size_text(c), name_of(c.dtype));
}

// A run that did not do the work makes the counts of all others worthless.
void take_back_limits(const std::string& why_void, TaskRecord& record) {
  if (why_void.empty()) return;
  for (Check& check : record.checks) {
    if (check.kind != Check::Kind::limit) continue;
    check.counted.reset();
    if (check.status == Check::Status::passed) {
      check.status = Check::Status::failed;
      check.happened = "in a run for another limit " + why_void;
    }
  }
}

SeenMistake mistake_of(const lens::Finding& finding, const FileTexts& files) {
  SeenMistake mistake{finding.kind, finding.hint};
  const auto file = files.find(std::filesystem::path(finding.file).filename());
  if (file != files.end()) mistake.barriers = barriers_above(file->second, finding.line);
  return mistake;
}

// What failed first: in words for the student, and as data for the class's statistics.
void note_failure(const Failure& failure, bool is_hidden, const FileTexts& files, Places& shown,
                  Check& check) {
  check.happened = is_hidden ? hidden_text(failure, shown) : public_text(failure);
  if (!is_hidden) shown.merge(places_in(failure));
  check.launched = failure.launched;
  for (const lens::Finding& finding : failure.findings) check.mistakes.insert(mistake_of(finding, files));
}

// What the checks come to: points, or that the task is to do.
void settle(const Task& task, TaskRecord& record) {
  if (record.status == TaskRecord::Status::to_do) {
    record.reason =
        task.file + " calls warplab::todo(); delete the call where you have written what it stands for";
    for (Check& check : record.checks) {
      check.status = Check::Status::not_run;
      check.happened.clear();
      check.reason = "the task is to do";
    }
    return;
  }
  for (Check& check : record.checks) {
    if (check.status == Check::Status::passed) check.points = check.max_points;
    record.score += check.points;
  }
  record.score = std::round(record.score * 100) / 100;
}

}  // namespace

Judge::Judge(Secret secret, std::filesystem::path hidden)
    : secret_(std::move(secret)), hidden_(std::move(hidden)), arrays_(max_kept_bytes) {}

std::vector<Check> Judge::checks_of(const Task& task) const {
  std::vector<Check> checks;
  const auto add = [&](std::string name, Check::Kind kind, std::string input, std::string expected) {
    Check check;
    check.name = std::move(name);
    check.kind = kind;
    check.input = std::move(input);
    check.expected = std::move(expected);
    checks.push_back(std::move(check));
  };
  if (!task.fits.empty()) {
    add("right where blocks and tiles fit", Check::Kind::public_cases, "", "the values of the CPU reference");
    checks.back().where_it_fits = true;
  }
  add("right at every public size", Check::Kind::public_cases, "", "the values of the CPU reference");
  std::vector<bool> of_first_step;  // a kind of hidden sizes
  if (hidden_.empty()) {
    of_first_step.push_back(false);
    add("right at hidden sizes", Check::Kind::hidden_cases, "", "the values of the CPU reference");
  } else {
    const Problem& problem = problem_of(task);
    for (const HiddenKind& kind : hidden_kinds(problem, rung_of(task)))
      if (std::ranges::any_of(kind.cases, [&](const Case& c) { return belongs(task, c); })) {
        of_first_step.push_back(kind.fits && !task.fits.empty());
        add("right at hidden sizes: " + kind.kind, Check::Kind::hidden_cases, kind.kind,
            "the values of the CPU reference");
      }
  }
  for (const Limit& limit : task.limits)
    add(what_of(limit, task), Check::Kind::limit, "", fmt::format("at most {:g}", limit.most));

  std::vector<Check*> publics, hiddens, limits;
  for (Check& check : checks)
    (check.kind == Check::Kind::public_cases   ? publics
     : check.kind == Check::Kind::hidden_cases ? hiddens
                                               : limits)
        .push_back(&check);
  std::vector<double> weights;
  for (const Limit& limit : task.limits) weights.push_back(limit.weight);
  const std::int64_t points = std::llround(task.points * 100),
                     limit_points = limits.empty() ? 0 : std::llround(task.points * 100 * task.limits_share),
                     public_points = (points - limit_points) / 2;
  share_out(public_points, publics, std::vector<double>(publics.size(), 1));
  share_out(points - limit_points - public_points, hiddens, weights_of_steps(of_first_step));
  share_out(limit_points, limits, weights);
  return checks;
}

TaskRecord Judge::unjudged(const Task& task, TaskRecord::Status status, const std::string& reason) const {
  TaskRecord record;
  record.lab = task.lab;
  record.id = task.id;
  record.title = task.title;
  record.hint = task.hint;
  record.points = task.points;
  record.status = status;
  record.reason = reason;
  record.checks = checks_of(task);
  for (Check& check : record.checks) check.reason = "the file was not run";
  return record;
}

const std::vector<HiddenKind>& Judge::hidden_kinds(const Problem& problem, const Rung& rung) const {
  const std::string key = problem.lab() + " " + rung.name;
  const std::lock_guard lock(mutex_);
  if (const auto known = hidden_kinds_.find(key); known != hidden_kinds_.end()) return known->second;
  std::vector<HiddenKind> kinds;
  if (!hidden_.empty()) kinds = hidden_cases(problem, rung, hidden_ / (problem.lab() + ".json"), secret_);
  return hidden_kinds_[key] = std::move(kinds);
}

Judge::Verdict Judge::run(const Problem& problem, const Rung& rung, const Case& c, RungRunner& runner,
                          bool counted) const {
  const std::shared_ptr<const CaseArrays> arrays = arrays_.of(problem, c);
  FreshOutputs outputs = fresh_outputs(problem, c, arrays->inputs);
  RungRequest request = request_for(problem, rung, c, arrays->inputs, outputs);
  if (backend == Backend::emulator && problem.launches_kernels())
    request.lens_blocks = counted || problem.whole_programs() ? every_block : some_blocks;
  request.lens_details = counted;  // mistakes have their lines in any case
  const RungReply reply = reply_to(request, runner);

  Verdict verdict;
  verdict.timed_out = reply.timed_out;
  verdict.to_do = reply.status == RungStatus::todo;
  verdict.launches = reply.lens.value_or(std::vector<lens::Launch>());
  std::vector<lens::Finding> findings;
  for (const lens::Launch& launch : verdict.launches)
    findings.insert(findings.end(), launch.findings.begin(), launch.findings.end());
  const auto fail = [&](Failure failure, bool with_findings = true) {
    if (with_findings) failure.findings = findings;
    failure.in_layers = std::ranges::any_of(verdict.launches, is_in_layers);
    verdict.failure = std::move(failure);
    return verdict;
  };
  if (reply.status != RungStatus::ok) return fail(failure_of(reply), reply.status != RungStatus::refused);
  if (const std::string why = request.lens_blocks == every_block ? unrecorded(reply) : ""; !why.empty())
    return fail({Failure::Kind::not_recorded, why}, false);
  for (std::size_t i = 0; i < outputs.arrays.size(); ++i) {
    const Comparison comparison = problem.check(c, arrays->inputs, arrays->expected, i, outputs.arrays[i]);
    if (comparison.accepted) continue;
    Failure wrong{Failure::Kind::wrong_values, comparison.report};
    wrong.launched = !reply.counts || reply.counts->launches != 0 || !problem.launches_kernels();
    wrong.share_wrong = static_cast<double>(comparison.mismatches) / static_cast<double>(comparison.count);
    return fail(wrong);
  }
  if (const std::string why = why_not_computed(problem, c, reply); !why.empty()) {
    Failure idle{Failure::Kind::not_computed, why};
    idle.launched = lens::count_of(verdict.launches) != 0;
    return fail(idle, false);
  }
  if (!findings.empty()) return fail({Failure::Kind::findings, ""});
  if (counted) verdict.outputs = std::move(outputs.arrays);
  return verdict;
}

void Judge::run_limit(const Task& task, const Limit& limit, Check& check, RungRunner& runner,
                      CountedRuns& runs) const {
  const Problem& problem = problem_of(task);
  const Rung& rung = rung_of(task);
  check.input = size_near(limit, problem);
  check.status = Check::Status::failed;
  for (const Case& c : drawn_cases(limit, problem, rung, secret_)) {
    const auto [place, is_new] = runs.known.try_emplace(case_text(c));
    if (is_new) place->second = run(problem, rung, c, runner, true);
    const Verdict& verdict = place->second;
    if (verdict.failure) {
      // The size was drawn. What is right only where blocks and tiles fit comes here too.
      check.happened =
          limit.figure.empty() ? hidden_text(*verdict.failure, {}) : public_text(*verdict.failure);
      check.counted.reset();  // of the size before: what is wrong at one of them is not ranked by the other
      return;
    }
    const std::optional<double> busiest = limit.busiest ? limit.busiest : task.busiest;
    const std::string refused = why_refused(problem, c, verdict),
                      few = busiest ? done_by_few(*busiest, verdict.launches) : "";
    if (runs.why_void.empty()) runs.why_void = refused.empty() ? few : refused;
    check.happened = refused.empty() ? why_beyond(limit, problem, c, verdict, check.counted) : refused;
    if (check.happened.empty()) check.happened = few;
    if (!check.happened.empty()) return;
  }
  check.status = Check::Status::passed;
}

std::string Judge::why_not_computed(const Problem& problem, const Case& c, const RungReply& reply) {
  if (problem.launches_kernels() && reply.counts)
    if (const std::string why = moved_by_copies(*reply.counts); !why.empty()) return why;
  // A whole program has the inputs in host memory, where the CPU could compute.
  if (problem.whole_programs() && problem.cost(c).bytes > 0)
    return implausible(reply.lens.value_or(std::vector<lens::Launch>()), problem, c);
  return "";
}

std::string Judge::why_refused(const Problem& problem, const Case& c, const Verdict& verdict) {
  const std::string why = implausible(verdict.launches, problem, c);
  return why.empty() ? "" : "refused: " + why;
}

std::string Judge::why_beyond(const Limit& limit, const Problem& problem, const Case& c,
                              const Verdict& verdict, std::optional<double>& counted) {
  const double value = limit.figure.empty() ? value_of(limit.measure, verdict.launches, problem, c)
                                            : value_of_figure(limit.figure, problem, c, verdict.outputs);
  if (value < unmeasured) counted = std::max(value, counted.value_or(value));
  if (value <= limit.most) return "";
  if (value >= unmeasured) return "the run has nothing that this counts: " + limit.why;
  return fmt::format("it is {:.4g}: {}", value, limit.why);
}

std::vector<Case> Judge::public_cases(const Task& task) const {
  const Problem& problem = problem_of(task);
  const Rung& rung = rung_of(task);
  std::map<std::string, std::vector<Case>> alike;  // but for the element type
  std::vector<std::string> order;
  for (Case c : problem.public_cases(rung)) {
    if (!is_graded(problem, c) || !belongs(task, c)) continue;
    c.seed = 0;
    Case key = c;
    key.dtype = rung.dtypes.front();
    key = problem.for_rung(key, rung);
    std::vector<Case>& group = alike[case_text(key)];
    if (group.empty()) order.push_back(case_text(key));
    group.push_back(std::move(c));
  }
  std::vector<Case> chosen;
  for (const std::string& key : order) {
    const std::string purpose = fmt::format("{} {} public {}", problem.lab(), rung.name, key);
    const std::vector<Case>& group = alike[key];
    chosen.push_back(group[secret_.number(purpose + " type") % group.size()]);
    chosen.back().seed = secret_.number(purpose);
  }
  return chosen;
}

TaskRecord Judge::judge(const Task& task, RungRunner& runner, const FileTexts& files) const {
  TaskRecord record = unjudged(task, TaskRecord::Status::judged, "");
  const Problem& problem = problem_of(task);
  const Rung& rung = rung_of(task);
  bool hung = false, right = true;  // right: in the first of two steps, or in the only one
  Places shown;

  // @return whether all cases passed
  const auto run_cases = [&](Check& check, const std::vector<Case>& cases) {
    const bool is_hidden = check.kind == Check::Kind::hidden_cases;
    for (const Case& c : cases) {
      const Verdict verdict = run(problem, rung, c, runner, false);
      if (verdict.to_do) record.status = TaskRecord::Status::to_do;
      hung = hung || verdict.timed_out;
      if (!verdict.failure) continue;
      check.status = Check::Status::failed;
      note_failure(*verdict.failure, is_hidden, files, shown, check);
      if (!is_hidden) check.input = case_text(c);
      return false;
    }
    check.status = Check::Status::passed;
    return true;
  };

  // What it kept of another task's hidden runs would be told where a public one fails, and what it keeps of
  // these by a count.
  runner.renew();
  const std::vector<Case> publics = public_cases(task);
  const std::vector<HiddenKind>& kinds = hidden_kinds(problem, rung);

  CountedRuns counted;
  auto limit = task.limits.begin();
  for (Check& check : record.checks) {
    check.reason.clear();
    if (record.status == TaskRecord::Status::to_do) {
      check.reason = "the task is to do";  // settle() says so of all
    } else if (hung) {
      check.reason = "an earlier check did not end";
    } else if (const std::optional<Step> step = step_of(task, check, publics, kinds)) {
      if (check.kind == Check::Kind::public_cases && !right) {
        check.status = Check::Status::failed;
        check.happened = "it is wrong where blocks and tiles fit, which is above";
      } else if (!run_cases(check, step->cases) && step->limits_need_it) {
        right = false;
      }
    } else if (check.kind == Check::Kind::hidden_cases) {
      check.reason = "hidden sizes are run when it is graded";
    } else if (!right) {
      check.reason = "not measured, because a check above failed";
    } else {
      if (counted.known.empty()) runner.renew();
      run_limit(task, *limit, check, runner, counted);
    }
    if (check.kind == Check::Kind::limit) ++limit;
  }
  take_back_limits(counted.why_void, record);
  record.notice = problem.copies_asynchronously() ? "" : counted.idle_kernels();
  settle(task, record);
  return record;
}

}  // namespace warplab
