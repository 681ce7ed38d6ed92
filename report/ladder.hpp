#pragma once

#include <string>

#include "report/results/run_file.hpp"

namespace warplab::report {

/// A handout with the table below its mark `<!-- ladder -->` filled in: for each rung that the table names,
/// what the lens counted and how fast a device ran it. The table's last column, and its order of rungs, are
/// the author's and stay. A mark such as `<!-- ladder: side 3, filters 1; side 81, filters 8 -->` has a
/// column of times for each of these cases instead of a rate, and a dash where a rung does not run.
/// @param counts a run with the lens; @param times one on a GPU. Of each rung the
/// largest case counts
/// @throws BadInput if the handout has no such table, or a rung of it was not measured
std::string with_ladder(const std::string& handout, const std::string& lab, const Run& counts,
                        const Run& times);

}  // namespace warplab::report
