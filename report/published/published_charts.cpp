#include "report/published/published_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "report/html/html.hpp"
#include "report/results/number_text.hpp"

namespace warplab::report {
namespace {

/// The time that a curve has of a row, for the published size of the input.
std::optional<double> time_of(const PublishedCurve& curve, const PublishedTable& table, const Row& row) {
  if (!curve.published.empty()) return published_ms(row, curve.published);
  const auto ms = measured_ms(row, curve.side.of);
  if (!ms || *ms <= 0) return std::nullopt;
  const double here = elements_of(row);
  return table.elements && here > 0 ? *ms * *table.elements / here : *ms;
}

std::vector<const Row*> rows_of_curve(const PublishedCurve& curve, const std::vector<Run>& runs,
                                      const std::string& lab) {
  if (curve.side.rows.empty()) return rows_of(runs, lab, curve.side.table);
  std::vector<const Row*> rows;
  for (const std::string& label : curve.side.rows) rows.push_back(row_of(runs, lab, curve.side.table, label));
  return rows;
}

/// Where a row lies along x: its place in the list, or its parameter.
std::optional<double> place_of(const PublishedChart& chart, const Row& row, std::size_t i) {
  if (chart.x == "experiment") return static_cast<double>(i + 1);
  const std::string value = row.param(chart.x);
  return value.empty() ? std::nullopt : std::optional(std::strtod(value.c_str(), nullptr));
}

std::string legend_item(std::size_t i, const std::string& label, bool numbered) {
  return fmt::format("<li><i class=\"key{}\"></i>{}{}</li>", i % series_colours,
                     numbered ? fmt::format("<b>{}</b> ", i + 1) : "", escaped(label));
}

std::string caption(const PublishedChart& chart, const PublishedTable& table, const std::string& legend) {
  return fmt::format("<ul class=\"legend\">{}</ul>{}, in ms{}.", legend, escaped(chart.title),
                     table.elements ? "; what ran at a smaller input is scaled to the published one" : "");
}

void set_ranges(LineChart& chart) {
  chart.x_low = chart.y_low = 1e300;
  chart.x_high = chart.y_high = -1e300;
  for (const Curve& curve : chart.curves)
    for (const Point& p : curve.points) {
      chart.x_low = std::min(chart.x_low, p.x), chart.x_high = std::max(chart.x_high, p.x);
      chart.y_low = std::min(chart.y_low, p.y), chart.y_high = std::max(chart.y_high, p.y);
    }
  chart.x_is_linear = chart.x_low <= 0 || chart.x_axis == "experiment";
  if (chart.x_is_linear) {
    const double margin = 0.03 * (chart.x_high - chart.x_low);
    chart.x_low -= margin, chart.x_high += margin;
  } else {
    const double margin = std::pow(chart.x_high / chart.x_low, 0.03);
    chart.x_low /= margin, chart.x_high *= margin;
  }
  chart.y_low /= 1.3, chart.y_high *= 1.3;
}

std::string lines(const PublishedChart& published, const PublishedTable& table, const std::vector<Run>& runs,
                  const std::string& lab) {
  LineChart chart;
  std::string legend;
  std::set<double> places;
  bool measured = false;
  for (std::size_t c = 0; c < published.curves.size(); ++c) {
    const PublishedCurve& from = published.curves[c];
    Curve curve{{}, series_colour(c), !from.published.empty(), true, static_cast<int>(c)};
    const std::vector<const Row*> rows = rows_of_curve(from, runs, lab);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i]) continue;
      const auto x = place_of(published, *rows[i], i), y = time_of(from, table, *rows[i]);
      if (x && y && *y > 0) curve.points.push_back({*x, *y}), places.insert(*x);
    }
    if (curve.points.empty()) continue;
    std::ranges::sort(curve.points, {}, &Point::x);
    measured = measured || from.published.empty();
    chart.texts.push_back({curve.points.back(), std::to_string(c + 1), series_colour(c)});
    legend += legend_item(c, from.label, true);
    chart.curves.push_back(std::move(curve));
  }
  if (!measured || places.size() < 2) return "";
  chart.x_axis = published.x;
  chart.y_axis = "ms";
  chart.alt = published.title + " of " + lab;
  set_ranges(chart);
  if (places.size() <= 14) chart.x_ticks.assign(places.begin(), places.end());
  return figure_html(chart, caption(published, table, legend));
}

/// Bars in groups of rows that belong together, as shares of the speed of light.
std::string grouped_bars(const PublishedChart& published, const std::vector<Run>& runs,
                         const std::string& lab) {
  BarChart chart;
  std::string legend;
  for (std::size_t c = 0; c < published.curves.size(); ++c)
    legend += legend_item(c, published.curves[c].label, false);
  for (std::size_t g = 0; g < published.groups.size(); ++g) {
    BarGroup group{published.groups[g], {}};
    for (std::size_t c = 0; c < published.curves.size(); ++c) {
      const PublishedSide& side = published.curves[c].side;
      const Row* const row = row_of(runs, lab, side.table, side.rows[g]);
      if (row == nullptr || !row->light) continue;
      const double fraction = row->light->fraction;
      group.bars.push_back(
          {{{0, fraction, series_colour(c)}}, std::nullopt, fmt::format("{:.2f}", fraction)});
    }
    if (!group.bars.empty()) chart.groups.push_back(std::move(group));
  }
  if (chart.groups.empty()) return "";
  chart.axis = "of SOL";
  chart.reference = 1;
  chart.reference_text = "SOL";
  chart.alt = published.title + " of " + lab;
  return figure_html(chart, fmt::format("<ul class=\"legend\">{}</ul>{}, as a share of the speed of light.",
                                        legend, escaped(published.title)));
}

std::string bars(const PublishedChart& published, const PublishedTable& table, const std::vector<Run>& runs,
                 const std::string& lab) {
  BarChart chart;
  std::string legend;
  for (std::size_t c = 0; c < published.curves.size(); ++c)
    legend += legend_item(c, published.curves[c].label, false);
  for (const Row* row : rows_of(runs, lab, table.table)) {
    BarGroup group{published_text(*row, "row"), {}};
    for (std::size_t c = 0; c < published.curves.size(); ++c)
      if (const auto ms = time_of(published.curves[c], table, *row))
        group.bars.push_back({{{0, *ms, series_colour(c)}}, std::nullopt, time_text(*ms)});
    if (!group.bars.empty()) chart.groups.push_back(std::move(group));
  }
  if (chart.groups.empty()) return "";
  chart.axis = "ms";
  chart.alt = published.title + " of " + lab;
  return figure_html(chart, caption(published, table, legend));
}

}  // namespace

std::string published_charts(const PublishedTable& table, const std::vector<Run>& runs,
                             const std::string& lab) {
  std::string html;
  for (const PublishedChart& chart : table.charts) {
    if (!chart.groups.empty())
      html += grouped_bars(chart, runs, lab);
    else
      html += chart.x.empty() ? bars(chart, table, runs, lab) : lines(chart, table, runs, lab);
  }
  return html;
}

}  // namespace warplab::report
