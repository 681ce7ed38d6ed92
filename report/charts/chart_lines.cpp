#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lens/text/source_text.hpp"
#include "report/charts/chart.hpp"
#include "report/results/number_text.hpp"

namespace warplab::report {
namespace {

constexpr double top = 26, bottom = 47, text_height = 15;
// Marks around a point, in pixels: circle, square, triangles, rhombus.
constexpr std::array<const char*, 5> shapes = {"m-4.4 0a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0",
                                               "m-4-4h8v8h-8z", "m0-5.6l5.2 8.6h-10.4z",
                                               "m0 5.6l5.2-8.6h-10.4z", "m0-5.4l5.4 5.4-5.4 5.4-5.4-5.4z"};

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

/// Where the plot begins, right of the texts at its heights.
double left_of(const LineChart& chart) {
  double widest = 0;
  for (const double tick : log_ticks(chart.y_low, chart.y_high))
    widest = std::max(widest, text_width(tick_text(tick)));
  return std::max(46.0, widest + 14);
}

/// As much of a text as that many pixels hold.
std::string cut_to(const std::string& text, double pixels) {
  return lens::cut(text, static_cast<std::size_t>(std::max(pixels / text_width("x"), 1.0)));
}

/// One chart while it is drawn.
class LineDrawing {
 public:
  LineDrawing(const LineChart& chart, double width)
      : chart_(chart),
        width_(width),
        left_(has_range(chart.y_low, chart.y_high, false) ? left_of(chart) : 0),
        plot_width_(width - left_ - chart.text_pixels),
        plot_height_(plot_height_of(chart, (width < 500 ? 300 : 330) - top - bottom)) {}

  std::optional<ChartDrawing> draw() {
    if (!has_range(chart_.x_low, chart_.x_high, chart_.x_is_linear) ||
        !has_range(chart_.y_low, chart_.y_high, false) || !std::isfinite(plot_height_))
      return std::nullopt;
    draw_axes();
    for (const Curve& curve : chart_.curves) draw_curve(curve);
    draw_texts();
    return ChartDrawing{std::move(svg_), width_, top + plot_height_ + bottom};
  }

 private:
  static bool has_range(double low, double high, bool is_linear) {
    return std::isfinite(low) && std::isfinite(high) && low < high && (is_linear || low > 0);
  }
  double x_of(double x) const { return left_ + width_of(chart_, x) * plot_width_; }
  double y_of(double y) const { return plot_bottom() - height_of(chart_, y) * plot_height_; }
  double plot_bottom() const { return top + plot_height_; }

  void draw_axes() {
    double free_from = -1e9;  // ticks whose texts would touch are left out
    for (const double tick :
         chart_.x_ticks.empty() ? log_ticks(chart_.x_low, chart_.x_high) : chart_.x_ticks) {
      const std::string text = tick_text(tick);
      const double x = x_of(tick), half = text_width(text) / 2 + 4;
      if (x - half < free_from) continue;
      free_from = x + half;
      svg_.line(x, top, x, plot_bottom(), name_of(rule));
      svg_.text(x, plot_bottom() + 16, text, name_of(soft), "middle");
    }
    free_from = 1e9;
    for (const double tick : log_ticks(chart_.y_low, chart_.y_high)) {
      const double y = y_of(tick);
      if (y + text_height / 2 > free_from) continue;
      free_from = y - text_height / 2;
      svg_.line(left_, y, left_ + plot_width_, y, name_of(rule));
      svg_.text(left_ - 6, y + text_drop, tick_text(tick), name_of(soft), "end");
    }
    svg_.line(left_, top, left_, plot_bottom(), name_of(soft));
    svg_.line(left_, plot_bottom(), left_ + plot_width_, plot_bottom(), name_of(soft));
    svg_.text(left_ + plot_width_ / 2, plot_bottom() + 36, chart_.x_axis, name_of(soft), "middle");
    svg_.text(left_ - 17, top - 10, chart_.y_axis, name_of(soft));
  }

  void draw_curve(const Curve& curve) {
    std::string line, marks;
    for (const Point& p : curve.points) {
      const double x = x_of(p.x), y = y_of(p.y);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;  // no place on a logarithmic axis
      line += fmt::format("{}{:.2f} {:.2f}", line.empty() ? "M" : "L", x, y);
      marks += fmt::format("M{:.2f} {:.2f}{}", x, y,
                           shapes[static_cast<std::size_t>(curve.shape) % shapes.size()]);
    }
    if (line.empty()) return;
    svg_.path(line, fmt::format("{} curve{}", name_of(curve.colour), curve.dashed ? " dashed" : ""));
    if (curve.marked) svg_.path(marks, name_of(curve.colour));
  }

  void draw_texts() {
    const std::vector<double> heights = heights_of(chart_, plot_height_);
    for (std::size_t i = 0; i < chart_.texts.size(); ++i) {
      const PointText& text = chart_.texts[i];
      const double x = x_of(text.at.x), at = y_of(text.at.y), y = plot_bottom() - heights[i];
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      const double room = width_ - x - 14;
      const bool is_left = room < text_width(text.text) && text_width(text.text) <= x - 14 - left_;
      const double side = is_left ? -1 : 1;
      svg_.text(x + side * 14, y + text_drop, is_left ? text.text : cut_to(text.text, room),
                name_of(text.colour), is_left ? "end" : "start");
      if (std::abs(y - at) > 4) svg_.line(x + side * 5, at, x + side * 12, y, name_of(soft));
    }
  }

  const LineChart& chart_;
  const double width_, left_, plot_width_, plot_height_;
  lens::Svg svg_;
};

}  // namespace

std::optional<ChartDrawing> drawing_of(const LineChart& chart, double width) {
  return LineDrawing(chart, width).draw();
}

}  // namespace warplab::report
