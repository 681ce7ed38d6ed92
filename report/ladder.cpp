#include "report/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace warplab {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* mark = "<!-- ladder";
constexpr const char* mark_end = " -->";

/// "| a | b |" as a, b.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const std::size_t begin = cell.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    cells.push_back(cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
  }
  return cells;
}

/// A parameter of a case and its value, as a mark's conditions name them.
using Condition = std::pair<std::string, std::string>;

/// "a, b" as a and b.
std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return parts;
}

std::vector<Condition> conditions_of(const std::string& text) {
  std::vector<Condition> conditions;
  for (const std::string& one : split(text, ", ")) {
    const std::size_t space = one.rfind(' ');
    if (space == std::string::npos)
      throw std::invalid_argument("the ladder's condition '" + one + "' is not a name and value");
    conditions.emplace_back(one.substr(0, space), one.substr(space + 1));
  }
  return conditions;
}

bool meets(const json& m, const std::vector<Condition>& conditions) {
  return std::ranges::all_of(conditions, [&](const Condition& condition) {
    const json& params = m.at("params");
    if (!params.contains(condition.first)) return false;
    const json& value = params.at(condition.first);
    return value.is_string() ? value == condition.second
                             : fmt::format("{:g}", value.get<double>()) == condition.second;
  });
}

/// The largest case of a rung that has what `field` names and meets the conditions; null if none does.
const json* largest(const json& results, const std::string& lab, const std::string& rung, const char* field,
                    const std::vector<Condition>& conditions = {}) {
  const json* found = nullptr;
  for (const json& m : results.at("measurements")) {
    if (m.at("lab") != lab || m.at("rung") != rung || m.at("role") != "rung" || m.at(field).is_null() ||
        !meets(m, conditions))
      continue;
    if (!found || m.at("bytes").get<double>() > found->at("bytes").get<double>()) found = &m;
  }
  return found;
}

const json& require(const json* measurement, const std::string& rung, const char* what) {
  if (!measurement)
    throw std::invalid_argument("the results have no " + std::string(what) + " of the rung " + rung);
  return *measurement;
}

std::string size_text(const json& m) {
  std::string text;
  for (const auto& [name, extent] : m.at("size").items()) text += (text.empty() ? "" : "x") + extent.dump();
  return text + " " + m.at("dtype").get<std::string>();
}

/// "4 + 32": a figure of two kinds of access, three digits each.
std::string pair_text(const json& lens, const char* first, const char* second, const char* figure) {
  std::string text;
  for (const char* kind : {first, second}) {
    const json& value = lens.at(kind).at(figure);
    text +=
        (text.empty() ? "" : " + ") + (value.is_null() ? "-" : fmt::format("{:.3g}", value.get<double>()));
  }
  return text == "- + -" ? "-" : text;
}

/// Whether multiply-adds bound the case, rather than a copy.
bool is_arithmetic(const json& timed) {
  const json& light = timed.at("speed_of_light");
  return !light.is_null() && light.value("unit", "") == "GFLOP/s";
}

struct Entry {
  std::string rung, sectors, wavefronts, rate, fraction, remark;
};

Entry entry(const std::vector<std::string>& row, const std::string& lab, const json& counts,
            const json& times) {
  Entry e{row.front(), "", "", "", "-", row.back()};
  std::string name = e.rung;
  std::erase(name, '`');
  const json& lens = require(largest(counts, lab, name, "lens"), name, "counts").at("lens");
  e.sectors = pair_text(lens, "global_load", "global_store", "sectors_per_request");
  e.wavefronts = pair_text(lens, "shared_store", "shared_load", "wavefronts_per_request");
  const json& timed = require(largest(times, lab, name, "gb_per_s"), name, "time");
  e.rate = fmt::format("{:.0f}", timed.at(is_arithmetic(timed) ? "gflop_per_s" : "gb_per_s").get<double>());
  if (const json& light = timed.at("speed_of_light"); !light.is_null())
    e.fraction = fmt::format("{:.2f}", light.at("fraction").get<double>());
  return e;
}

std::string table(const std::vector<std::string>& old, const std::string& lab, const json& counts,
                  const json& times) {
  std::vector<Entry> entries;
  for (std::size_t i = 2; i < old.size(); ++i) entries.push_back(entry(cells_of(old[i]), lab, counts, times));
  bool shared = false;
  for (const Entry& e : entries) shared |= e.wavefronts != "-";
  std::string first = entries.front().rung;
  std::erase(first, '`');
  const json& timed = *largest(times, lab, first, "gb_per_s");
  std::string text = "| rung | sectors per request, load + store | ";
  if (shared) text += "shared wavefronts per request, store + load | ";
  text +=
      fmt::format("{}, {} on an {} | {} | {} |\n", is_arithmetic(timed) ? "GFLOP/s" : "GB/s",
                  size_text(timed), timed.at("device").get<std::string>(), "of SOL", cells_of(old[0]).back());
  text += shared ? "|---|---|---|---|---|---|\n" : "|---|---|---|---|---|\n";
  for (const Entry& e : entries) {
    text += fmt::format("| {} | {} | ", e.rung, e.sectors);
    if (shared) text += e.wavefronts + " | ";
    text += fmt::format("{} | {} | {} |\n", e.rate, e.fraction, e.remark);
  }
  return text;
}

/// The table where a mark has conditions: a column of times for each of them. A rung that has no counts, or
/// no time there, is in the results with the reason.
std::string table_of_cases(const std::vector<std::string>& old, const std::string& lab, const json& counts,
                           const json& times, const std::vector<std::string>& cases) {
  std::string
      header = "| rung | sectors per request, load + store | shared wavefronts per request, store + load |",
      rows;
  std::string size;
  for (std::size_t i = 2; i < old.size(); ++i) {
    const std::vector<std::string> cells = cells_of(old[i]);
    std::string name = cells.front();
    std::erase(name, '`');
    const json* const counted = largest(counts, lab, name, "lens");
    if (!counted) require(largest(times, lab, name, "status"), name, "row");
    const json* const lens = counted ? &counted->at("lens") : nullptr;
    rows +=
        fmt::format("| {} | {} | {} |", cells.front(),
                    lens ? pair_text(*lens, "global_load", "global_store", "sectors_per_request") : "-",
                    lens ? pair_text(*lens, "shared_store", "shared_load", "wavefronts_per_request") : "-");
    for (const std::string& one : cases) {
      const json* const timed = largest(times, lab, name, "time_ms", conditions_of(one));
      if (timed) size = size_text(*timed) + ", " + timed->at("device").get<std::string>();
      const double ms = timed ? timed->at("time_ms").at("median").get<double>() : 0;
      rows += !timed ? " - |" : ms < 999.5 ? fmt::format(" {:.3g} |", ms) : fmt::format(" {:.0f} |", ms);
    }
    rows += " " + cells.back() + " |\n";
  }
  for (const std::string& one : cases) header += " " + one + " |";
  header += " " + cells_of(old[0]).back() + " |\n|";
  for (std::size_t column = 0; column < cases.size() + 4; ++column) header += "---|";
  return header + "\n" + rows + "\nTimes in ms: " + size + ".\n";
}

}  // namespace

std::string with_ladder(const std::string& handout, const std::string& lab, const json& counts,
                        const json& times) {
  std::istringstream in(handout);
  std::string before, after, line, conditions;
  std::vector<std::string> old;
  bool inside = false, found = false;
  while (std::getline(in, line)) {
    const bool row = line.starts_with("|");
    if (inside && row) {
      old.push_back(line);
      continue;
    }
    if (inside && !old.empty()) inside = false;
    if (line.starts_with(mark) && line.ends_with(mark_end)) {
      inside = found = true;
      conditions = line.substr(std::string(mark).size());
      conditions.resize(conditions.size() - std::string(mark_end).size());
    }
    // The line of a table of cases that is made again.
    if (!old.empty() && !conditions.empty() &&
        (line.starts_with("Times in ms: ") || (after.empty() && line.empty())))
      continue;
    (old.empty() ? before : after) += line + "\n";
  }
  if (!found || old.size() < 3)
    throw std::invalid_argument(std::string("there is no table below ") + mark + mark_end);
  if (conditions.empty()) return before + table(old, lab, counts, times) + after;
  return before + table_of_cases(old, lab, counts, times, split(conditions.substr(2), "; ")) + "\n" + after;
}

}  // namespace warplab
