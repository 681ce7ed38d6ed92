#pragma once

#include <string>
#include <vector>

#include "report/results/run_file.hpp"

namespace warplab::report {

/// The rungs that ran the same input.
struct CaseGroup {
  std::string text;  ///< "4096x4096 int, side 9"
  std::vector<const Row*> rows;
};

/// A lab's part of a run.
struct LabView {
  std::string lab;
  std::vector<const Row*> rows, ceilings;  ///< rungs and peers; and what bounds them
  std::vector<std::string> rungs;          ///< each name once: its number in charts is its place here, from 1
  std::vector<std::string> rung_params;    ///< parameters that belong to a rung, not to its input
  std::vector<CaseGroup> cases;

  /// The case with most rungs, and of those the largest.
  const CaseGroup& main_case() const;
  /// What the lab is judged by at a glance: the largest case that half as many rungs ran, since small ones
  /// show what a launch takes.
  const CaseGroup& headline_case() const;
  std::size_t number_of(const std::string& rung) const;  ///< from 1
  /// "tiled 32x8, balance 0.5"
  std::string label(const Row& row) const;
};

/// @pre the run has rungs or peers of that lab; the view points into the run
LabView view_of(const Run& run, const std::string& lab);

/// "1024x1024 int, side 9, filters 8": the input of a row.
std::string case_text(const LabView& view, const Row& row);

/// What a group's rungs are rated in: GFLOP/s where multiply-adds bound most of them, else GB/s.
std::string rate_unit(const CaseGroup& group);

/// A row's rate in that unit.
std::optional<double> rate_of(const Row& row, const std::string& unit);

}  // namespace warplab::report
