#pragma once

#include <string>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

/// A picture of the largest tree of launches: each launch under the one that made it, where there is room,
/// and how many launches and threads each level has. Follows the reader's light or dark mode.
/// @pre has_tree(launches)
std::string tree_svg(const std::vector<Launch>& launches);

}  // namespace warplab::lens
