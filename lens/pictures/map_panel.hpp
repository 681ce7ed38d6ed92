#pragma once

#include <string>

#include "lens/pictures/svg.hpp"
#include "lens/report.hpp"

namespace warplab::lens {

/// Where the parts of a panel are, in pixels: 32 lanes side by side, with a margin
/// for what is written beside them.
namespace layout {
constexpr double width = 1000, left = 68, pitch = 28, lanes_width = 32 * pitch, right = left + lanes_width;
constexpr double lane_center(unsigned lane) { return left + (lane + 0.5) * pitch; }
}  // namespace layout

/// One request of one warp, drawn.
struct Panel {
  Svg drawing;
  double height = 0;
};

/// The lanes above global memory: 128-byte lines of four sectors, from left to right by address; lines that
/// no lane touches are left out.
/// @param place "transpose_naive.cu:27", @param source the line's text, @param kernel its name
Panel global_panel(const RequestSample& sample, const std::string& place, const std::string& source,
                   const std::string& kernel);

/// The lanes above the 32 banks of shared memory, with a row for each wavefront: who is served when.
Panel shared_panel(const RequestSample& sample, const std::string& place, const std::string& source,
                   const std::string& kernel);

/// The head that both kinds have: place, source, what it cost, which warp. @return
/// where the lanes' lower edge is
double draw_head(Svg& drawing, const RequestSample& sample, const std::string& place,
                 const std::string& source, const std::string& kernel);

/// A coloured box and what it means. @return where the next one may start
double draw_key(Svg& drawing, double x, double y, const std::string& style, const std::string& meaning);

}  // namespace warplab::lens
