#pragma once

#include <string>
#include <vector>

#include "report/comparison/comparison.hpp"

namespace warplab::report {

/// The page of a comparison: what became slower first, then every lab.
std::string comparison_page(const std::vector<Run>& runs, const Comparison& comparison);

}  // namespace warplab::report
