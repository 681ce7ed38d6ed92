#include "lens/pictures/map_panel.hpp"

#include <fmt/format.h>

#include "lens/text/request_text.hpp"
#include "lens/text/source_text.hpp"

namespace warplab::lens {

double draw_head(Svg& drawing, const RequestSample& sample, const std::string& place,
                 const std::string& source, const std::string& kernel) {
  constexpr double box = 22, top = 96;
  // A character of code is at most 8 pixels wide at this size, one of prose less.
  drawing.text(layout::left, 22, cut(source.empty() ? place : place + "   " + source, 112), "code");
  const std::string verdict =
      sample.cost > sample.ideal ? fmt::format(" where {} would do", sample.ideal) : ", as few as can be";
  drawing.text(layout::left, 46, request_text(sample) + verdict, "verdict");
  drawing.text(layout::left, 66,
               cut(fmt::format("warp {} of block ({}, {}, {}) of {}", sample.warp, sample.block[0],
                               sample.block[1], sample.block[2], kernel),
                   120),
               "faint");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const bool on = sample.mask >> lane & 1;
    drawing.rect(layout::left + lane * layout::pitch + 2, top - box, layout::pitch - 4, box,
                 on ? "lane-box" : "lane-box-off", 3);
    drawing.text(layout::lane_center(lane), top - 7, std::to_string(lane), on ? "lane" : "lane-off",
                 "middle");
  }
  drawing.text(layout::left - 8, top - 7, "lane", "faint", "end");
  return top;
}

double draw_key(Svg& drawing, double x, double y, const std::string& style, const std::string& meaning) {
  drawing.rect(x, y - 10, 12, 12, style, 2);
  drawing.text(x + 18, y, meaning, "faint");
  return x + 18 + 6.8 * static_cast<double>(meaning.size()) + 16;
}

}  // namespace warplab::lens
