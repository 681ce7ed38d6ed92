#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/host/case.hpp"
#include "harness/program/options.hpp"
#include "lens/report.hpp"

namespace warplab {

/// What Nsight Compute counted of one call of a rung, or why it did not.
struct NsightOutcome {
  std::optional<std::vector<lens::Launch>> launches;
  std::string why;
};

/// Runs this program again under Nsight Compute, for one verified call of one rung.
NsightOutcome profile_with_nsight(const std::string& rung, const Case& c, const Options& options);

/// @throws NotAvailable with the way to get it, where Nsight Compute is not installed
void require_nsight();

/// The case that this program was started for by profile_with_nsight; nothing where
/// it was started by anybody else.
std::optional<Case> case_to_profile();

/// Whether somebody profiles this program (WARPLAB_PROFILE_CALLS=1): each rung's first call at each case is
/// then bracketed, for `ncu --profile-from-start off`.
bool is_under_profiler();

}  // namespace warplab
