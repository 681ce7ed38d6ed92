#include "common/ladder.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <vector>

namespace warplab {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* mark = "<!-- ladder -->";

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

/// The largest case of a rung that has what `field` names; null if none has.
const json* largest(const json& results, const std::string& lab, const std::string& rung, const char* field) {
  const json* found = nullptr;
  for (const json& m : results.at("measurements")) {
    if (m.at("lab") != lab || m.at("rung") != rung || m.at("role") != "rung" || m.at(field).is_null())
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
  std::string text = "| rung | sectors a request, load + store | ";
  if (shared) text += "shared wavefronts a request, store + load | ";
  text += fmt::format("{}, {} on an {} | {} | {} |\n", is_arithmetic(timed) ? "GFLOP/s" : "GB/s",
                      size_text(timed), timed.at("device").get<std::string>(),
                      is_arithmetic(timed) ? "of the multiply-adds" : "of a copy", cells_of(old[0]).back());
  text += shared ? "|---|---|---|---|---|---|\n" : "|---|---|---|---|---|\n";
  for (const Entry& e : entries) {
    text += fmt::format("| {} | {} | ", e.rung, e.sectors);
    if (shared) text += e.wavefronts + " | ";
    text += fmt::format("{} | {} | {} |\n", e.rate, e.fraction, e.remark);
  }
  return text;
}

}  // namespace

std::string with_ladder(const std::string& handout, const std::string& lab, const json& counts,
                        const json& times) {
  std::istringstream in(handout);
  std::string before, after, line;
  std::vector<std::string> old;
  bool inside = false, found = false;
  while (std::getline(in, line)) {
    const bool row = line.starts_with("|");
    if (inside && row) {
      old.push_back(line);
      continue;
    }
    if (inside && !old.empty()) inside = false;
    if (line == mark) inside = found = true;
    (old.empty() ? before : after) += line + "\n";
  }
  if (!found || old.size() < 3) throw std::invalid_argument(std::string("there is no table below ") + mark);
  return before + table(old, lab, counts, times) + after;
}

}  // namespace warplab
