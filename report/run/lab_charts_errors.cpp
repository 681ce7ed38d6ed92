// How far results are from the truth, over the evaluations that they take: the error of the rule falls, that
// of roundings rises.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/html/html.hpp"
#include "report/results/number_text.hpp"
#include "report/run/lab_charts.hpp"

namespace warplab::report {
namespace {

constexpr std::size_t min_points = 3, max_curves = 8;

/// |figure| over evaluations.
using Points = std::map<double, double>;

std::optional<Point> point_of(const Row& row, const std::string& figure) {
  const auto at = row.figures.find("evaluations"), value = row.figures.find(figure);
  if (at == row.figures.end() || value == row.figures.end() || at->second <= 0 || value->second == 0)
    return std::nullopt;
  return Point{at->second, std::abs(value->second)};
}

std::vector<Point> curve_of(const Points& points) {
  std::vector<Point> curve;
  for (const auto& [x, y] : points) curve.push_back({x, y});
  return curve;
}

/// A rung's errors, for the parameters at which it has most of them.
struct RungErrors {
  std::string params;
  Points errors, of_rule;
};

RungErrors errors_of(const LabView& view, const std::string& rung, const std::string& dtype) {
  std::map<std::string, RungErrors> by_params;
  for (const Row* row : view.rows) {
    if (row->rung != rung || row->dtype != dtype || row->status != RungStatus::ok) continue;
    std::string params;
    for (const auto& [name, value] : row->params)
      if (std::ranges::find(view.rung_params, name) == view.rung_params.end())
        params += (params.empty() ? "" : ", ") + name + " " + value;
    RungErrors& found = by_params[params];
    found.params = params;
    if (const auto error = point_of(*row, "error")) found.errors.emplace(error->x, error->y);
    if (const auto error = point_of(*row, "rule error")) found.of_rule.emplace(error->x, error->y);
  }
  RungErrors most;
  for (const auto& [params, found] : by_params)
    if (found.errors.size() > most.errors.size()) most = found;
  return most;
}

void set_error_ranges(LineChart& chart) {
  chart.x_low = chart.y_low = 1e300;
  for (const Curve& curve : chart.curves)
    for (const Point& p : curve.points) {
      chart.x_low = std::min(chart.x_low, p.x);
      chart.x_high = std::max(chart.x_high, p.x);
      chart.y_high = std::max(chart.y_high, p.y);
      if (!curve.dashed) chart.y_low = std::min(chart.y_low, p.y);
    }
  const double margin = std::pow(chart.x_high / chart.x_low, 0.03);
  chart.x_low /= margin;
  chart.x_high *= margin;
  chart.y_low /= 3;
  chart.y_high *= 3;
}

/// A dashed curve of the rule's own error, up to where it leaves the chart.
Curve rule_curve(const Points& errors, double y_low) {
  Curve curve{{}, light_line, true, false, 0};
  for (const auto& [x, y] : errors)
    if (y >= y_low) curve.points.push_back({x, y});
  return curve;
}

std::string chart_of(const LabView& view, const std::string& dtype) {
  LineChart chart;
  std::string legend, params;
  std::map<std::string, Points> of_rules;  // by the rungs' parameters, which name the rule
  for (const std::string& rung : view.rungs) {
    const RungErrors found = errors_of(view, rung, dtype);
    if (found.errors.size() < min_points || chart.curves.size() == max_curves) continue;
    const std::size_t number = view.number_of(rung);
    const std::vector<Point> points = curve_of(found.errors);
    chart.curves.push_back({points, series_colour(number - 1), false, true, static_cast<int>(number - 1)});
    chart.texts.push_back({points.back(), std::to_string(number), series_colour(number - 1)});
    legend += fmt::format("<li><i class=\"key{}\"></i><b>{}</b> {}</li>", (number - 1) % series_colours,
                          number, escaped(rung));
    of_rules[found.params] = found.of_rule;
    if (params.empty()) params = found.params;
  }
  if (chart.curves.empty()) return "";
  set_error_ranges(chart);
  bool any_rule = false;
  for (const auto& [rule, errors] : of_rules)
    if (Curve curve = rule_curve(errors, chart.y_low); curve.points.size() > 1) {
      chart.curves.push_back(std::move(curve));
      any_rule = true;
    }
  if (any_rule) legend += "<li><b>- -</b> the rule's own error</li>";
  chart.x_axis = "evaluations";
  chart.y_axis = "|error|";
  chart.alt = fmt::format("errors of the rungs of {} in {} over their evaluations", view.lab, dtype);
  return figure_html(
      chart, fmt::format("<ul class=\"legend\">{}</ul>The error against the integral, in {}: {}.", legend,
                         escaped(dtype), escaped(params)));
}

}  // namespace

std::string error_charts(const LabView& view) {
  std::vector<std::string> dtypes;
  for (const Row* row : view.rows)
    if (std::ranges::find(dtypes, row->dtype) == dtypes.end()) dtypes.push_back(row->dtype);
  std::string html;
  for (const std::string& dtype : dtypes) html += chart_of(view, dtype);
  return html.empty() ? "" : "<h3>Errors</h3>\n" + html;
}

}  // namespace warplab::report
