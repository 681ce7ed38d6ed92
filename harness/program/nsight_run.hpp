#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/host/case.hpp"
#include "harness/program/options.hpp"
#include "lens/report.hpp"

namespace warplab {

/// One call to be counted: a rung that was right at this case.
struct ProfiledCall {
  std::string rung;
  Case problem_case;
};

/// What Nsight Compute counted of one call of a rung, or why it did not.
struct NsightOutcome {
  std::optional<std::vector<lens::Launch>> launches;
  std::string why;
};

/// Runs this program again under Nsight Compute, which counts one verified call of each. All share one start,
/// which takes longer than most kernels; each call that this start does not come to gets one of its own.
/// @return as many, in the same order
std::vector<NsightOutcome> profile_with_nsight(const std::vector<ProfiledCall>& calls,
                                               const Options& options);

/// @throws NotAvailable with the way to get it, where Nsight Compute is not installed
void require_nsight();

/// Whether profile_with_nsight started this program.
bool has_calls_to_profile();

/// Runs what this program was started for, each call in an NVTX range of its own, until one is not right.
/// @param is_right runs a rung once, bracketed for the profiler
/// @return whether all were right
bool run_calls_to_profile(const std::function<bool(const ProfiledCall&)>& is_right);

/// Whether somebody profiles this program (WARPLAB_PROFILE_CALLS=1): each rung's first call at each case is
/// then bracketed, for `ncu --profile-from-start off`.
bool is_under_profiler();

}  // namespace warplab
