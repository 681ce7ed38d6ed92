#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/style.hpp"

namespace warplab::report {

/// A stretch of a bar.
struct Segment {
  double from = 0, to = 0;
  unsigned colour = bar;
};

struct Bar {
  std::vector<Segment> segments;
  std::optional<double> mark;  ///< a stroke across the bar: its ideal
  std::string text;            ///< at the bar's end
};

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

struct Point {
  double x = 0, y = 0;
};

struct Curve {
  std::vector<Point> points;
  unsigned colour = first_series;
  bool dashed = false;
  bool marked = true;  ///< with a mark at each point
  int shape = 0;       ///< of the mark
};

/// Text beside a point; texts near each other are moved apart.
struct PointText {
  Point at;
  std::string text;
  unsigned colour = ink;
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

/// gnuplot's words for a chart, in which "@7@" stands for the 7th text: what results hold never reaches
/// gnuplot, which would run what is between backquotes.
struct ChartScript {
  std::string commands;
  std::vector<std::string> texts;
  double width = 0, height = 0;

  /// Notes a text. @return what stands for it, quoted
  std::string quoted(std::string text);
};

/// @param width in pixels
ChartScript script_of(const BarChart& chart, double width);
ChartScript script_of(const LineChart& chart, double width);

/// The beginning of every script: the canvas and what all charts share.
void begin_canvas(ChartScript& script, double left, double right, double top, double bottom);

/// gnuplot's colour number for one of `colour_names`, quoted: svg_of_gnuplot() makes the name of it again.
std::string gnuplot_colour(unsigned colour);

/// How many pixels a text takes about, at the charts' size.
double text_width(const std::string& text);

/// gnuplot's drawing as part of a page: colours by name, without what names a font or repeats an id.
/// @param drawing what gnuplot wrote; "" comes back if it is not a drawing
std::string svg_of_gnuplot(const std::string& drawing, const ChartScript& script, const std::string& alt,
                           const std::string& style);

/// The shapes of marks that all drawings of a page share.
std::string shared_marks();

}  // namespace warplab::report
