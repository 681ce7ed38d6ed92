#pragma once

#include <string>

#include "report/results/run_file.hpp"

namespace warplab::runner {

/// The table of a run, a line per rung and input, and below it why rungs are not right and what the lens
/// found.
std::string run_table(const report::Run& run);

}  // namespace warplab::runner
