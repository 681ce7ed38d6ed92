#include "grader/data/data_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/charts/chart.hpp"
#include "report/html/html.hpp"
#include "report/results/number_text.hpp"
#include "report/run/style.hpp"

namespace warplab {
namespace {

using report::digits;

const std::vector<std::string> columns = {"run",   "rung", "size",    "type",   "parameters", "ms",
                                          "+- ms", "GB/s", "GFLOP/s", "of SOL", "occupancy"};
constexpr std::size_t text_columns = 5;

std::vector<std::string> cells_of(const MeasuredRow& row) {
  return {row.run,
          row.rung,
          row.size,
          row.dtype,
          row.params_text(),
          digits(row.median_ms),
          digits(row.mad_ms),
          digits(row.gb_per_s),
          digits(row.gflop_per_s),
          row.fraction ? fmt::format("{:.2f}", *row.fraction) : "-",
          row.occupancy ? fmt::format("{:.2f}", *row.occupancy) : "-"};
}

/// What the bars of a page show.
struct Quantity {
  const char* axis;
  double (*of)(const MeasuredRow&);
};

Quantity quantity_of(const std::vector<MeasuredRow>& rows) {
  if (std::ranges::all_of(rows, [](const MeasuredRow& row) { return row.gb_per_s.has_value(); }))
    return {"GB/s", [](const MeasuredRow& row) { return *row.gb_per_s; }};
  if (std::ranges::all_of(rows, [](const MeasuredRow& row) { return row.gflop_per_s.has_value(); }))
    return {"GFLOP/s", [](const MeasuredRow& row) { return *row.gflop_per_s; }};
  return {"milliseconds", [](const MeasuredRow& row) { return row.median_ms; }};
}

/// Of what differs between the rows, the words that name one of them.
std::string label_of(const MeasuredRow& row, const std::vector<MeasuredRow>& rows) {
  std::vector<std::string> words{row.rung};
  const auto add = [&](const auto& value_of) {
    std::set<std::string> values;
    for (const MeasuredRow& one : rows) values.insert(value_of(one));
    if (values.size() > 1 && !value_of(row).empty()) words.push_back(value_of(row));
  };
  add([](const MeasuredRow& one) { return one.size; });
  add([](const MeasuredRow& one) { return one.dtype; });
  add([](const MeasuredRow& one) { return one.params_text(); });
  add([](const MeasuredRow& one) { return one.run; });
  return fmt::format("{}", fmt::join(words, ", "));
}

report::BarChart chart_of(const std::vector<MeasuredRow>& rows, const std::string& title) {
  const Quantity quantity = quantity_of(rows);
  report::BarChart chart;
  chart.axis = quantity.axis;
  chart.labels_above = true;
  chart.alt = fmt::format("{}, in {}:", title, quantity.axis);
  for (const MeasuredRow& row : rows) {
    const double value = quantity.of(row);
    report::Bar bar{{{0, value, row.role == "peer" ? report::peer_bar : report::bar}}, {}, digits(value)};
    if (row.fraction) bar.text += fmt::format(", {:.2f} of SOL", *row.fraction);
    chart.alt += fmt::format(" {}: {};", label_of(row, rows), digits(value));
    chart.groups.push_back({label_of(row, rows), {bar}});
  }
  return chart;
}

}  // namespace

std::string data_table(const std::vector<MeasuredRow>& rows, std::size_t most) {
  std::vector<std::vector<std::string>> lines{columns};
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) lines.push_back(cells_of(rows[i]));
  std::vector<std::size_t> widths(columns.size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      text += i < text_columns ? fmt::format("{:<{}}  ", line[i], widths[i])
                               : fmt::format("{:>{}}  ", line[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  if (rows.size() > most)
    text += fmt::format("... and {} more; choose with --rung, --size, --dtype, --device or --where\n",
                        rows.size() - most);
  return text;
}

std::string data_page(const std::vector<MeasuredRow>& rows, const std::string& title) {
  std::string body = fmt::format("<h1>{}</h1>\n", report::escaped(title));
  if (rows.size() <= max_bars)
    body += report::figure_html(
        chart_of(rows, title),
        "A longer bar is " +
            std::string(quantity_of(rows).axis == std::string_view("milliseconds") ? "slower." : "faster.") +
            " SOL is the speed of light, measured in the same run.");
  report::HtmlTable table;
  table.columns = columns;
  for (const MeasuredRow& row : rows) {
    std::vector<report::Cell> cells;
    for (const std::string& cell : cells_of(row))
      cells.push_back(cells.size() < text_columns ? report::text_cell(cell) : report::number_cell(cell));
    table.rows.push_back(std::move(cells));
  }
  return report::page_html(title, body + report::table_html(table, title), report::style_sheet());
}

}  // namespace warplab
