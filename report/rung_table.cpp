#include "report/rung_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "common/bad_input.hpp"
#include "report/handout_table.hpp"

namespace warplab::report {
namespace {

constexpr std::string_view mark = "<!-- rungs of ", mark_end = " -->",
                           origin = "Measured: ", sol_line = "SOL: ";

/// What a mark asks for.
struct Request {
  std::string folder, input;  ///< "results/h100", "4096x4096x4096 float, rule left"
  std::vector<std::string> columns;
};

Request parse_mark(const std::string& line) {
  const std::string inside = line.substr(mark.size(), line.size() - mark.size() - mark_end.size());
  const std::vector<std::string> parts = split(inside, '|');
  if (parts.size() != 3)
    throw BadInput("the mark '" + line + "' must have a run, an input and columns, separated by |");
  return {parts[0], parts[1], split(parts[2], ',')};
}

using Rows = std::map<std::string, const Row*>;  ///< by rung

/// Whether a row is of the input "SIZE TYPE[, PARAMETER VALUE]...".
bool is_of(const Row& row, const std::string& input) {
  const std::vector<std::string> parts = split(input, ',');
  return !parts.empty() && size_and_type(row) == parts[0] &&
         std::all_of(parts.begin() + 1, parts.end(),
                     [&](const std::string& condition) { return meets(row, condition); });
}

Rows rows_of(const Run& run, const std::string& lab, const std::string& input) {
  Rows rows;
  for (const Row& row : run.rows)
    if (row.lab == lab && row.role != "ceiling" && is_of(row, input)) rows.emplace(row.rung, &row);
  return rows;
}

std::string three_digits(double x) {
  return x >= 999.5 ? fmt::format("{:.0f}", x) : fmt::format("{:.3g}", x);
}
std::string ratio_text(double part, double whole) {
  return whole > 0 ? fmt::format("{:.2f}", part / whole) : "-";
}

/// A cell that the lens filled; "-" for what it did not record.
std::string lens_cell(const Row& row, const std::string& column) {
  constexpr double sector_bytes = 32, vector_request_bytes = 512;
  if (!row.lens.is_object()) return "-";
  const auto number = [&](std::initializer_list<const char*> path) {
    return number_at(row.lens, path).value_or(0);
  };
  const auto sum = [&](const char* figure, std::initializer_list<const char*> kinds) {
    double total = 0;
    for (const char* kind : kinds) total += number({kind, figure});
    return total;
  };
  const double bytes = row.bytes.value_or(0);
  if (column == "moved")
    return ratio_text(
        (sum("sectors", {"global_load", "global_store"}) + number({"atomics", "global", "sectors"})) *
            sector_bytes,
        bytes);
  if (column == "requests")
    return ratio_text(sum("requests", {"global_load", "global_store"}), bytes / vector_request_bytes);
  if (column == "wavefronts")
    return ratio_text(sum("wavefronts", {"shared_load", "shared_store", "shared_copy"}),
                      sum("ideal_wavefronts", {"shared_load", "shared_store", "shared_copy"}));
  if (column == "atomics") return fmt::format("{:.0f}", number({"atomics", "lanes"}));
  return ratio_text(number({"branches", "divergent"}), number({"branches", "executed"}));
}

std::string cell(const Row& row, const std::string& column, const Rows& rows) {
  for (const char* count : {"launches", "blocks", "threads", "barriers"})
    if (column == count)
      return row.counts.is_object() ? fmt::format("{:.0f}", number_at(row.counts, {count}).value_or(0)) : "-";
  for (const char* counted : {"moved", "requests", "wavefronts", "divergent", "atomics"})
    if (column == counted) return lens_cell(row, column);
  if (!row.time_ms) return "-";
  const double ms = row.time_ms->median;
  if (column == "time") return three_digits(ms);
  if (column == "rate")
    return three_digits(
        (row.light && row.light->unit == "GFLOP/s" ? row.gflop_per_s : row.gb_per_s).value_or(0));
  if (column == "fraction") return row.light ? fmt::format("{:.2f}", row.light->fraction) : "-";
  if (column.starts_with("of ")) {
    const auto peer = rows.find(column.substr(3));
    if (peer == rows.end() || !peer->second->time_ms) return "-";
    return fmt::format("{:.2f}", peer->second->time_ms->median / ms);
  }
  throw BadInput("the table asks for '" + column + "', which is not a column of rungs");
}

/// The run's speed of light, of which all rows are a fraction; null where they have none.
const SpeedOfLight* light_of(const Rows& rows) {
  for (const auto& [rung, row] : rows)
    if (row->light) return &*row->light;
  return nullptr;
}

/// A column's header. Rates have the unit of the run's speed of light.
std::string header(const std::string& column, const SpeedOfLight* light) {
  static const std::map<std::string, std::string> names = {{"moved", "moved / must move"},
                                                           {"requests", "requests / fewest"},
                                                           {"wavefronts", "wavefronts / fewest"},
                                                           {"divergent", "divergent branches"},
                                                           {"time", "ms"},
                                                           {"atomics", "atomics, in lanes"},
                                                           {"fraction", "of SOL"}};
  if (const auto found = names.find(column); found != names.end()) return found->second;
  if (column.starts_with("of ")) return "rate / " + column.substr(3) + "'s";
  if (column == "rate") return light ? light->unit : "rate";
  return column;
}

std::string table(const std::vector<std::vector<std::string>>& old, const Request& request,
                  const std::string& lab, const std::filesystem::path& root) {
  const Run run = read_run(root / request.folder);
  const Rows rows = rows_of(run, lab, request.input);
  const SpeedOfLight* const light = light_of(rows);
  std::string text = "| " + old[0].front() + " |", rule = "|---|", device;
  for (const std::string& column : request.columns)
    text += " " + header(column, light) + " |", rule += "---|";
  text += " " + old[0].back() + " |\n" + rule + "---|\n";
  for (std::size_t i = 2; i < old.size(); ++i) {
    const std::string rung = rung_in(old[i].front());
    const auto found = rows.find(rung);
    if (found == rows.end())
      throw BadInput(request.folder + " has no row of " + rung + " for " + request.input);
    device = found->second->device;
    text += "| " + old[i].front() + " |";
    for (const std::string& column : request.columns) text += " " + cell(*found->second, column, rows) + " |";
    text += " " + old[i].back() + " |\n";
  }
  text += "\n" + std::string(origin) + request.input + " on an " + device + ".";
  if (light && std::ranges::count(request.columns, "fraction") > 0)
    text += "\n" + std::string(sol_line) + light->what + ".";
  return text + "\n";
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
    if (old.size() < 3) throw BadInput("there is no table below " + lines[i]);
    text += table(old, parse_mark(lines[i - old.size()]), lab, root);
    if (i + 2 < lines.size() && lines[i + 1].empty() && lines[i + 2].starts_with(origin)) {
      i += 2;
      if (i + 1 < lines.size() && lines[i + 1].starts_with(sol_line)) ++i;
    }
  }
  return text;
}

}  // namespace warplab::report
