#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/results/run_file.hpp"

namespace warplab::report {

/// How a measurement changed from the first run to a later one.
enum class Change {
  faster,
  slower,
  same,
  cannot_tell,  ///< the intervals overlap and are wide, or a run has too few samples for one
  broken,       ///< right in the first run, no longer so in the later
  mended,       ///< the other way round
  fewer,        ///< counts of the lens, which have no noise
  more,
  absent  ///< not measured in one of the two
};

/// "slower", "cannot tell".
const char* name_of(Change change);

/// Runs of the same code on the same machine differ by more than the intervals within each say, as clocks and
/// temperatures do. Medians that are nearer than this share are the same.
inline constexpr double min_change = 0.02;

/// A rung at one input in all runs.
struct Compared {
  std::string lab, rung, input;
  std::vector<const Row*> rows;               ///< one for each run; null where it is absent
  std::vector<Change> changes;                ///< one for each run after the first
  std::vector<std::optional<double>> ratios;  ///< of times, or of counts, to the first run's
};

/// Several runs, row by row.
struct Comparison {
  std::vector<Compared> rows;  ///< in the first run's order; what only later runs have at the end
  int count(Change change) const;
};

/// Slower and faster are said where the medians' 95 % intervals are apart and the medians
/// differ by at least `min_change`.
Change change_of(const Row* first, const Row* later);

/// @pre at least two runs; the comparison points into them
Comparison compare(const std::vector<Run>& runs);

/// "3 slower, 1 faster, 40 the same"
std::string summary_of(const Comparison& comparison);

}  // namespace warplab::report
