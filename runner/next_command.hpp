#pragma once

#include <string>
#include <vector>

#include "report/results/run_file.hpp"
#include "runner/lab_outcome.hpp"
#include "runner/run_options.hpp"

namespace warplab::runner {

/// The command to try after a run: to repair what failed, else what the lens found, else to write the first
/// exercise that is to do, else to look closer at a lab that ran.
std::string next_command(const RunOptions& options, const std::vector<LabOutcome>& outcomes,
                         const report::Run& run);

}  // namespace warplab::runner
