#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/rung/rung_request.hpp"
#include "report/results/run_file.hpp"
#include "runner/child.hpp"
#include "runner/lab_build.hpp"
#include "runner/run_folder.hpp"

namespace warplab::runner {

/// The result of a lab: built, run, and what it measured.
struct LabOutcome {
  std::string lab;
  LabBuild build;
  Ending ending;                        ///< of its program, if it was built
  std::string last_words;               ///< the last line of its errors
  std::optional<report::Json> results;  ///< its results.json
  std::string csv;                      ///< its results.csv, or ""

  /// What run_all.sh ends with for this lab by itself.
  int exit_code() const;
  /// ok, unavailable, not_built or failed.
  RungStatus status() const;
  /// For people: why it is not "ok".
  std::string why() const;
  /// Whether its results are there to the end.
  bool is_complete() const;
};

/// Runs the program of a lab that was built. What it prints is kept in files `.out` and `.err`, if there is
/// any, that are named by lab, group, profile and number; pictures are in the folder pictures/.
/// @throws Interrupted, after removing what the lab left
LabOutcome run_lab(const RunOptions& options, const RunFolder& folder, const std::string& lab,
                   const LabBuild& build);

}  // namespace warplab::runner
