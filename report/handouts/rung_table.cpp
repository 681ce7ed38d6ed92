#include "report/handouts/rung_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "common/host/bad_input.hpp"
#include "report/handouts/handout_table.hpp"
#include "report/handouts/rung_rows.hpp"

namespace warplab::report {
namespace {

constexpr std::string_view mark = "<!-- rungs of ", mark_end = " -->", counted_in = "counted in ";
/// How the lines below a table begin, in their order.
constexpr std::string_view origin = "Measured: ", sol_line = "SOL: ", counted_line = "Counted: ";

/// What a mark asks for.
struct Request {
  std::string run, input;  ///< "results/h100", "4096x4096x4096 float, rule left"
  std::vector<std::string> columns;
  std::string counted_run, counted_input;  ///< where the counts are from; "": from the same run
};

Request parse_mark(const std::string& line) {
  const std::string inside = line.substr(mark.size(), line.size() - mark.size() - mark_end.size());
  const std::vector<std::string> parts = split(inside, '|');
  const bool counts_elsewhere = parts.size() == 5 && parts[3].starts_with(counted_in);
  if (parts.size() != 3 && !counts_elsewhere)
    throw BadInput("the mark '" + line +
                   "' must have a run, an input and columns, separated by |; and may have 'counted in' "
                   "another run, and an input of that");
  Request request{parts[0], parts[1], split(parts[2], ','), "", ""};
  if (counts_elsewhere) {
    request.counted_run = parts[3].substr(counted_in.size());
    request.counted_input = parts[4];
  }
  return request;
}

std::string three_digits(double x) {
  return x >= 999.5 ? fmt::format("{:.0f}", x) : fmt::format("{:.3g}", x);
}
/// Two decimals, or three digits where the ratio is large.
std::string ratio_text(double part, double whole) {
  if (whole <= 0) return "-";
  const double ratio = part / whole;
  return ratio < 99.95 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.0f}", ratio);
}

double size_product(const Row& row) {
  double count = 1;
  for (const auto& [name, extent] : row.size) count *= extent;
  return count;
}

/// A cell that the lens filled; "-" for what it did not record.
std::string lens_cell(const Row& row, const std::string& column) {
  constexpr double sector_bytes = 32, vector_request_bytes = 512, lanes_of_a_warp = 32;
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
  if (column == "shared_per_multiply_add") {
    const double wavefronts = sum("wavefronts", {"shared_load", "shared_store", "shared_copy"});
    return wavefronts == 0 ? "-" : ratio_text(wavefronts, row.flops.value_or(0) / (2 * lanes_of_a_warp));
  }
  if (column == "atomics") return fmt::format("{:.0f}", number({"atomics", "lanes"}));
  if (column == "atomics_per_element") return three_digits(number({"atomics", "lanes"}) / size_product(row));
  return ratio_text(number({"branches", "divergent"}), number({"branches", "executed"}));
}

constexpr std::string_view launch_counts[] = {"launches", "blocks", "threads", "barriers"},
                           lens_counts[] = {"moved",
                                            "requests",
                                            "wavefronts",
                                            "divergent",
                                            "atomics",
                                            "atomics_per_element",
                                            "shared_per_multiply_add"};

bool is_count(const std::string& column) {
  return std::ranges::count(launch_counts, column) > 0 || std::ranges::count(lens_counts, column) > 0;
}

std::string count_cell(const Row& row, const std::string& column) {
  if (std::ranges::count(lens_counts, column) > 0) return lens_cell(row, column);
  return row.counts.is_object() ? fmt::format("{:.0f}", number_at(row.counts, {column.c_str()}).value_or(0))
                                : "-";
}

std::string time_cell(const Row& row, const std::string& column, const RungRows& rows) {
  if (!row.time_ms) return "-";
  const double ms = row.time_ms->median;
  if (column == "time") return three_digits(ms);
  if (column == "rate")
    return three_digits(
        (row.light && row.light->unit == "GFLOP/s" ? row.gflop_per_s : row.gb_per_s).value_or(0));
  if (column == "fraction") return row.light ? fmt::format("{:.2f}", row.light->fraction) : "-";
  if (column.starts_with("of ")) {
    const auto peer = rows.find(column.substr(3));
    if (peer == rows.end() || !peer->second.time_ms) return "-";
    return fmt::format("{:.2f}", peer->second.time_ms->median / ms);
  }
  throw BadInput("the table asks for '" + column + "', which is not a column of rungs");
}

/// The run's speed of light, of which all rows are a fraction; null where they have none.
const SpeedOfLight* light_of(const RungRows& rows) {
  for (const auto& [rung, row] : rows)
    if (row.light) return &*row.light;
  return nullptr;
}

/// A column's header. Rates have the unit of the run's speed of light.
std::string header(const std::string& column, const SpeedOfLight* light) {
  static const std::map<std::string, std::string> names = {
      {"moved", "moved / must move"},
      {"requests", "requests / fewest"},
      {"wavefronts", "wavefronts / fewest"},
      {"divergent", "divergent branches"},
      {"time", "ms"},
      {"atomics", "atomics, in lanes"},
      {"atomics_per_element", "atomics / element"},
      {"shared_per_multiply_add", "wavefronts / multiply-add of a warp"},
      {"fraction", "of SOL"}};
  if (const auto found = names.find(column); found != names.end()) return found->second;
  if (column.starts_with("of ")) return "rate / " + column.substr(3) + "'s";
  if (column == "rate") return light ? light->unit : "rate";
  return column;
}

/// All that the cells of one table are taken from.
struct Sources {
  RungRows timed, counted;
  bool counts_elsewhere = false;
};

Sources sources_of(const Request& request, const std::string& lab, const std::filesystem::path& root) {
  Sources from{rung_rows_of(root / request.run, lab, request.input), {}, !request.counted_run.empty()};
  from.counted = from.counts_elsewhere ? rung_rows_of(root / request.counted_run, lab, request.counted_input)
                                       : from.timed;
  return from;
}

/// A rung that the run has no row of, as it is newer than the run, has dashes.
std::string cell(const Sources& from, const std::string& rung, const std::string& column) {
  const auto measured = from.timed.find(rung);
  if (measured == from.timed.end()) return "-";
  const Row& timed = measured->second;
  if (!is_count(column)) return time_cell(timed, column, from.timed);
  const auto counted = from.counted.find(rung);
  if (counted == from.counted.end()) return "-";
  if (from.counts_elsewhere) require_comparable(counted->second, timed);
  return count_cell(counted->second, column);
}

std::string table(const std::vector<std::vector<std::string>>& old, const Request& request,
                  const std::string& lab, const std::filesystem::path& root) {
  const Sources from = sources_of(request, lab, root);
  const SpeedOfLight* const light = light_of(from.timed);
  std::string text = "| " + old[0].front() + " |", rule = "|---|", device;
  for (const std::string& column : request.columns)
    text += " " + header(column, light) + " |", rule += "---|";
  text += " " + old[0].back() + " |\n" + rule + "---|\n";
  for (std::size_t i = 2; i < old.size(); ++i) {
    const std::string rung = rung_in(old[i].front());
    if (const auto found = from.timed.find(rung); found != from.timed.end()) device = found->second.device;
    text += "| " + old[i].front() + " |";
    for (const std::string& column : request.columns) text += " " + cell(from, rung, column) + " |";
    text += " " + old[i].back() + " |\n";
  }
  if (device.empty()) throw BadInput(request.run + " has none of the rungs for " + request.input);
  text += "\n" + std::string(origin) + request.input + " on an " + device + ".";
  if (light && std::ranges::count(request.columns, "fraction") > 0)
    text += "\n" + std::string(sol_line) + light->what + ".";
  if (from.counts_elsewhere)
    text += "\n" + std::string(counted_line) + request.counted_input + " on the emulator.";
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
      for (const std::string_view begin : {sol_line, counted_line})
        if (i + 1 < lines.size() && lines[i + 1].starts_with(begin)) ++i;
    }
  }
  return text;
}

}  // namespace warplab::report
