#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/case.hpp"
#include "common/options.hpp"
#include "emulator/lens/report.hpp"

namespace warplab {

/// What Nsight Compute counted of one call of a rung, or why it did not.
struct NsightOutcome {
  std::optional<std::vector<lens::Launch>> launches;
  std::string why;
};

/// Runs this program again under Nsight Compute, for one verified call of one rung.
NsightOutcome profile_with_nsight(const std::string& lab, const std::string& rung, const Case& c,
                                  const Options& options);

/// The case that this program was started for by profile_with_nsight; nothing where it was started by anybody
/// else.
std::optional<Case> case_to_profile();

}  // namespace warplab
