#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lens/text/source_text.hpp"
#include "report/charts/chart.hpp"

namespace warplab::report {
namespace {

constexpr double thickness = 15, between_bars = 3, between_groups = 9, label_line = 17, padding = 6;

/// Where everything lies, in pixels; groups from the plot's upper edge.
struct Layout {
  bool label_above = false;
  double left = 0, right = 14, top = 6, bottom = 8;
  double plot_width = 0, plot_height = 0;
  std::vector<double> group_top;
};

Layout layout_of(const BarChart& chart, double width) {
  Layout l;
  l.label_above = chart.labels_above || width < 500;
  for (const BarGroup& group : chart.groups)
    l.left = std::max(l.left, text_width(lens::cut(group.label, 30)));
  l.left = l.label_above ? 4 : std::min(l.left, 215.0) + 12;
  if (chart.reference) l.top = 24;
  if (chart.has_scale) l.bottom = 47;
  l.plot_width = width - l.left - l.right;
  double y = between_groups / 2;
  for (const BarGroup& group : chart.groups) {
    l.group_top.push_back(y);
    y += (l.label_above ? label_line : 0) +
         static_cast<double>(group.bars.size()) * (thickness + between_bars) + between_groups;
  }
  l.plot_height = y - between_groups / 2;
  return l;
}

double end_of(const Bar& bar) {
  double end = bar.mark.value_or(0);
  for (const Segment& segment : bar.segments) end = std::max(end, segment.to);
  return end;
}

/// The end of the axis, chosen so that every text fits after its bar.
double axis_end(const BarChart& chart, const Layout& l) {
  double end = chart.reference.value_or(0) * 1.03;
  for (const BarGroup& group : chart.groups)
    for (const Bar& bar : group.bars) {
      const double share = std::min(0.7, (text_width(bar.text) + 2 * padding) / l.plot_width);
      end = std::max(end, end_of(bar) / (1 - share));
      // A text that would lie on the dashed line moves after it.
      if (chart.reference && *chart.reference > end_of(bar)) {
        const double scale = l.plot_width / std::max(end, 1e-300);
        if (end_of(bar) * scale + text_width(bar.text) + 2 * padding > *chart.reference * scale)
          end = std::max(end, *chart.reference / (1 - share));
      }
    }
  return end > 0 ? end : 1;
}

double text_place(const BarChart& chart, const Bar& bar, double pixels_per_unit) {
  const double end = end_of(bar);
  if (!chart.reference || *chart.reference < end) return end;
  const bool hits =
      (end * pixels_per_unit + text_width(bar.text) + 2 * padding) > *chart.reference * pixels_per_unit;
  return hits ? *chart.reference : end;
}

/// 1, 2 or 5 of a power of ten, so that an axis has about that many ticks.
double tick_step(double end, double ticks) {
  const double power = std::pow(10, std::floor(std::log10(end / ticks)));
  for (double digit : {1.0, 2.0, 5.0})
    if (digit * power * ticks >= end) return digit * power;
  return 10 * power;
}

/// One chart while it is drawn.
class BarDrawing {
 public:
  BarDrawing(const BarChart& chart, double width)
      : chart_(chart), width_(width), l_(layout_of(chart, width)), end_(axis_end(chart, l_)) {}

  std::optional<ChartDrawing> draw() {
    if (!std::isfinite(l_.plot_width / end_)) return std::nullopt;
    if (chart_.has_scale) draw_scale();
    for (std::size_t g = 0; g < chart_.groups.size(); ++g) draw_group(g);
    draw_reference();
    return ChartDrawing{std::move(svg_), width_, std::ceil(l_.top + l_.plot_height + l_.bottom)};
  }

 private:
  double x_of(double value) const { return l_.left + std::clamp(value / end_, 0.0, 1.0) * l_.plot_width; }
  double plot_bottom() const { return l_.top + l_.plot_height; }

  void draw_scale() {
    const double step = tick_step(end_, width_ < 500 ? 5 : 8);
    for (int i = 0; i * step <= end_ * 1.0001; ++i) {
      svg_.line(x_of(i * step), l_.top, x_of(i * step), plot_bottom(), name_of(rule));
      svg_.text(x_of(i * step), plot_bottom() + 16, fmt::format("{:g}", i * step), name_of(soft), "middle");
    }
    svg_.text(l_.left + l_.plot_width / 2, plot_bottom() + 36, chart_.axis, name_of(soft), "middle");
  }

  void draw_group(std::size_t g) {
    const BarGroup& group = chart_.groups[g];
    const double top = l_.top + l_.group_top[g], bars_top = top + (l_.label_above ? label_line : 0);
    const double bars_height =
        static_cast<double>(group.bars.size()) * (thickness + between_bars) - between_bars;
    if (l_.label_above)
      svg_.text(l_.left, top + label_line / 2 + text_drop, lens::cut(group.label, width_ < 500 ? 48 : 90),
                name_of(ink));
    else
      svg_.text(l_.left - 8, bars_top + bars_height / 2 + text_drop, lens::cut(group.label, 30), name_of(ink),
                "end");
    for (std::size_t b = 0; b < group.bars.size(); ++b)
      draw_bar(group.bars[b], bars_top + static_cast<double>(b) * (thickness + between_bars));
  }

  void draw_bar(const Bar& bar, double y) {
    for (const Segment& s : bar.segments)
      if (s.to > s.from) svg_.rect(x_of(s.from), y, x_of(s.to) - x_of(s.from), thickness, name_of(s.colour));
    svg_.text(x_of(text_place(chart_, bar, l_.plot_width / end_)) + padding, y + thickness / 2 + text_drop,
              bar.text, name_of(ink));
    if (bar.mark)
      svg_.line(x_of(*bar.mark), y - 2, x_of(*bar.mark), y + thickness + 2,
                fmt::format("{} bold", name_of(ideal_mark)));
  }

  void draw_reference() {
    if (!chart_.reference) return;
    const double x = x_of(*chart_.reference);
    svg_.line(x, l_.top, x, plot_bottom(), fmt::format("{} dashed", name_of(light_line)));
    svg_.text(x, l_.top - 8, chart_.reference_text, name_of(light_line),
              *chart_.reference > end_ / 2 ? "end" : "start");
  }

  const BarChart& chart_;
  const double width_;
  const Layout l_;
  const double end_;  ///< of the axis, in the bars' unit
  lens::Svg svg_;
};

}  // namespace

std::optional<ChartDrawing> drawing_of(const BarChart& chart, double width) {
  return BarDrawing(chart, width).draw();
}

}  // namespace warplab::report
