#include "report/rung_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace warplab {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view mark = "<!-- rungs of ", mark_end = " -->",
                           origin = "Measured: ", limit_line = "Limit: ";

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(trimmed(part));
  return parts;
}

/// What a mark asks for.
struct Request {
  std::string folder, input;  ///< "results/h100", "4096x4096x4096 float, rule left"
  std::vector<std::string> columns;
};

Request parse_mark(const std::string& line) {
  const std::string inside = line.substr(mark.size(), line.size() - mark.size() - mark_end.size());
  const std::vector<std::string> parts = split(inside, '|');
  if (parts.size() != 3)
    throw std::invalid_argument("the mark '" + line +
                                "' must have a run, an input and columns, separated by |");
  return {parts[0], parts[1], split(parts[2], ',')};
}

std::string size_and_type(const json& m) {
  std::string text;
  for (const auto& [name, extent] : m.at("size").items()) text += (text.empty() ? "" : "x") + extent.dump();
  return text + " " + m.at("dtype").get<std::string>();
}

/// Whether a measurement is of the input "SIZE TYPE[, PARAMETER VALUE]...".
bool is_of(const json& m, const std::string& input) {
  const std::vector<std::string> parts = split(input, ',');
  if (parts.empty() || size_and_type(m) != parts[0]) return false;
  return std::all_of(parts.begin() + 1, parts.end(), [&](const std::string& condition) {
    const std::size_t space = condition.rfind(' ');
    if (space == std::string::npos) return false;
    const auto found = m.at("params").find(condition.substr(0, space));
    if (found == m.at("params").end() || found->is_null()) return false;
    const std::string wanted = condition.substr(space + 1);
    return found->is_string() ? *found == wanted
                              : found->is_number() && fmt::format("{:g}", found->get<double>()) == wanted;
  });
}

/// The rows of one lab, run and input, by rung.
std::map<std::string, json> rows_of(const json& results, const std::string& lab, const std::string& input) {
  std::map<std::string, json> rows;
  for (const json& m : results.at("measurements"))
    if (m.at("lab") == lab && m.at("role") != "ceiling" && is_of(m, input)) rows.emplace(m.at("rung"), m);
  return rows;
}

std::string three_digits(double x) {
  return x >= 999.5 ? fmt::format("{:.0f}", x) : fmt::format("{:.3g}", x);
}
std::string ratio_text(double part, double whole) {
  return whole > 0 ? fmt::format("{:.2f}", part / whole) : "-";
}

double number(const json& m, std::initializer_list<const char*> path) {
  const json* at = &m;
  for (const char* key : path) {
    if (!at->is_object() || !at->contains(key) || at->at(key).is_null()) return 0;
    at = &at->at(key);
  }
  return at->get<double>();
}

std::optional<double> median_ms(const json& m) {
  if (m.at("time_ms").is_null()) return std::nullopt;
  return m.at("time_ms").at("median").get<double>();
}

/// A cell that the lens filled; "-" for what it did not record.
std::string lens_cell(const json& m, const std::string& column) {
  constexpr double sector_bytes = 32, vector_request_bytes = 512;
  if (m.at("lens").is_null()) return "-";
  const auto sum = [&](const char* figure, std::initializer_list<const char*> kinds) {
    double total = 0;
    for (const char* kind : kinds) total += number(m, {"lens", kind, figure});
    return total;
  };
  const double bytes = m.at("bytes").get<double>();
  if (column == "moved") {
    const double sectors =
        sum("sectors", {"global_load", "global_store"}) + number(m, {"lens", "atomics", "global", "sectors"});
    return ratio_text(sectors * sector_bytes, bytes);
  }
  if (column == "requests")
    return ratio_text(sum("requests", {"global_load", "global_store"}), bytes / vector_request_bytes);
  if (column == "wavefronts")
    return ratio_text(sum("wavefronts", {"shared_load", "shared_store", "shared_copy"}),
                      sum("ideal_wavefronts", {"shared_load", "shared_store", "shared_copy"}));
  if (column == "atomics") return fmt::format("{:.0f}", number(m, {"lens", "atomics", "lanes"}));
  return ratio_text(number(m, {"lens", "branches", "divergent"}),
                    number(m, {"lens", "branches", "executed"}));
}

std::string cell(const json& m, const std::string& column, const std::map<std::string, json>& rows) {
  for (const char* count : {"launches", "blocks", "threads", "barriers"})
    if (column == count)
      return m.at("counts").is_null() ? "-" : fmt::format("{:.0f}", number(m, {"counts", count}));
  for (const char* counted : {"moved", "requests", "wavefronts", "divergent", "atomics"})
    if (column == counted) return lens_cell(m, column);
  const std::optional<double> ms = median_ms(m);
  if (!ms) return "-";
  const json& light = m.at("speed_of_light");
  if (column == "time") return three_digits(*ms);
  if (column == "rate")
    return three_digits(
        number(m, {!light.is_null() && light.at("unit") == "GFLOP/s" ? "gflop_per_s" : "gb_per_s"}));
  if (column == "fraction")
    return light.is_null() ? "-" : fmt::format("{:.2f}", light.at("fraction").get<double>());
  if (column.starts_with("of ")) {
    const auto peer = rows.find(column.substr(3));
    const std::optional<double> peer_ms = peer == rows.end() ? std::nullopt : median_ms(peer->second);
    return peer_ms ? fmt::format("{:.2f}", *peer_ms / *ms) : "-";
  }
  throw std::invalid_argument("the table asks for '" + column + "', which is not a column of rungs");
}

/// The run's speed of light, of which all rows are a fraction; null where they have none.
const json* light_of(const std::map<std::string, json>& rows) {
  for (const auto& [rung, m] : rows)
    if (!m.at("speed_of_light").is_null()) return &m.at("speed_of_light");
  return nullptr;
}

/// A column's header. Rates have the unit of the run's speed of light.
std::string header(const std::string& column, const json* light) {
  static const std::map<std::string, std::string> names = {{"moved", "moved / must move"},
                                                           {"requests", "requests / fewest"},
                                                           {"wavefronts", "wavefronts / fewest"},
                                                           {"divergent", "divergent branches"},
                                                           {"time", "ms"},
                                                           {"atomics", "atomics, in lanes"},
                                                           {"fraction", "of SOL"}};
  if (const auto found = names.find(column); found != names.end()) return found->second;
  if (column.starts_with("of ")) return "rate / " + column.substr(3) + "'s";
  if (column == "rate") return light ? light->at("unit").get<std::string>() : "rate";
  return column;
}

std::string table(const std::vector<std::vector<std::string>>& old, const Request& request,
                  const std::string& lab, const std::filesystem::path& root) {
  const std::filesystem::path file = root / request.folder / "results.json";
  std::ifstream in(file);
  if (!in) throw std::invalid_argument("there is no " + file.string());
  const json results = json::parse(in);
  const std::map<std::string, json> rows = rows_of(results, lab, request.input);
  const json* const light = light_of(rows);
  std::string text = "| " + old[0].front() + " |", rule = "|---|", device;
  for (const std::string& column : request.columns)
    text += " " + header(column, light) + " |", rule += "---|";
  text += " " + old[0].back() + " |\n" + rule + "---|\n";
  for (std::size_t i = 2; i < old.size(); ++i) {
    std::string rung = old[i].front();
    std::erase(rung, '`');
    const auto found = rows.find(rung);
    if (found == rows.end())
      throw std::invalid_argument(request.folder + " has no row of " + rung + " for " + request.input);
    device = found->second.at("device").get<std::string>();
    text += "| " + old[i].front() + " |";
    for (const std::string& column : request.columns) text += " " + cell(found->second, column, rows) + " |";
    text += " " + old[i].back() + " |\n";
  }
  text += "\n" + std::string(origin) + request.input + " on an " + device + ".";
  if (light && std::ranges::count(request.columns, "fraction") > 0)
    text += "\n" + std::string(limit_line) + light->at("what").get<std::string>() + ".";
  return text + "\n";
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells = split(line.substr(1), '|');
  if (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

}  // namespace

std::string with_rung_tables(const std::string& handout, const std::string& lab,
                             const std::filesystem::path& root) {
  std::vector<std::string> lines;
  std::istringstream in(handout);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += lines[i] + "\n";
    if (!lines[i].starts_with(mark) || !lines[i].ends_with(mark_end)) continue;
    std::vector<std::vector<std::string>> old;
    for (; i + 1 < lines.size() && lines[i + 1].starts_with("|"); ++i) old.push_back(cells_of(lines[i + 1]));
    if (old.size() < 3) throw std::invalid_argument("there is no table below " + lines[i]);
    text += table(old, parse_mark(lines[i - old.size()]), lab, root);
    if (i + 2 < lines.size() && lines[i + 1].empty() && lines[i + 2].starts_with(origin)) {
      i += 2;
      if (i + 1 < lines.size() && lines[i + 1].starts_with(limit_line)) ++i;
    }
  }
  return text;
}

}  // namespace warplab
