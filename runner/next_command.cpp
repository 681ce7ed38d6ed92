#include "runner/next_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runner/lab_tree.hpp"

namespace warplab::runner {
namespace {

using report::Row;

const Row* first_with(const report::Run& run, RungStatus status) {
  const auto found = std::ranges::find(run.rows, status, &Row::status);
  return found == run.rows.end() ? nullptr : &*found;
}

/// The first lab of which something did not build, or "".
std::string lab_to_build(const std::vector<LabOutcome>& outcomes) {
  for (const LabOutcome& outcome : outcomes)
    if (!outcome.build.is_runnable || !outcome.build.broken_rungs.empty()) return outcome.lab;
  return "";
}

}  // namespace

std::string next_command(const RunOptions& options, const std::vector<LabOutcome>& outcomes,
                         const report::Run& run) {
  const auto program = [&](const std::string& lab) { return options.program(lab).string(); };
  if (const std::string lab = lab_to_build(outcomes); !lab.empty())
    return fmt::format("cmake --build --preset {} --target {}", options.backend, lab);
  if (const Row* row = first_with(run, RungStatus::failed))
    return row->rung.empty() ? program(row->lab) : program(row->lab) + " --rung " + row->rung;
  for (const Row& row : run.rows)
    if (row.status == RungStatus::ok && !row.findings().empty())
      return program(row.lab) + " --rung " + row.rung + " --lens";
  if (const Row* row = first_with(run, RungStatus::todo)) {
    const std::optional<Exercise> exercise = exercise_of(row->lab, row->rung);
    if (!exercise) return program(row->lab) + " --rung " + row->rung;
    return fmt::format("./run_all.sh --labs {}  # once you have written {} (task {} of {})", row->lab,
                       exercise->file.string(), exercise->id, handout_of(row->lab).string());
  }
  for (const Row& row : run.rows)
    if (!row.rung.empty() && exercise_of(row.lab, ""))
      return fmt::format("{} --list  # its rungs; {} has the tasks", program(row.lab),
                         handout_of(row.lab).string());
  return "./run_all.sh --tests";
}

}  // namespace warplab::runner
