#include "harness/program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/image_file.hpp"
#include "common/launch_shape.hpp"
#include "common/timer.hpp"
#include "harness/console/case_text.hpp"
#include "harness/console/progress.hpp"
#include "harness/console/report_errors.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/program/lab_run.hpp"
#include "harness/program/nsight_run.hpp"
#include "harness/program/options.hpp"
#include "harness/program/table.hpp"
#include "harness/results/lens_report.hpp"
#include "harness/results/results.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"

namespace warplab {

namespace {

constexpr double save_interval_ms = 1000;

/// One row to take.
struct Job {
  const Rung* rung;
  Case problem_case;
  std::optional<Published> published;
};

bool wanted(const Options& options, const std::string& rung) {
  return options.rungs.empty() ||
         std::find(options.rungs.begin(), options.rungs.end(), rung) != options.rungs.end();
}

std::vector<Job> published_jobs(const Problem& problem, const Options& options) {
  std::vector<Job> jobs;
  for (const Experiment& e : problem.experiments()) {
    if (!wanted(options, e.rung) || (!options.table.empty() && e.table != options.table)) continue;
    const Rung* const rung = problem.find_rung(e.rung);
    if (!rung)
      throw std::logic_error("an experiment of " + problem.lab() + " names the rung " + e.rung +
                             ", which does not exist");
    Case c = e.problem_case;
    if (options.seed) c.seed = *options.seed;
    jobs.push_back({rung, problem.for_rung(c, *rung), Published{e.table, e.label, e.note, e.published}});
  }
  return jobs;
}

/// Every case of the sweep for each rung that takes its type and its block.
std::vector<Job> sweep_jobs(const Problem& problem, const Options& options) {
  std::vector<Job> jobs;
  for (Case c : problem.sweep()) {
    if (options.seed) c.seed = *options.seed;
    for (const Rung& rung : problem.rungs()) {
      if (!wanted(options, rung.name)) continue;
      if (std::find(rung.dtypes.begin(), rung.dtypes.end(), c.dtype) == rung.dtypes.end()) continue;
      if (c.block && !rung.takes_block) continue;
      if (options.rungs.empty() &&
          (backend == Backend::emulator ? !rung.peer_of.empty() : !problem.runs_by_itself(c, rung)))
        continue;
      jobs.push_back({&rung, problem.for_rung(c, rung), std::nullopt});
    }
  }
  return jobs;
}

/// The cases to run each rung at: the lab's own, or the one that the command line describes.
std::vector<Case> cases_to_run(const Problem& problem, const Options& options, const HostArray* input,
                               Replacements& replacements) {
  const std::vector<std::string> names = problem.size_names();
  std::vector<Case> cases = problem.default_cases(backend);
  if (options.size || input) cases = {problem.default_case(backend)};
  for (Case& c : cases) {
    if (input) problem.command_line().adopt_input(c, *input);
    if (options.size)
      for (std::size_t i = 0; i < names.size(); ++i) c.extent(names[i]) = (*options.size)[i];
    if (options.seed) c.seed = *options.seed;
    c.block = options.block ? options.block : c.block;
    c.grid = options.grid ? options.grid : c.grid;
    if (options.dtype) c.dtype = *options.dtype;
    problem.command_line().configure(c, options.lab, replacements);
  }
  // Cases that differed in what the command line sets are now the same.
  for (auto c = cases.begin(); c != cases.end();) {
    const bool again =
        std::any_of(c + 1, cases.end(), [&](const Case& later) { return case_text(later) == case_text(*c); });
    c = again ? cases.erase(c) : c + 1;
  }
  return cases;
}

std::vector<Job> default_jobs(const Problem& problem, const Options& options, const HostArray* input,
                              Replacements& replacements) {
  // Nsight Compute takes seconds for each call, and what it counts for one element it counts for all.
  const bool once_each = options.lens && backend == Backend::cuda && !options.size && !input;
  std::vector<Job> jobs;
  for (const Case& c : cases_to_run(problem, options, input, replacements))
    for (const Rung& rung : problem.rungs()) {
      if (!wanted(options, rung.name)) continue;
      if (!rung.peer_of.empty() && backend == Backend::emulator && options.rungs.empty()) continue;
      if (options.rungs.empty() && !options.size && !input && options.lab.empty() &&
          !problem.runs_by_itself(c, rung))
        continue;
      Job job{&rung, problem.for_rung(c, rung), std::nullopt};
      const bool takes = std::find(rung.dtypes.begin(), rung.dtypes.end(), c.dtype) != rung.dtypes.end();
      if (!takes && !options.dtype && !input && !rung.dtypes.empty())
        job.problem_case.dtype = rung.dtypes.front();
      job.problem_case = problem.for_rung(job.problem_case, rung);
      // Two cases that differ only in their type are one for a rung that takes neither.
      const auto is_the_same = [&](const Job& other) {
        return other.rung == &rung &&
               (once_each || case_text(other.problem_case) == case_text(job.problem_case));
      };
      if (std::none_of(jobs.begin(), jobs.end(), is_the_same)) jobs.push_back(job);
    }
  return jobs;
}

/// A case that is too large for this machine is a row that says so; one that the user asked for is bad input.
Measurement take(LabRun& lab, const Job& job, bool asked_for) {
  try {
    return lab.measure(*job.rung, job.problem_case);
  } catch (const BadInput& error) {
    if (asked_for) throw;
    Measurement m = lab.describe(*job.rung, job.problem_case);
    m.status = RungStatus::unavailable;
    m.why = error.what();
    m.not_measured["lens"] = "the rung did not run";
    return m;
  }
}

/// The exit code of a finished run: what the user asked for by name must have run.
int verdict(const std::vector<Measurement>& measurements, const Options& options) {
  const auto count = [&](RungStatus status) {
    return std::count_if(measurements.begin(), measurements.end(), [status](const Measurement& m) {
      return m.role != "ceiling" && m.status == status;
    });
  };
  if (count(RungStatus::failed) + count(RungStatus::not_built)) return exit_check_failed;
  if (!finding_lines(measurements).empty()) return exit_check_failed;
  const bool something_ran = count(RungStatus::ok) + count(RungStatus::todo) > 0;
  const bool by_name = !options.rungs.empty() && !options.published_suite && !options.sweep_suite;
  if (count(RungStatus::refused) && (by_name || !something_ran)) return exit_bad_input;
  if (options.lens &&
      std::none_of(measurements.begin(), measurements.end(),
                   [](const Measurement& m) { return m.lens.has_value(); }) &&
      count(RungStatus::ok))
    return exit_not_available;
  if (count(RungStatus::unavailable) && (by_name || !something_ran)) return exit_not_available;
  return exit_ok;
}

/// What --input names, where it was given.
Replacements files_of(const Problem& problem, const Options& options, std::optional<DType> dtype) {
  Replacements replacements;
  if (!options.input.empty()) replacements[0] = problem.command_line().read_input(options.input, dtype);
  return replacements;
}

/// Writes the pictures of what was measured last, each name once.
void write_pictures(const Problem& problem, const LabRun& lab, const Case& c,
                    const std::filesystem::path& folder, std::set<std::string>& written) {
  for (const Picture& picture : problem.command_line().pictures(c, lab.inputs(), lab.last_outputs()))
    if (written.insert(picture.name).second)
      write_image(folder / (problem.lab() + "-" + picture.name + ".png"), picture.image);
}

/// What this program does under a profiler: see profile_with_nsight.
int profile(const Problem& problem, Options options) {
  options.in_process = true;
  LabRun lab(problem, options);
  const auto is_right = [&](const ProfiledCall& call) {
    Case c = call.problem_case;
    Replacements replacements = files_of(problem, options, c.dtype);
    problem.command_line().configure(c, options.lab, replacements);
    lab.replace_inputs(std::move(replacements));
    const Measurement m = lab.profile(*problem.find_rung(call.rung), call.problem_case);
    if (!m.verified) std::fprintf(stderr, "%s: %s\n", m.rung.c_str(), m.why.c_str());
    return m.verified;
  };
  return run_calls_to_profile(is_right) ? exit_ok : exit_check_failed;
}

/// On the emulator the lens watches instrumented builds.
void require_instrumented(const Problem& problem) {
  if (std::ranges::none_of(problem.rungs(),
                           [&](const Rung& rung) { return is_built_for_lens(problem.lab(), rung.name); }))
    throw NotAvailable(
        "--lens needs the instrumented builds of this lab: "
        "cmake --build --preset emulator --target " +
        problem.lab());
}

/// Refuses before anything runs what could not be done after it.
void check_wishes(const Problem& problem, const Options& options) {
  if (options.lens && backend == Backend::cuda) require_nsight();
  if (options.lens && backend == Backend::emulator) require_instrumented(problem);
  if (!options.lens_map.empty() && backend == Backend::cuda)
    throw NotAvailable("--lens-map draws addresses, which no GPU reports: build the preset emulator for it");
  if (!options.lens_tree.empty() && backend == Backend::cuda)
    throw NotAvailable(
        "--lens-tree draws launches from kernels, which no GPU reports: build the preset emulator for it");
  if (options.lens_only && backend == Backend::cuda)
    throw NotAvailable(
        "--lens-only runs some blocks of a launch, which no GPU does: build the preset emulator for it");
  for (const std::string& path :
       {options.json, options.csv, options.output, options.lens_map, options.lens_tree})
    if (!path.empty()) check_writable(path);
  if (!options.output.empty()) problem.command_line().check_output_path(options.output);
  if (!options.pictures.empty() && !std::filesystem::is_directory(options.pictures))
    throw BadInput("--pictures " + options.pictures + " is not a folder");
}

Table table_of(const std::vector<Job>& jobs, bool emulator) {
  std::size_t widest_rung = 22, widest_size = 4;
  for (const Job& job : jobs) {
    widest_rung = std::max(widest_rung, job.rung->name.size());
    widest_size = std::max(widest_size, size_text(job.problem_case).size());
  }
  return Table(emulator, widest_rung, widest_size);
}

/// Prints rows as they are taken, and keeps them.
class Rows {
 public:
  Rows(const Options& options, Table table, RunInfo run) : options_(options), table_(table), run_(run) {}

  void add(Measurement measurement, Progress& progress) {
    progress.clear();
    std::fputs(table_.row(measurement).c_str(), stdout);
    std::fflush(stdout);
    taken_.push_back(std::move(measurement));
  }
  /// A batch system may end a long run at any time: what it measured until then is kept.
  void save_so_far() {
    if (options_.json.empty() || since_saved_.elapsed_ms() < save_interval_ms) return;
    run_.finished = false;
    write_file_atomically(options_.json, results_json(run_, taken_));
    since_saved_.reset();
  }
  void save() {
    run_.finished = true;
    if (!options_.json.empty()) write_file_atomically(options_.json, results_json(run_, taken_));
    if (!options_.csv.empty()) write_file_atomically(options_.csv, results_csv(taken_));
  }
  std::vector<Measurement>& taken() { return taken_; }

 private:
  const Options& options_;
  Table table_;
  RunInfo run_;
  std::vector<Measurement> taken_;
  HostTimer since_saved_;
};

/// @param is_asked_for whether the user described a job's case
void take_all(const Problem& problem, const Options& options, const std::vector<Job>& jobs, LabRun& lab,
              const std::function<bool(const Job&)>& is_asked_for, Rows& rows) {
  Progress progress(jobs.size());
  std::set<std::string> with_ceiling, pictures;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Case& c = jobs[i].problem_case;
    progress.show(i, jobs[i].rung->name);
    Measurement measurement = take(lab, jobs[i], is_asked_for(jobs[i]));
    measurement.published = jobs[i].published;
    const bool timed = measurement.time_ms.has_value();
    if (!options.pictures.empty() && measurement.verified)
      write_pictures(problem, lab, c, options.pictures, pictures);
    rows.add(std::move(measurement), progress);
    if (timed && with_ceiling.insert(size_text(c) + std::string(name_of(c.dtype))).second)
      if (auto ceiling = lab.ceiling(c)) rows.add(std::move(*ceiling), progress);
    rows.save_so_far();
  }
  progress.clear();
}

/// The lens's table, maps and trees.
void show_counts(const Options& options, const std::vector<Measurement>& measurements) {
  if (options.lens) std::fputs(lens_text(measurements).c_str(), stdout);
  std::fflush(stdout);
  if (!options.lens_map.empty())
    for (const std::filesystem::path& file : write_maps(options.lens_map, measurements))
      std::printf("drawn: %s\n", file.c_str());
  if (options.lens_tree.empty()) return;
  const std::vector<std::filesystem::path> files = write_trees(options.lens_tree, measurements);
  for (const std::filesystem::path& file : files) std::printf("drawn: %s\n", file.c_str());
  if (files.empty()) std::printf("nothing to draw: no kernel launched another\n");
}

/// Writes --output. @param code the exit code of the run
void write_output(const Problem& problem, const Options& options, const LabRun& lab, int code) {
  if (options.output.empty()) return;
  if (!lab.last_outputs().empty()) {
    problem.command_line().write_output(options.output, lab.last_outputs());
    return;
  }
  const std::string none = "--output " + options.output + ": no rung gave a verified output to write";
  if (code == exit_ok) throw BadInput(none);
  std::fprintf(stderr, "%s: %s\n", problem.lab().c_str(), none.c_str());
}

int run(const Problem& problem, int argc, const char* const* argv) {
  const Options options = parse_options(problem, argc, argv);
  if (options.help) return std::fputs(options.help_text.c_str(), stdout), exit_ok;
  if (options.list) return std::fputs(list_text(problem).c_str(), stdout), exit_ok;
  if (has_calls_to_profile()) return profile(problem, options);
  check_wishes(problem, options);

  Replacements replacements = files_of(problem, options, options.dtype);
  const HostArray* const input = replacements.contains(0) ? &replacements.at(0) : nullptr;
  const std::vector<Job> jobs = options.published_suite ? published_jobs(problem, options)
                                : options.sweep_suite   ? sweep_jobs(problem, options)
                                                        : default_jobs(problem, options, input, replacements);
  // Workers inherit it.
  if (options.blocks_down) setenv(blocks_down_variable, std::to_string(*options.blocks_down).c_str(), 1);
  LabRun lab(problem, options);
  lab.replace_inputs(replacements);
  const auto is_asked_for = [&](const Job& job) { return !job.published && (options.size || input); };
  for (const Job& job : jobs)
    if (is_asked_for(job)) lab.check(*job.rung, job.problem_case);
  if (jobs.empty())
    std::puts(options.sweep_suite ? "nothing to run: the sweep has no such row"
                                  : "nothing to run: no published table has such a row");

  const Table table = table_of(jobs, lab.device().emulator);
  if (!jobs.empty())
    std::fputs((problem.title() + "\n" + conditions_text(lab.device()) + "\n" + table.header()).c_str(),
               stdout);
  Rows rows(options, table, describe_run(argc, argv, lab.device()));
  take_all(problem, options, jobs, lab, is_asked_for, rows);
  if (options.lens && backend == Backend::cuda) {
    Progress progress(1);
    progress.show(0, "Nsight Compute counts");
    lab.count_with_nsight(rows.taken());
  }
  show_counts(options, rows.taken());
  rows.save();
  const int code = verdict(rows.taken(), options);
  write_output(problem, options, lab, code);
  std::fputs(finding_lines(rows.taken()).c_str(), stderr);
  return code;
}

}  // namespace

int run_program(const Problem& problem, int argc, const char* const* argv) {
  return report_errors(problem.lab(), [&] { return run(problem, argc, argv); });
}

}  // namespace warplab
