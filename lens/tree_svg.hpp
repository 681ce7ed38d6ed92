#pragma once

#include <string>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

/// Whether a kernel launched another: then there is a tree to draw.
bool has_tree(const std::vector<Launch>& launches);

/// "8,193 launches from kernels, 31 deep, at most 2,048 of them waiting": the largest tree of these launches.
/// @pre has_tree(launches)
std::string tree_text(const std::vector<Launch>& launches);

/// A picture of the largest tree of launches: each launch under the one that made it, where there is room,
/// and how many launches and threads each level has. Follows the reader's light or dark mode.
/// @pre has_tree(launches)
std::string tree_svg(const std::vector<Launch>& launches);

}  // namespace warplab::lens
