#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lens/pictures/svg.hpp"
#include "report/charts/colour.hpp"

namespace warplab::report {

/// A stretch of a bar.
struct Segment {
  double from = 0, to = 0;
  Colour colour = bar;
};

/// Segments end to end.
struct Bar {
  std::vector<Segment> segments;
  std::optional<double> mark;  ///< a stroke across the bar: its ideal
  std::string text;            ///< at the bar's end
};

/// Bars under one label.
struct BarGroup {
  std::string label;
  std::vector<Bar> bars;
};

/// Horizontal bars from 0, in groups with a label each.
struct BarChart {
  std::string alt;   ///< the picture in words
  std::string axis;  ///< what the bars measure, with its unit
  std::vector<BarGroup> groups;
  std::optional<double> reference;  ///< a dashed line through all bars
  std::string reference_text;
  bool has_scale = true;      ///< false: the bars are shares, without an axis
  bool labels_above = false;  ///< on broad pages too
};

/// In the units of the chart's axes.
struct Point {
  double x = 0, y = 0;
};

/// Points joined by a line, from left to right.
struct Curve {
  std::vector<Point> points;
  Colour colour = first_series;
  bool dashed = false;
  bool marked = true;  ///< with a mark at each point
  int shape = 0;       ///< of the mark
};

/// Text beside a point; texts near each other are moved apart.
struct PointText {
  Point at;
  std::string text;
  Colour colour = ink;
};

/// Curves over two logarithmic axes, or a linear one along x.
struct LineChart {
  std::string alt, x_axis, y_axis;
  std::vector<Curve> curves;
  std::vector<PointText> texts;
  std::vector<double> x_ticks;  ///< empty: at 1, 10, 100, ...
  double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
  bool x_is_linear = false;
  bool below_points = false;  ///< texts are below the highest point
  double text_pixels = 24;    ///< right of the curves, for texts of points at their end
};

/// A chart as it is drawn at one width.
struct ChartDrawing {
  lens::Svg svg;
  double width = 0, height = 0;  ///< in pixels
};

/// @param width in pixels @return nothing for a chart without finite ranges
std::optional<ChartDrawing> drawing_of(const BarChart& chart, double width);
std::optional<ChartDrawing> drawing_of(const LineChart& chart, double width);

/// The chart as part of a page, drawn for broad pages and for narrow ones; "" if it has no finite ranges.
/// @param below markup: the caption and the legend
std::string figure_html(const BarChart& chart, const std::string& below);
std::string figure_html(const LineChart& chart, const std::string& below);

/// How many pixels a text takes about, at the charts' size.
double text_width(const std::string& text);

/// From the middle of a line of text down to its base line, in pixels.
inline constexpr double text_drop = 4;

}  // namespace warplab::report
