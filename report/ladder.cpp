#include "report/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "common/bad_input.hpp"
#include "report/handout_table.hpp"

namespace warplab::report {
namespace {

constexpr std::string_view mark = "<!-- ladder", mark_end = " -->";

/// The row with the largest case of a rung that has what is asked for; null if none does.
template <class Has>
const Row* largest(const Run& run, const std::string& lab, const std::string& rung, const Has& has) {
  const Row* found = nullptr;
  for (const Row& row : run.rows) {
    if (row.lab != lab || row.rung != rung || row.role != "rung" || !has(row)) continue;
    if (!found || row.bytes.value_or(0) > found->bytes.value_or(0)) found = &row;
  }
  return found;
}

bool has_counts(const Row& row) { return row.lens.is_object(); }
bool has_rate(const Row& row) { return row.gb_per_s.has_value(); }

const Row& require(const Row* row, const std::string& rung, const char* what) {
  if (!row) throw BadInput("the results have no " + std::string(what) + " of the rung " + rung);
  return *row;
}

/// "4 + 32": a figure of two kinds of access, three digits each.
std::string pair_text(const Row& row, const char* first, const char* second, const char* figure) {
  std::string text;
  for (const char* kind : {first, second}) {
    const auto value = number_at(row.lens, {kind, figure});
    text += (text.empty() ? "" : " + ") + (value ? fmt::format("{:.3g}", *value) : "-");
  }
  return text == "- + -" ? "-" : text;
}

std::string sectors_of(const Row& row) {
  return pair_text(row, "global_load", "global_store", "sectors_per_request");
}
std::string wavefronts_of(const Row& row) {
  return pair_text(row, "shared_store", "shared_load", "wavefronts_per_request");
}

/// Whether multiply-adds bound the case, rather than a copy.
bool is_arithmetic(const Row& row) { return row.light && row.light->unit == "GFLOP/s"; }

struct Entry {
  std::string rung, sectors, wavefronts, rate, fraction, remark;
};

Entry entry(const std::vector<std::string>& cells, const std::string& lab, const Run& counts,
            const Run& times) {
  const std::string rung = rung_in(cells.front());
  const Row& counted = require(largest(counts, lab, rung, has_counts), rung, "counts");
  const Row& timed = require(largest(times, lab, rung, has_rate), rung, "time");
  return {cells.front(),
          sectors_of(counted),
          wavefronts_of(counted),
          fmt::format("{:.0f}", (is_arithmetic(timed) ? timed.gflop_per_s : timed.gb_per_s).value_or(0)),
          timed.light ? fmt::format("{:.2f}", timed.light->fraction) : "-",
          cells.back()};
}

std::string table(const std::vector<std::string>& old, const std::string& lab, const Run& counts,
                  const Run& times) {
  std::vector<Entry> entries;
  for (std::size_t i = 2; i < old.size(); ++i) entries.push_back(entry(cells_of(old[i]), lab, counts, times));
  const bool shared = std::ranges::any_of(entries, [](const Entry& e) { return e.wavefronts != "-"; });
  const Row& timed = *largest(times, lab, rung_in(entries.front().rung), has_rate);
  std::string text = "| rung | sectors per request, load + store | ";
  if (shared) text += "shared wavefronts per request, store + load | ";
  text += fmt::format("{}, {} on an {} | of SOL | {} |\n", is_arithmetic(timed) ? "GFLOP/s" : "GB/s",
                      size_and_type(timed), timed.device, cells_of(old[0]).back());
  text += shared ? "|---|---|---|---|---|---|\n" : "|---|---|---|---|---|\n";
  for (const Entry& e : entries) {
    text += fmt::format("| {} | {} | ", e.rung, e.sectors);
    if (shared) text += e.wavefronts + " | ";
    text += fmt::format("{} | {} | {} |\n", e.rate, e.fraction, e.remark);
  }
  return text;
}

/// A median at the conditions "side 3, filters 1"; "-" where there is none. @param input set to the row's
std::string time_cell(const Run& times, const std::string& lab, const std::string& rung,
                      const std::string& conditions, std::string& input) {
  const std::vector<std::string> all = split(conditions, ',');
  const Row* const timed = largest(times, lab, rung, [&](const Row& row) {
    return row.time_ms && std::ranges::all_of(all, [&](const std::string& one) { return meets(row, one); });
  });
  if (!timed) return "-";
  input = size_and_type(*timed) + ", " + timed->device;
  const double ms = timed->time_ms->median;
  return ms < 999.5 ? fmt::format("{:.3g}", ms) : fmt::format("{:.0f}", ms);
}

/// The table where a mark has conditions: a column of times for each of them. A rung that has no counts, or
/// no time there, is in the results with the reason.
std::string table_of_cases(const std::vector<std::string>& old, const std::string& lab, const Run& counts,
                           const Run& times, const std::vector<std::string>& cases) {
  std::string
      header = "| rung | sectors per request, load + store | shared wavefronts per request, store + load |",
      rows, input;
  for (std::size_t i = 2; i < old.size(); ++i) {
    const std::vector<std::string> cells = cells_of(old[i]);
    const std::string rung = rung_in(cells.front());
    const Row* const counted = largest(counts, lab, rung, has_counts);
    if (!counted) require(largest(times, lab, rung, [](const Row&) { return true; }), rung, "row");
    rows += fmt::format("| {} | {} | {} |", cells.front(), counted ? sectors_of(*counted) : "-",
                        counted ? wavefronts_of(*counted) : "-");
    for (const std::string& one : cases) rows += " " + time_cell(times, lab, rung, one, input) + " |";
    rows += " " + cells.back() + " |\n";
  }
  for (const std::string& one : cases) header += " " + one + " |";
  header += " " + cells_of(old[0]).back() + " |\n|";
  for (std::size_t column = 0; column < cases.size() + 4; ++column) header += "---|";
  return header + "\n" + rows + "\nTimes in ms: " + input + ".\n";
}

}  // namespace

std::string with_ladder(const std::string& handout, const std::string& lab, const Run& counts,
                        const Run& times) {
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
      conditions = line.substr(mark.size(), line.size() - mark.size() - mark_end.size());
    }
    // The line of a table of cases that is made again.
    if (!old.empty() && !conditions.empty() &&
        (line.starts_with("Times in ms: ") || (after.empty() && line.empty())))
      continue;
    (old.empty() ? before : after) += line + "\n";
  }
  if (!found || old.size() < 3) throw BadInput(fmt::format("there is no table below {}{}", mark, mark_end));
  if (conditions.empty()) return before + table(old, lab, counts, times) + after;
  return before + table_of_cases(old, lab, counts, times, split(conditions.substr(2), ';')) + "\n" + after;
}

}  // namespace warplab::report
