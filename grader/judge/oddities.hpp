#pragma once

#include <map>
#include <string>
#include <vector>

#include "lens/report.hpp"

namespace warplab {

// What an instructor may want to look at. None of it changes points.

/// Where files hold what a reader does not see: characters without a shape or that turn text around, and code
/// far beyond the right margin. A sentence, or "".
/// @param files texts by name
std::string hidden_in(const std::map<std::string, std::string>& files);

/// The kernels of a run that stored nothing: decoys, or launches of nothing. A sentence, or "".
/// @param launches all of the run, every block recorded
std::string idle_kernels_of(const std::vector<lens::Launch>& launches);

}  // namespace warplab
