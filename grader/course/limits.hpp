#pragma once

#include <string>
#include <vector>

#include "harness/problem/problem.hpp"
#include "harness/rung/rung_request.hpp"
#include "lens/report.hpp"

namespace warplab {

/// Something that can be bounded: a ratio or a number that one run's counts give.
struct LimitMeasure {
  const char* name;  ///< as tasks.json names it: "moved"
  const char* what;  ///< for people: "bytes moved, against those that must move"
};

/// All of them. None is sectors per request, which would punish wide loads.
const std::vector<LimitMeasure>& limit_measures();
const LimitMeasure* find_measure(const std::string& name);

/// What value_of() gives where a run had none of what a measure is of, and should have: above any limit.
constexpr double unmeasured = 1e9;

/// What one run took, by the measure's name.
/// @param launches all of the run, every block recorded
/// @throws std::invalid_argument for a measure that does not exist
double value_of(const std::string& measure, const std::vector<lens::Launch>& launches, const Problem& problem,
                const Case& c);

/// The absolute value of a figure that the problem computes from the outputs of one run.
/// @throws std::invalid_argument for a figure that the problem does not have at this case
double value_of_figure(const std::string& figure, const Problem& problem, const Case& c,
                       const std::vector<HostArray>& outputs);

/// Whether the busiest warps took more steps than `most`, added up over launches: a sentence, or "". One warp
/// that does all may meet every other limit.
std::string done_by_few(double most, const std::vector<lens::Launch>& launches);

/// Whether a launcher has copied and filled device memory more often than honest ones do: a sentence, or "".
std::string moved_by_copies(const LaunchCounts& counts);

/// Whether counts are fewer than the problem compels, which no honest run's are: a sentence, or "".
std::string implausible(const std::vector<lens::Launch>& launches, const Problem& problem, const Case& c);

}  // namespace warplab
