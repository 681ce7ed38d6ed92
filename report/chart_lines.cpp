#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/chart.hpp"
#include "report/results/number_text.hpp"

namespace warplab::report {
namespace {

constexpr double left = 46, top = 26, bottom = 47, text_height = 15;
// gnuplot's numbers of marks: circle, square, triangles, rhombus.
constexpr std::array<int, 5> shapes = {7, 5, 9, 11, 13};

/// 1, 2 and 5 of each power of ten within a range, more where those are few, or only
/// the powers where they are many.
std::vector<double> log_ticks(double low, double high) {
  std::vector<double> ticks, powers;
  if (high / low < 12) {
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
      for (double digit : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0})
        if (digit * power >= low && digit * power <= high) ticks.push_back(digit * power);
    return ticks;
  }
  for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
    for (double digit : {1.0, 2.0, 5.0})
      if (digit * power >= low * 0.999 && digit * power <= high * 1.001) {
        ticks.push_back(digit * power);
        if (digit == 1) powers.push_back(power);
      }
  if (ticks.size() <= 7) return ticks;
  while (powers.size() > 8) {
    std::vector<double> every_other;
    for (std::size_t i = 0; i < powers.size(); i += 2) every_other.push_back(powers[i]);
    powers = every_other;
  }
  return powers;
}

std::string tick_text(double value) {
  if (value >= 1e4 || value == 0) return quantity(value);
  return fmt::format("{:g}", value);
}

/// "("1 k" 1000, ...)" without ticks whose texts would touch.
/// @param share_of where a value lies along the axis, from 0 to 1
template <class Share>
std::string ticks_command(ChartScript& script, const std::vector<double>& ticks, Share share_of,
                          double pixels, bool beside) {
  std::string list;
  double free_from = -1e9;
  for (double tick : ticks) {
    const std::string text = tick_text(tick);
    const double at = share_of(tick) * pixels;
    const double half = beside ? text_height / 2 : text_width(text) / 2 + 4;
    if (at - half < free_from) continue;
    free_from = at + half;
    list += fmt::format("{}{} {:.9g}", list.empty() ? "" : ", ", script.quoted(text), tick);
  }
  return "(" + list + ")";
}

/// Where a value lies, as a share of the plot's width.
double width_of(const LineChart& chart, double x) {
  if (chart.x_is_linear) return (x - chart.x_low) / (chart.x_high - chart.x_low);
  return std::log(x / chart.x_low) / std::log(chart.x_high / chart.x_low);
}

/// Where a value lies, as a share of the plot's height.
double height_of(const LineChart& chart, double y) {
  return std::log(y / chart.y_low) / std::log(chart.y_high / chart.y_low);
}

/// The height of the highest point with a text.
double heights_top(const LineChart& chart) {
  double top_height = 0;
  for (const PointText& text : chart.texts) top_height = std::max(top_height, height_of(chart, text.at.y));
  return top_height;
}

constexpr double below_highest = text_height * 0.8;

/// The plot's height in pixels: the usual one, or what the texts need.
double plot_height_of(const LineChart& chart, double usual) {
  const double texts = static_cast<double>(chart.texts.size()) * text_height;
  if (!chart.below_points) return std::max(usual, texts);
  return std::max(usual, (texts + below_highest) / std::max(heights_top(chart), 0.1));
}

/// Heights of texts in pixels from below, in the texts' order, each as near to its point as the others allow.
std::vector<double> heights_of(const LineChart& chart, double pixels) {
  std::vector<std::size_t> order(chart.texts.size());
  std::vector<double> heights(chart.texts.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    heights[i] = height_of(chart, chart.texts[i].at.y) * pixels;
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return heights[a] < heights[b]; });
  double least = 0;
  for (std::size_t i : order) {
    heights[i] = std::max(heights[i], least);
    least = heights[i] + text_height;
  }
  // A text under a slanting roof would be crossed by it: it is lower than the highest point.
  double most = chart.below_points && !order.empty() ? heights_top(chart) * pixels - below_highest : pixels;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    heights[*i] = std::min(heights[*i], most);
    most = heights[*i] - text_height;
  }
  return heights;
}

void draw_texts(ChartScript& script, const LineChart& chart, double plot_width, double plot_height) {
  const std::vector<double> heights = heights_of(chart, plot_height);
  for (std::size_t i = 0; i < chart.texts.size(); ++i) {
    const PointText& text = chart.texts[i];
    const double x = width_of(chart, text.at.x), y = heights[i] / plot_height;
    const double at = height_of(chart, text.at.y);
    script.commands +=
        fmt::format("set label {} at graph {:.5f}, graph {:.5f} left tc rgb {}\n", script.quoted(text.text),
                    x + 14 / plot_width, y, gnuplot_colour(text.colour));
    if (std::abs(y - at) * plot_height > 4)
      script.commands += fmt::format(
          "set arrow from graph {:.5f}, graph {:.5f} to graph {:.5f}, graph {:.5f} nohead lw 0.7 lc rgb {}\n",
          x + 5 / plot_width, at, x + 12 / plot_width, y, gnuplot_colour(soft));
  }
}

void draw_curves(ChartScript& script, const LineChart& chart) {
  std::string blocks, plots;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const Curve& curve = chart.curves[i];
    std::string data;
    for (const Point& p : curve.points) data += fmt::format("{:.9g} {:.9g}\n", p.x, p.y);
    if (data.empty()) continue;
    blocks += fmt::format("$curve{} << EOD\n{}EOD\n", i, data);
    plots +=
        fmt::format("{}$curve{} using 1:2 with {} lw 2{} lc rgb {}", plots.empty() ? "plot " : ", ", i,
                    curve.marked ? fmt::format("linespoints pt {} ps 0.75",
                                               shapes[static_cast<std::size_t>(curve.shape) % shapes.size()])
                                 : std::string("lines"),
                    curve.dashed ? " dt 2" : "", gnuplot_colour(curve.colour));
  }
  script.commands += blocks + (plots.empty() ? "plot NaN" : plots) + "\n";
}

}  // namespace

ChartScript script_of(const LineChart& chart, double width) {
  ChartScript script;
  script.width = width;
  const double right = chart.text_pixels, plot_width = width - left - right;
  const double plot_height = plot_height_of(chart, (width < 500 ? 300 : 330) - top - bottom);
  script.height = top + plot_height + bottom;
  begin_canvas(script, left, right, top, bottom);
  const auto x_ticks = chart.x_ticks.empty() ? log_ticks(chart.x_low, chart.x_high) : chart.x_ticks;
  script.commands += fmt::format(
      "set logscale {}\nset xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n"
      "set border 3 lc rgb {}\nset xtics {}\nset ytics {}\n",
      chart.x_is_linear ? "y" : "xy", chart.x_low, chart.x_high, chart.y_low, chart.y_high,
      gnuplot_colour(soft),
      ticks_command(
          script, x_ticks, [&](double x) { return width_of(chart, x); }, plot_width, false),
      ticks_command(
          script, log_ticks(chart.y_low, chart.y_high), [&](double y) { return height_of(chart, y); },
          plot_height, true));
  script.commands += fmt::format(
      "set grid xtics ytics back lt 1 lw 1 lc rgb {0}\nset xlabel {1} offset 0, 0.3 tc rgb {3}\n"
      "set label {2} at graph 0, graph 1 left offset character -2.5, 1 tc rgb {3}\n",
      gnuplot_colour(rule), script.quoted(chart.x_axis), script.quoted(chart.y_axis), gnuplot_colour(soft));
  draw_texts(script, chart, plot_width, plot_height);
  draw_curves(script, chart);
  return script;
}

}  // namespace warplab::report
