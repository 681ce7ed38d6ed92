#include "report/published/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "common/host/bad_input.hpp"
#include "harness/problem/published_rows.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;

/// "6000x4000" as 24000000.
std::optional<double> product_of(const std::string& size) {
  double product = 1;
  std::istringstream parts(size);
  for (std::string part; std::getline(parts, part, 'x');) product *= std::strtod(part.c_str(), nullptr);
  return product > 0 ? std::optional(product) : std::nullopt;
}

PublishedSide side_of(const Json& claim, const std::string& which, const std::string& table) {
  PublishedSide side;
  side.table = claim.value(which + "_table", table);
  side.of = claim.value(which + "_of", "kernel");
  claim.at(which).get_to(side.rows);
  return side;
}

std::optional<double> times_of(const Json& claim, const char* key) {
  if (!claim.contains(key)) return std::nullopt;
  const double times = claim.at(key);
  if (!(times > 1))
    throw BadInput(fmt::format("\"{}\" of the claim '{}' is not above 1", key, claim.value("says", "")));
  return times;
}

PublishedChart chart_of(const Json& json, const std::string& table) {
  PublishedChart chart{
      json.at("title"), json.value("x", ""), {}, json.value("groups", std::vector<std::string>{})};
  for (const Json& curve : json.at("curves"))
    chart.curves.push_back({curve.at("label"),
                            {curve.value("table", table), curve.value("rows", std::vector<std::string>{}),
                             curve.value("of", "kernel")},
                            curve.value("published", "")});
  for (const PublishedCurve& curve : chart.curves)
    if (!chart.groups.empty() && curve.side.rows.size() != chart.groups.size())
      throw BadInput("the curve '" + curve.label + "' of the chart '" + chart.title +
                     "' does not have a row per group");
  return chart;
}

PublishedTable table_of(const Json& json) {
  PublishedTable table;
  json.at("table").get_to(table.table);
  json.at("title").get_to(table.title);
  json.at("lesson").get_to(table.lesson);
  table.place = json.value("place", "");
  for (const Json& figure : json.value("figures", Json::array()))
    table.figures.push_back({figure.at("name"), figure.at("label"), figure.at("of")});
  table.compare = json.value("compare", std::vector<std::string>{});
  if (json.contains("every_row"))
    if (const Json& every_row = json.at("every_row"); every_row.contains("published_size"))
      table.elements = product_of(every_row.at("published_size"));
  for (const Json& claim : json.value("claims", Json::array())) {
    table.claims.push_back({claim.at("says"), side_of(claim, "faster", table.table),
                            side_of(claim, "than", table.table), times_of(claim, "at_least"),
                            times_of(claim, "at_most")});
    if (table.claims.back().faster.rows.size() != table.claims.back().than.rows.size())
      throw BadInput("the claim '" + table.claims.back().says + "' compares lists of different lengths");
  }
  for (const Json& chart : json.value("charts", Json::array()))
    table.charts.push_back(chart_of(chart, table.table));
  for (const Json& metric : json.value("metrics", Json::array()))
    table.metrics.push_back({metric.at("name"), metric.at("label")});
  table.kernels = json.value("kernels", std::map<std::string, std::string>{});
  if (json.contains("columns")) json.at("columns").get_to(table.columns);
  for (const Json& property : json.value("properties", Json::array()))
    table.properties.push_back({property.at("name"), property.at("printed"), property.at("published")});
  return table;
}

fs::path file_of(const fs::path& labs, const std::string& lab) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(labs, none))
    if (const std::string name = entry.path().filename(); name.size() > 3 && name.substr(3) == lab)
      return entry.path() / "published.json";
  return {};
}

}  // namespace

std::vector<std::string> labs_in_order(const fs::path& labs, const std::vector<Run>& runs) {
  std::vector<std::string> folders, names;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(labs, none))
    if (entry.is_directory() && entry.path().filename().string().size() > 3)
      folders.push_back(entry.path().filename());
  std::ranges::sort(folders);
  for (const std::string& folder : folders) names.push_back(folder.substr(3));
  for (const Run& run : runs)
    for (const std::string& lab : run.labs())
      if (std::ranges::find(names, lab) == names.end()) names.push_back(lab);
  return names;
}

std::vector<PublishedTable> published_tables(const fs::path& labs, const std::string& lab) {
  const fs::path file = file_of(labs, lab);
  std::error_code none;
  std::vector<PublishedTable> tables;
  if (!fs::exists(file, none)) return tables;
  const Json json = read_published_file(file);
  for (const Json& table : json.at("tables")) {
    const auto wrong = [&](const std::string& what) {
      return BadInput(fmt::format("{}: table {}: {}", file.string(), tables.size() + 1, what));
    };
    try {
      tables.push_back(table_of(table));
    } catch (const nlohmann::json::out_of_range& error) {
      const std::string_view what = error.what();  // "[...] key 'title' not found"
      const std::size_t number = what.find("] ");
      throw wrong(std::string(what.substr(number == what.npos ? 0 : number + 2)));
    } catch (const nlohmann::json::exception&) {
      throw wrong("a value is of the wrong kind: text, number, list or object");
    } catch (const BadInput& error) {
      throw wrong(error.what());
    }
  }
  return tables;
}

std::string published_text(const Row& row, const char* key) {
  if (!row.published.is_object() || !row.published.contains(key) || !row.published[key].is_string())
    return "";
  return row.published[key].get<std::string>();
}

std::optional<double> published_ms(const Row& row, const std::string& name) {
  if (!row.published.is_object() || !row.published.contains(name) || !row.published[name].is_number())
    return std::nullopt;
  const double value = row.published[name].get<double>();
  // "_ms" before "_s", which it ends with too.
  static constexpr std::array<std::pair<const char*, double>, 4> units = {
      {{"_ms", 1}, {"_us", 1e-3}, {"_ns", 1e-6}, {"_s", 1e3}}};
  for (const auto& [end, ms] : units)
    if (name.ends_with(end)) return value >= 0 ? std::optional(value * ms) : std::nullopt;
  return std::nullopt;
}

std::optional<double> measured_ms(const Row& row, const std::string& of) {
  const auto kernel = row.time_ms ? std::optional(row.time_ms->median) : std::nullopt;
  if (of == "kernel") return kernel;
  if (of == "cpu") return row.cpu_ms;
  if (of == "cpu_fastest") return row.cpu_fastest_ms;
  if (of == "h2d") return row.h2d_ms;
  if (of == "d2h") return row.d2h_ms;
  if (!row.h2d_ms || !row.d2h_ms) return std::nullopt;
  if (of == "transfers") return *row.h2d_ms + *row.d2h_ms;
  if (of == "total" && kernel) return *kernel + *row.h2d_ms + *row.d2h_ms;
  return std::nullopt;
}

std::string kind_text(const std::string& kind) {
  return kind == "cpu"           ? "one CPU core"
         : kind == "cpu_fastest" ? "the CPU at its fastest"
         : kind == "h2d"         ? "to the GPU"
         : kind == "d2h"         ? "back"
         : kind == "total"       ? "kernel with transfers"
                                 : kind;
}

double elements_of(const Row& row) {
  double elements = 1;
  for (const auto& [name, extent] : row.size) elements *= extent;
  return elements;
}

std::vector<const Row*> rows_of(const std::vector<Run>& runs, const std::string& lab,
                                const std::string& table) {
  std::vector<const Row*> rows;
  for (const Run& run : runs)
    for (const Row& row : run.rows)
      if (row.lab == lab && row.is_rung() && published_text(row, "table") == table) rows.push_back(&row);
  return rows;
}

const Row* row_of(const std::vector<Run>& runs, const std::string& lab, const std::string& table,
                  const std::string& label) {
  for (const Row* row : rows_of(runs, lab, table))
    if (published_text(*row, "row") == label) return row;
  return nullptr;
}

std::string printed_property(const Run& run, const std::string& lab, const std::string& name) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(run.folder, none)) {
    const std::string file = entry.path().filename();
    if (!file.starts_with(lab + "-") || !file.ends_with(".out")) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);)
      if (line.starts_with(name + ": ")) return line.substr(name.size() + 2);
  }
  return "";
}

}  // namespace warplab::report
