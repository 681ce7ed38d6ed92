#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// What a handout's section Tasks says that its tasks are worth: an item reads "1. **A tile (15 points):**".
std::vector<double> points_in_handout(std::string_view handout);

/// The handout with other points for its tasks, in their order, and their sum in its heading "## Tasks (100
/// points)"; as it is where it has another number of tasks. A task without points is dropped: its item reads
/// "1. **A tile (15 points; not in this term):**".
std::string with_points(std::string_view handout, const std::vector<std::optional<double>>& points);

}  // namespace warplab
