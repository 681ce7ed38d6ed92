#include "report/run/lab_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/html/html.hpp"
#include "report/results/number_text.hpp"
#include "report/run/lab_section.hpp"

namespace warplab::report {
namespace {

constexpr std::size_t max_transfers = 8;

/// What bounds the group's rungs in a unit, where it is the same for all.
std::optional<SpeedOfLight> common_light(const CaseGroup& group, const std::string& unit) {
  std::optional<SpeedOfLight> light;
  for (const Row* row : group.rows) {
    if (!row->light || row->light->unit != unit) continue;
    if (light && std::abs(light->value - row->light->value) > 0.01 * light->value) return std::nullopt;
    light = row->light;
  }
  return light;
}

/// The roofs of a roofline.
struct Roofs {
  double gb_per_s = 0;
  std::optional<double> gflop_per_s;
  std::string copy_text;
};

/// The case's own ceilings; where it has none of a kind, the run's highest.
std::optional<Roofs> roofs_of(const Run& run, const CaseGroup& group) {
  Roofs roofs;
  for (const Row* row : group.rows)
    if (row->light && row->light->unit == "GB/s") roofs.gb_per_s = row->light->value;
  for (const Row* row : group.rows)
    if (row->light && row->light->unit == "GFLOP/s")
      roofs.gflop_per_s = std::max(roofs.gflop_per_s.value_or(0), row->light->value);
  roofs.copy_text = "a copy of the same bytes";
  if (roofs.gb_per_s == 0) {
    for (const Row& row : run.rows)
      if (row.role == "ceiling") roofs.gb_per_s = std::max(roofs.gb_per_s, row.gb_per_s.value_or(0));
    roofs.copy_text = "the fastest copy of this run";
  }
  if (roofs.gb_per_s == 0) return std::nullopt;
  return roofs;
}

/// The roof as a curve over intensities, with its corner.
Curve roof_curve(const Roofs& roofs, double low, double high) {
  Curve curve{{}, light_line, false, false, 0};
  const double peak = roofs.gflop_per_s.value_or(1e300), corner = peak / roofs.gb_per_s;
  curve.points.push_back({low, std::min(peak, low * roofs.gb_per_s)});
  if (corner > low && corner < high) curve.points.push_back({corner, peak});
  curve.points.push_back({high, std::min(peak, high * roofs.gb_per_s)});
  return curve;
}

Bar transfer_bar(const Row& row) {
  const double in = row.h2d_ms.value_or(0), kernel = row.time_ms->median, out = row.d2h_ms.value_or(0);
  const double all = in + kernel + out;
  return {{{0, in / all, series_colour(0)},
           {in / all, (in + kernel) / all, series_colour(1)},
           {(in + kernel) / all, 1, series_colour(2)}},
          std::nullopt,
          percent(kernel / all)};
}

}  // namespace

std::string rate_chart(const LabView& view, const CaseGroup& group) {
  const std::string unit = rate_unit(group);
  BarChart chart;
  chart.axis = unit;
  for (const Row* row : group.rows) {
    const auto rate = rate_of(*row, unit);
    if (!rate) continue;
    std::string text = digits(*rate);
    if (row->light) text += fmt::format(", {:.0f} %", row->light->fraction * 100);
    chart.groups.push_back({fmt::format("{} {}", view.number_of(row->rung), view.label(*row)),
                            {{{{0, *rate, row->role == "peer" ? peer_bar : bar}}, std::nullopt, text}}});
  }
  if (chart.groups.empty()) return "";
  std::string caption = fmt::format("{} of each rung", escaped(unit));
  if (const auto light = common_light(group, unit)) {
    chart.reference = light->value;
    chart.reference_text = fmt::format("{} {}", digits(light->value), unit);
    caption += fmt::format(", against the speed of light: {} ({} {})", escaped(light->what),
                           digits(light->value), escaped(unit));
  }
  chart.alt = fmt::format("{} of each rung of {}", unit, view.lab);
  return figure_html(chart, caption + ".");
}

std::string roofline(const Run& run, const LabView& view, const CaseGroup& group) {
  const auto roofs = roofs_of(run, group);
  LineChart chart;
  double intensity = 0;
  for (const Row* row : group.rows) {
    if (!row->gflop_per_s || !row->bytes || !row->flops) continue;
    intensity = *row->flops / *row->bytes;
    const auto number = view.number_of(row->rung);
    chart.curves.push_back({{{intensity, *row->gflop_per_s}},
                            series_colour(number - 1),
                            false,
                            true,
                            static_cast<int>(number - 1)});
    chart.texts.push_back(
        {{intensity, *row->gflop_per_s}, fmt::format("{} {}", number, view.label(*row)), ink});
  }
  if (!roofs || chart.curves.empty()) return "";
  const double corner = roofs->gflop_per_s ? *roofs->gflop_per_s / roofs->gb_per_s : 0;
  chart.x_low = intensity / 8;
  chart.x_high = std::max(intensity * 200, corner < intensity * 2000 ? corner * 8 : 0.0);
  double least = roofs->gb_per_s * chart.x_low;
  for (const PointText& text : chart.texts) least = std::min(least, text.at.y);
  chart.y_low = least / 2;
  chart.curves.push_back(roof_curve(*roofs, chart.x_low, chart.x_high));
  chart.y_high = chart.curves.back().points.back().y * 2;
  for (const PointText& text : chart.texts) chart.y_high = std::max(chart.y_high, text.at.y * 2);
  chart.below_points = true;
  chart.x_axis = "FLOP per byte that must move";
  chart.y_axis = "GFLOP/s";
  chart.alt = fmt::format("roofline of {} with each rung on it", view.lab);
  std::string caption = fmt::format("The roofline: {} FLOP per byte under the roof of {} ({} GB/s)",
                                    digits(intensity), roofs->copy_text, digits(roofs->gb_per_s));
  caption += roofs->gflop_per_s
                 ? fmt::format(" and that of arithmetic ({} GFLOP/s).", digits(*roofs->gflop_per_s))
                 : std::string("; no roof of arithmetic was measured for it.");
  return "<h3>Roofline</h3>\n" + figure_html(chart, caption);
}

std::string transfer_chart(const LabView& view) {
  BarChart chart;
  chart.has_scale = false;
  chart.labels_above = true;
  chart.alt = "shares of " + view.lab + "'s time: to the GPU, kernel, back";
  std::size_t left_out = 0;
  for (auto group = view.cases.rbegin(); group != view.cases.rend(); ++group) {
    const Row* const row = fastest(*group);
    if (!row || !row->gb_per_s || (!row->h2d_ms && !row->d2h_ms)) continue;
    if (chart.groups.size() == max_transfers) {
      ++left_out;
      continue;
    }
    chart.groups.push_back(
        {fmt::format("{}: {}, {}, {}", group->text, row->h2d_ms ? time_text(*row->h2d_ms) : "–",
                     time_text(row->time_ms->median), row->d2h_ms ? time_text(*row->d2h_ms) : "–"),
         {transfer_bar(*row)}});
  }
  if (chart.groups.empty()) return "";
  std::ranges::reverse(chart.groups);
  std::string below =
      "<ul class=\"legend\"><li><i class=\"key0\"></i>to the GPU</li><li><i class=\"key1\"></i>kernel, and "
      "its share</li><li><i class=\"key2\"></i>back</li></ul>The fastest rung of each input";
  below +=
      left_out > 0 ? fmt::format("; {} more inputs are in the table of all measurements.", left_out) : ".";
  return "<h3>Transfers and the kernel</h3>\n" + figure_html(chart, below);
}

}  // namespace warplab::report
