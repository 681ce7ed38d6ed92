// How a lab's rungs scale: rates over the size of the input, times over one of its parameters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "report/html/html.hpp"
#include "report/results/number_text.hpp"
#include "report/run/lab_charts.hpp"

namespace warplab::report {
namespace {

constexpr std::size_t min_sizes = 3, max_scaling_curves = 8, max_charts = 2;

/// What varies along x while all else of the input stays.
struct Axis {
  std::string name;  ///< a dimension, a parameter, or "" for the whole size
  bool is_size = false;
};

std::optional<double> place_on(const Axis& axis, const Row& row) {
  if (axis.is_size) {
    double elements = row.size.empty() ? 0 : 1;
    for (const auto& [name, extent] : row.size)
      if (axis.name.empty())
        elements *= extent;
      else if (axis.name == name)
        return extent;
    return elements > 0 && axis.name.empty() ? std::optional(elements) : std::nullopt;
  }
  const std::string value = row.param(axis.name);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return !value.empty() && *end == '\0' && number > 0 ? std::optional(number) : std::nullopt;
}

/// All of the input but what varies along the axis.
std::string rest_of(const Axis& axis, const LabView& view, const Row& row) {
  std::string rest = row.dtype;
  if (!(axis.is_size && axis.name.empty()))
    for (const auto& [name, extent] : row.size)
      if (!axis.is_size || name != axis.name) rest += fmt::format(", {} {:.0f}", name, extent);
  for (const auto& [name, value] : row.params)
    if ((axis.is_size || name != axis.name) &&
        std::ranges::find(view.rung_params, name) == view.rung_params.end())
      rest += ", " + name + " " + value;
  return rest;
}

/// The rows that differ in nothing but a place on the axis.
struct Scaling {
  Axis axis;
  std::string rest;
  std::vector<const Row*> rows;
  std::set<double> places;
};

std::vector<Axis> axes_of(const LabView& view) {
  std::vector<Axis> axes = {{"", true}};
  std::set<std::string> seen;
  for (const Row* row : view.rows) {
    if (row->size.size() > 1)
      for (const auto& [name, extent] : row->size)
        if (seen.insert(name).second) axes.push_back({name, true});
    for (const auto& [name, value] : row->params)
      if (std::ranges::find(view.rung_params, name) == view.rung_params.end() && seen.insert(name).second)
        axes.push_back({name, false});
  }
  return axes;
}

/// The scaling along an axis with the most places, and of those the most rows, if
/// they are enough for a curve.
std::optional<Scaling> widest(const Axis& axis, const LabView& view) {
  std::map<std::string, Scaling> by_rest;
  for (const Row* row : view.rows) {
    const auto place = place_on(axis, *row);
    if (!place || !row->time_ms || row->role != "rung") continue;
    Scaling& scaling = by_rest[rest_of(axis, view, *row)];
    scaling.rows.push_back(row);
    scaling.places.insert(*place);
  }
  std::optional<Scaling> best;
  for (auto& [rest, scaling] : by_rest) {
    scaling.axis = axis;
    scaling.rest = rest;
    const auto weight = [](const Scaling& s) { return std::pair(s.places.size(), s.rows.size()); };
    if (scaling.places.size() >= min_sizes && (!best || weight(scaling) > weight(*best))) best = scaling;
  }
  return best;
}

/// A curve for each rung, through its best at each place; the highest at the end first.
std::vector<std::pair<std::string, std::vector<Point>>> curves_of(const Scaling& scaling,
                                                                  const std::string& unit) {
  std::map<std::string, std::map<double, double>> best;
  for (const Row* row : scaling.rows) {
    const auto rate = unit == "ms" ? std::optional(row->time_ms->median) : rate_of(*row, unit);
    if (!rate) continue;
    const double x = *place_on(scaling.axis, *row);
    const auto [at, is_new] = best[row->rung].emplace(x, *rate);
    if (!is_new) at->second = unit == "ms" ? std::min(at->second, *rate) : std::max(at->second, *rate);
  }
  std::vector<std::pair<std::string, std::vector<Point>>> curves;
  for (const auto& [rung, points] : best) {
    if (points.size() < 2) continue;
    curves.push_back({rung, {}});
    for (const auto& [x, y] : points) curves.back().second.push_back({x, y});
  }
  std::ranges::stable_sort(curves, [&](const auto& a, const auto& b) {
    return unit == "ms" ? a.second.back().y < b.second.back().y : a.second.back().y > b.second.back().y;
  });
  return curves;
}

/// The speed of light at each place, where it is in that unit.
Curve light_curve(const Scaling& scaling, const std::string& unit) {
  std::map<double, double> lights;
  for (const Row* row : scaling.rows)
    if (row->light && row->light->unit == unit) lights[*place_on(scaling.axis, *row)] = row->light->value;
  Curve curve{{}, light_line, true, false, 0};
  if (lights.size() > 1)
    for (const auto& [x, y] : lights) curve.points.push_back({x, y});
  return curve;
}

std::string legend_item(const LabView& view, const std::string& rung) {
  const std::size_t number = view.number_of(rung);
  return fmt::format("<li><i class=\"key{}\"></i><b>{}</b> {}</li>", (number - 1) % series_colours, number,
                     escaped(rung));
}

void set_scaling_ranges(LineChart& chart) {
  chart.x_low = chart.y_low = 1e300;
  for (const Curve& curve : chart.curves)
    for (const Point& p : curve.points) {
      chart.x_low = std::min(chart.x_low, p.x);
      chart.x_high = std::max(chart.x_high, p.x);
      chart.y_low = std::min(chart.y_low, p.y);
      chart.y_high = std::max(chart.y_high, p.y);
    }
  const double margin = std::pow(chart.x_high / chart.x_low, 0.03);
  chart.x_low /= margin;
  chart.x_high *= margin;
  chart.y_low /= 1.3;
  chart.y_high *= 1.3;
}

std::string axis_text(const Axis& axis) {
  if (!axis.is_size) return axis.name;
  return axis.name.empty() ? "elements" : axis.name;
}

std::string chart_of(const LabView& view, const Scaling& scaling, const std::string& unit) {
  const auto curves = curves_of(scaling, unit);
  if (curves.empty()) return "";
  LineChart chart;
  std::string legend;
  for (std::size_t i = 0; i < std::min(curves.size(), max_scaling_curves); ++i) {
    const auto& [rung, points] = curves[i];
    const std::size_t number = view.number_of(rung);
    chart.curves.push_back({points, series_colour(number - 1), false, true, static_cast<int>(number - 1)});
    chart.texts.push_back({points.back(), std::to_string(number), series_colour(number - 1)});
    legend += legend_item(view, rung);
  }
  if (Curve light = light_curve(scaling, unit); !light.points.empty()) {
    chart.curves.push_back(std::move(light));
    legend += "<li><b>- -</b> the speed of light</li>";
  }
  set_scaling_ranges(chart);
  if (scaling.places.size() <= 8) chart.x_ticks.assign(scaling.places.begin(), scaling.places.end());
  chart.x_axis = axis_text(scaling.axis);
  chart.y_axis = unit;
  chart.alt = fmt::format("{} of the rungs of {} over {}", unit, view.lab, chart.x_axis);
  std::string caption = fmt::format("<ul class=\"legend\">{}</ul>{} over {}, {}", legend,
                                    unit == "ms" ? "The median time" : escaped(unit), escaped(chart.x_axis),
                                    escaped(scaling.rest));
  caption += curves.size() > max_scaling_curves
                 ? fmt::format("; the fastest {} of {} rungs.", max_scaling_curves, curves.size())
                 : std::string(".");
  return figure_html(chart, caption);
}

}  // namespace

std::string scaling_charts(const LabView& view) {
  std::vector<Scaling> found;
  std::set<std::set<const Row*>> seen;
  for (const Axis& axis : axes_of(view))
    if (auto scaling = widest(axis, view))
      if (seen.insert({scaling->rows.begin(), scaling->rows.end()}).second)
        found.push_back(std::move(*scaling));
  std::ranges::stable_sort(
      found, [](const Scaling& a, const Scaling& b) { return a.places.size() > b.places.size(); });
  if (found.size() > max_charts) found.resize(max_charts);
  std::string html;
  for (const Scaling& scaling : found)
    html +=
        chart_of(view, scaling,
                 scaling.axis.is_size && scaling.axis.name.empty() ? rate_unit({"", scaling.rows}) : "ms");
  return html.empty() ? "" : "<h3>Scaling</h3>\n" + html;
}

}  // namespace warplab::report
