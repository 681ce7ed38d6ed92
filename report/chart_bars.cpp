#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lens/source_text.hpp"
#include "report/chart.hpp"

namespace warplab::report {
namespace {

constexpr double thickness = 15, between_bars = 3, between_groups = 9, label_line = 17, padding = 6;

/// Where everything lies, in pixels from the plot's upper left corner.
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

/// The axis' end: so far that every text fits behind its bar.
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

/// Boxes of one colour as a gnuplot plot of its own.
void draw_boxes(ChartScript& script, const BarChart& chart, const Layout& l) {
  std::string blocks, plots;
  for (unsigned colour = 0; colour < colour_names.size(); ++colour) {
    std::string data;
    for (std::size_t g = 0; g < chart.groups.size(); ++g)
      for (std::size_t b = 0; b < chart.groups[g].bars.size(); ++b) {
        const double y = l.group_top[g] + (l.label_above ? label_line : 0) +
                         static_cast<double>(b) * (thickness + between_bars);
        for (const Segment& s : chart.groups[g].bars[b].segments)
          if (s.colour == colour)
            data += fmt::format("{:.9g} {:.2f} {:.9g} {:.9g} {:.2f} {:.2f}\n", s.from, y + thickness / 2,
                                s.from, s.to, y, y + thickness);
      }
    if (data.empty()) continue;
    blocks += fmt::format("$colour{} << EOD\n{}EOD\n", colour, data);
    plots += fmt::format("{}$colour{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1 noborder lc rgb {}",
                         plots.empty() ? "plot " : ", ", colour, gnuplot_colour(colour));
  }
  script.commands += blocks + (plots.empty() ? "plot NaN" : plots) + "\n";
}

void draw_texts(ChartScript& script, const BarChart& chart, const Layout& l, double end) {
  const double scale = l.plot_width / end;
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    const BarGroup& group = chart.groups[g];
    const double bars_top = l.group_top[g] + (l.label_above ? label_line : 0);
    const double middle =
        l.label_above
            ? l.group_top[g] + label_line / 2
            : bars_top +
                  (static_cast<double>(group.bars.size()) * (thickness + between_bars) - between_bars) / 2;
    script.commands += fmt::format(
        "set label {} at graph {:.5f}, first {:.2f} {} tc rgb {}\n",
        script.quoted(lens::cut(group.label, l.label_above ? (script.width < 500 ? 48 : 90) : 30)),
        l.label_above ? 0.0 : -8 / l.plot_width, middle, l.label_above ? "left" : "right",
        gnuplot_colour(ink));
    for (std::size_t b = 0; b < group.bars.size(); ++b) {
      const Bar& one = group.bars[b];
      const double y = bars_top + static_cast<double>(b) * (thickness + between_bars);
      script.commands += fmt::format("set label {} at first {:.9g}, first {:.2f} left tc rgb {}\n",
                                     script.quoted(one.text), text_place(chart, one, scale) + padding / scale,
                                     y + thickness / 2, gnuplot_colour(ink));
      if (one.mark)
        script.commands += fmt::format(
            "set arrow from first {0:.9g}, first {1:.2f} to first {0:.9g}, first {2:.2f} nohead front lw 2.5 "
            "lc rgb {3}\n",
            *one.mark, y - 2, y + thickness + 2, gnuplot_colour(ideal_mark));
    }
  }
}

void draw_reference(ChartScript& script, const BarChart& chart, double end) {
  if (!chart.reference) return;
  script.commands += fmt::format(
      "set arrow from first {0:.9g}, graph 0 to first {0:.9g}, graph 1 nohead front lw 2 dt 2 lc rgb {1}\n"
      "set label {2} at first {0:.9g}, graph 1 {3} offset character 0, 0.75 tc rgb {1}\n",
      *chart.reference, gnuplot_colour(light_line), script.quoted(chart.reference_text),
      *chart.reference > end / 2 ? "right" : "left");
}

}  // namespace

ChartScript script_of(const BarChart& chart, double width) {
  const Layout l = layout_of(chart, width);
  const double end = axis_end(chart, l);
  ChartScript script;
  script.width = width;
  script.height = std::ceil(l.top + l.plot_height + l.bottom);
  begin_canvas(script, l.left, l.right, l.top, l.bottom);
  script.commands += fmt::format("set xrange [0:{:.9g}]\nset yrange [{:.2f}:0]\nunset ytics\nset border 0\n",
                                 end, l.plot_height);
  if (chart.has_scale)
    script.commands += fmt::format(
        "set xtics {:.9g}\nset format x \"%g\"\nset grid xtics back lt 1 lw 1 lc rgb {}\n"
        "set xlabel {} offset 0, 0.4 tc rgb {}\n",
        tick_step(end, width < 500 ? 5 : 8), gnuplot_colour(rule), script.quoted(chart.axis),
        gnuplot_colour(soft));
  else
    script.commands += "unset xtics\n";
  draw_texts(script, chart, l, end);
  draw_reference(script, chart, end);
  draw_boxes(script, chart, l);
  return script;
}

}  // namespace warplab::report
