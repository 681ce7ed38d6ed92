#include "report/published/published_metrics.hpp"

#include "report/html/html.hpp"
#include "report/results/number_text.hpp"

namespace warplab::report {
namespace {

std::optional<double> published_figure(const Row& row, const std::string& name) {
  if (!row.published.is_object() || !row.published.contains(name) || !row.published[name].is_number())
    return std::nullopt;
  return row.published[name].get<double>();
}

/// A rate of the launch whose kernel's name has `part`; of the only launch, or the first, where it is "".
std::optional<double> counted(const Row& row, const std::string& part, const std::string& name) {
  const auto launches = row.lens.find("launches");
  if (!row.lens.is_object() || launches == row.lens.end() || !launches->is_array()) return std::nullopt;
  for (const Json& launch : *launches) {
    if (!launch.is_object() || !launch.contains("rates")) continue;
    if (launch.value("kernel", "").find(part) == std::string::npos) continue;
    const Json& rates = launch["rates"];
    if (rates.is_object() && rates.contains(name) && rates[name].is_number())
      return rates[name].get<double>();
  }
  return std::nullopt;
}

std::string figure_text(const std::optional<double>& value) {
  if (!value) return "–";
  return *value >= 1e4 ? quantity(*value) : digits(*value);
}

}  // namespace

std::string metrics_html(const PublishedTable& table, const std::vector<const Row*>& rows) {
  if (table.metrics.empty()) return "";
  HtmlTable html{{"Nsight Compute"}, {}, {}};
  for (const Row* row : rows) {
    html.columns.push_back(published_text(*row, "row") + ", published");
    const bool is_scaled = table.elements && elements_of(*row) != *table.elements;
    html.columns.push_back(is_scaled ? "ours, " + row->size_text() : "ours");
  }
  for (const PublishedMetric& metric : table.metrics) {
    std::vector<Cell> cells = {text_cell(metric.label, "key")};
    for (const Row* row : rows) {
      const auto kernel = table.kernels.find(published_text(*row, "row"));
      const std::string part = kernel == table.kernels.end() ? "" : kernel->second;
      cells.push_back(number_cell(figure_text(published_figure(*row, metric.name))));
      cells.push_back(number_cell(figure_text(counted(*row, part, metric.name)), "key"));
    }
    html.rows.push_back(std::move(cells));
  }
  return table_html(html, "counts of " + table.table);
}

}  // namespace warplab::report
