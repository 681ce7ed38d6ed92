#pragma once

#include <string>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

/// Whether a kernel launched another: then there is a tree to draw.
bool has_tree(const std::vector<Launch>& launches);

/// The launch by the host that most launches follow from.
/// @pre has_tree(launches)
const Launch& root_of_largest_tree(const std::vector<Launch>& launches);

/// "8,193 launches from kernels, 31 deep, at most 2,048 of them waiting": the largest tree of these launches.
/// @pre has_tree(launches)
std::string tree_text(const std::vector<Launch>& launches);

}  // namespace warplab::lens
