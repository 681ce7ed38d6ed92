#include "runner/run_labs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/timer.hpp"
#include "harness/results/results.hpp"
#include "runner/child.hpp"
#include "runner/lab_build.hpp"
#include "runner/lab_outcome.hpp"
#include "runner/next_command.hpp"
#include "runner/run_folder.hpp"
#include "runner/run_results.hpp"
#include "runner/run_table.hpp"

namespace warplab::runner {
namespace {

namespace fs = std::filesystem;

constexpr int exit_interrupted = 130;

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

void complain(const std::string& line) { std::fprintf(stderr, "run_all.sh: %s\n", line.c_str()); }

/// How many rungs a lab's results call right.
std::string verified_text(const LabOutcome& outcome) {
  if (!outcome.results) return "";
  const report::Run run = report::run_of(*outcome.results, outcome.lab);
  const auto count = std::ranges::count_if(run.rows, [](const report::Row& row) {
    return row.is_rung() && row.status == RungStatus::ok && row.verified;
  });
  return fmt::format("{} verified, ", count);
}

std::string outcome_text(const LabOutcome& outcome, double seconds) {
  if (!outcome.build.is_runnable) return "NOT BUILT: see the compiler's errors";
  if (outcome.status() == RungStatus::ok)
    return fmt::format("ok, {}{:.0f} s", verified_text(outcome), seconds);
  if (outcome.status() == RungStatus::unavailable) return outcome.why();
  return "FAILED: " + (outcome.is_complete() ? "see the table" : outcome.why());
}

/// Builds a lab and runs it, and says so in a line.
LabOutcome take(const RunOptions& options, const RunFolder& folder, std::size_t index) {
  const std::string& lab = options.labs[index];
  const std::string name = fmt::format("[{}/{}] {:<16}", index + 1, options.labs.size(), lab);
  const bool is_terminal = isatty(STDOUT_FILENO);  // ninja shows its progress there
  if (!is_terminal) {
    std::fputs(name.c_str(), stdout);
    std::fflush(stdout);
  }
  const LabBuild build = build_lab(options, lab);
  const HostTimer timer;
  const LabOutcome outcome = run_lab(options, folder, lab, build);
  const std::string built = build.seconds < 5 ? "" : fmt::format(" (built in {:.0f} s)", build.seconds);
  say((is_terminal ? name : "") + outcome_text(outcome, timer.elapsed_ms() / 1000) + built);
  return outcome;
}

/// A page of the run, which keeps its results where that fails.
void write_page(const RunOptions& options, const RunFolder& folder, const std::string& page,
                const std::vector<std::string>& more) {
  Command command{{options.program("warplab-results"), "report", folder.gathered(), "--out",
                   folder.gathered() / page, "--name", folder.destination().filename()},
                  "/dev/null",
                  {}};
  command.words.insert(command.words.end(), more.begin(), more.end());
  if (!run_child(command).is_success()) complain(page + " could not be written");
}

/// Writes the results of what ran, and prints them as one table.
report::Run write_results(const RunOptions& options, const RunFolder& folder,
                          const std::vector<LabOutcome>& outcomes) {
  RunInfo info = describe_run(0, nullptr, DeviceInfo{});
  info.command = options.command;
  const report::Json results = merged_results(info, options.backend, outcomes);
  const fs::path file = folder.gathered() / "results.json";
  write_file_atomically(file, results.dump(2, ' ', false, report::Json::error_handler_t::replace) + "\n");
  write_file_atomically(folder.gathered() / "results.csv", merged_csv(options.backend, outcomes));
  report::Run run = report::run_of(results, file);
  const std::string table = run_table(run);
  write_file_atomically(folder.gathered() / "table.txt", table);
  say("\n" + table);
  return run;
}

/// Puts the results in their place, and says where they are and what to do next.
void conclude(const RunOptions& options, RunFolder& folder, const std::vector<LabOutcome>& outcomes) {
  const report::Run run = write_results(options, folder, outcomes);
  std::error_code none;
  fs::remove(folder.gathered() / "pictures", none);  // only where it is empty
  if (fs::exists(options.program("warplab-results"))) {
    write_page(options, folder, "report.html", {});
    if (options.suite == "published") write_page(options, folder, "published.html", {"--published"});
  }
  folder.publish();

  const fs::path& at = folder.destination();
  say(fmt::format("results: {}/results.json, results.csv and what each program printed", at.string()));
  for (const auto& [what, file] :
       std::array<std::array<const char*, 2>, 3>{{{"report", "report.html"},
                                                  {"published and measured", "published.html"},
                                                  {"pictures", "pictures"}}})
    if (fs::exists(at / file)) say(fmt::format("{}: {}", what, (at / file).string()));
  say("next: " + next_command(options, outcomes, run));
}

/// The worst of the labs' exit codes.
int worst(const std::vector<LabOutcome>& outcomes) {
  for (const int code : {exit_fault, exit_check_failed, exit_not_available})
    if (std::ranges::any_of(outcomes, [&](const LabOutcome& one) { return one.exit_code() == code; }))
      return code;
  return exit_ok;
}

}  // namespace

int run_labs(const RunOptions& options) {
  RunFolder folder(options.out);
  fs::create_directory(folder.gathered() / "pictures");
  std::vector<LabOutcome> outcomes;
  try {
    while (outcomes.size() < options.labs.size()) outcomes.push_back(take(options, folder, outcomes.size()));
    if (!build_target(options, "warplab_results")) fs::remove(options.program("warplab-results"));
  } catch (const Interrupted&) {
    // On a cluster the time limit of a job ends here: what was measured stays.
    if (outcomes.empty()) throw;
    ignore_interrupts();
    const std::string where =
        outcomes.size() < options.labs.size() ? " in " + options.labs[outcomes.size()] : "";
    std::printf("\n");
    conclude(options, folder, outcomes);
    complain("interrupted" + where + "; what ran before was written");
    return exit_interrupted;
  }
  ignore_interrupts();
  conclude(options, folder, outcomes);
  return worst(outcomes);
}

int run_tests(const RunOptions& options) {
  say("building the tests");
  const bool is_built = build_target(options, "");
  Command tests{
      {"ctest", "--preset", options.backend, "-j", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))}, {}, {}};
  if (options.tests == RunOptions::Tests::standard)
    tests.words.insert(tests.words.end(), {"-LE", "[.]long$"});
  if (options.are_labs_chosen) {
    std::string labs;
    for (const std::string& lab : options.labs) labs += (labs.empty() ? "" : "|") + lab;
    tests.words.insert(tests.words.end(), {"-L", "^(" + labs + ")[.]"});
  }
  if (!run_child(tests).is_success() || !is_built) {
    complain("not everything passed (see above)");
    return exit_check_failed;
  }
  say("next: ./run_all.sh");
  return exit_ok;
}

}  // namespace warplab::runner
