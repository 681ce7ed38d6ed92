#include "report/charts/chart.hpp"

#include <fmt/format.h>

#include "lens/text/source_text.hpp"
#include "report/html/html.hpp"

namespace warplab::report {
namespace {

constexpr double broad = 720, narrow = 340;

std::string svg_html(const ChartDrawing& drawing, const std::string& alt, const char* style) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart {}\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
      style, drawing.width, drawing.height, escaped(alt), drawing.svg.elements());
}

template <class Chart>
std::string figure_of(const Chart& chart, const std::string& below) {
  const auto on_broad = drawing_of(chart, broad), on_narrow = drawing_of(chart, narrow);
  if (!on_broad || !on_narrow) return "";
  return fmt::format("<figure>\n{}{}<figcaption>{}</figcaption>\n</figure>\n",
                     svg_html(*on_broad, chart.alt, "wide"), svg_html(*on_narrow, chart.alt, "narrow"),
                     below);
}

}  // namespace

std::string figure_html(const BarChart& chart, const std::string& below) { return figure_of(chart, below); }

std::string figure_html(const LineChart& chart, const std::string& below) { return figure_of(chart, below); }

double text_width(const std::string& text) { return 6.7 * static_cast<double>(lens::shown_width(text)); }

}  // namespace warplab::report
