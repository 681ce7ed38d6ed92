#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

/// What the map shows, and how much of it.
struct MapOptions {
  std::size_t max_panels = 6;
  std::optional<int> line;  ///< only this line of the source
};

/// A picture of the worst requests of the launches, one panel for each line and kind of access, the costliest
/// first: which addresses the 32 lanes touch, by sector (global memory) or bank (shared memory). Follows the
/// reader's light or dark mode.
/// @return the text of an SVG file; where nothing was recorded that could be drawn, it says so
std::string map_svg(const std::vector<Launch>& launches, const MapOptions& options = {});

}  // namespace warplab::lens
