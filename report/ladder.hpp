#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warplab {

/// A handout with the table below its mark `<!-- ladder -->` filled in: for each rung that the table names,
/// what the lens counted and how fast a device ran it. The table's last column, and its order of rungs, are
/// the author's and stay. A mark such as `<!-- ladder: side 3, filters 1; side 81, filters 8 -->` has a
/// column of times for each of these cases instead of a rate, and a dash where a rung does not run.
/// @param counts results.json of a run with the lens; @param times that of a run on a GPU. Of each rung the
/// largest case counts
/// @throws std::invalid_argument if the handout has no such table, or a rung of it was not measured
std::string with_ladder(const std::string& handout, const std::string& lab,
                        const nlohmann::ordered_json& counts, const nlohmann::ordered_json& times);

}  // namespace warplab
