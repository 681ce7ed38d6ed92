#include "harness/program/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "harness/console/case_text.hpp"
#include "harness/results/verdict.hpp"

namespace warplab {
namespace {

/// Three or more significant digits without an exponent.
std::string figure(const std::optional<double>& value, const char* absent = "-") {
  if (!value) return absent;
  const double x = *value;
  return x >= 1000  ? fmt::format("{:.0f}", x)
         : x >= 100 ? fmt::format("{:.1f}", x)
         : x >= 1   ? fmt::format("{:.3g}", x)
                    : fmt::format("{:.3f}", x);
}

std::string time_text(const Measurement& m) {
  if (!m.time_ms) return "-";
  const std::string spread = m.time_ms->mad ? fmt::format("{:.4f}", *m.time_ms->mad) : "unavailable";
  return fmt::format("{:.4f} ± {} ({})", m.time_ms->median, spread, m.time_ms->samples);
}

/// In the unit of what limits it.
std::string rate_text(const Measurement& m) {
  if (m.speed_of_light && m.speed_of_light->unit == "GFLOP/s") return figure(m.gflop_per_s()) + " GFLOP/s";
  return m.gb_per_s() ? figure(m.gb_per_s()) + " GB/s" : "-";
}

/// "even", or which was faster by more than the interval of the ratio allows for.
std::string comparison_text(const Measurement& m) {
  const Summary& ratio = m.paired_with->ratio;
  std::string verdict = "spread unavailable";
  if (ratio.interval_low && ratio.interval_high)
    verdict = fmt::format("{}; 95 %: {:.3f} to {:.3f}",
                          *ratio.interval_high < 1  ? "slower"
                          : *ratio.interval_low > 1 ? "faster"
                                                    : "even within the noise",
                          *ratio.interval_low, *ratio.interval_high);
  return fmt::format("    paired with it: {} {:.4f} ms, {:.3f} times its speed ({})\n", m.paired_with->rung,
                     m.paired_with->time_ms.median, ratio.median, verdict);
}

std::string indented(const std::string& text, const std::string& margin, std::size_t max_lines) {
  std::istringstream lines(text);
  std::string result;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (++count > max_lines) return result + margin + "[...]\n";
    result += margin + line + "\n";
  }
  return result;
}

/// Of images: how far grey levels are off.
std::string error_text(const Measurement& m) {
  if (m.problem_case.dtype != DType::u8 || m.max_abs_error.value_or(0) == 0) return "";
  return fmt::format("  off by {:.3g} at most, {:.2g} on average ({:+.2g} signed)", *m.max_abs_error,
                     m.mean_abs_error.value_or(0), m.mean_error.value_or(0));
}

std::string figures_text(const Measurement& m) {
  std::string text;
  for (const auto& [name, value] : m.figures) text += fmt::format("  {} {:.3g}", name, value);
  return text;
}

std::string launch_text(const Case& c) {
  std::string text;
  if (c.block) text += "block " + extent_text(*c.block);
  if (c.grid) text += (text.empty() ? "" : " ") + std::string("grid ") + extent_text(*c.grid);
  for (const Parameter& p : c.params)
    if (is_shown(p)) text += (text.empty() ? "" : " ") + p.name + " " + value_text(p);
  return text;
}

/// What a row has between its verdict and the launch: times with their spread, or counts.
std::vector<TextTable::Column> columns_of(bool emulator, std::size_t widest_rung, std::size_t widest_size) {
  std::vector<TextTable::Column> columns{
      {"rung", widest_rung}, {"size", widest_size}, {"type", 6}, {"verified", 11}};
  if (emulator)
    columns.insert(
        columns.end(),
        {{"launches", 8, true}, {"blocks", 9, true}, {"threads", 12, true}, {"barriers", 12, true}});
  else
    columns.insert(columns.end(), {{"time ms, median ± MAD (n)", 25, true},
                                   {"rate", 13, true},
                                   {"of SOL", 8, true},
                                   {"to GPU ms", 9, true},
                                   {"back ms", 9, true}});
  columns.push_back({""});
  return columns;
}

std::vector<std::string> counted_cells(const Measurement& m) {
  const auto count = [&](auto member) {
    return m.counts ? std::to_string((*m.counts).*member) : std::string("-");
  };
  return {count(&LaunchCounts::launches), count(&LaunchCounts::blocks), count(&LaunchCounts::threads),
          count(&LaunchCounts::barriers)};
}

std::vector<std::string> timed_cells(const Measurement& m) {
  const auto& light = m.speed_of_light;
  return {time_text(m), rate_text(m), light ? fmt::format("{:.1f} %", 100 * light->fraction) : "-",
          figure(m.h2d_ms), figure(m.d2h_ms)};
}

/// Below a row of a replayed table: what was published.
std::string published_text(const Measurement& m) {
  if (!m.published) return "";
  const Published& p = *m.published;
  std::string figures;
  for (const auto& [name, value] : p.figures)
    figures += fmt::format("{}{} {:.9g}", figures.empty() ? "" : ", ", name, value);
  if (m.time_ms && p.figures.contains("mean_ns"))  // measured, in the terms of the report
    figures +=
        fmt::format("; here mean_ns {:.1f}, stddev_ns {}", m.time_ms->mean * 1e6,
                    m.time_ms->stddev ? fmt::format("{:.1f}", *m.time_ms->stddev * 1e6) : "unavailable");
  return fmt::format("    published in {}, row {}{}{}\n", p.table, p.row, figures.empty() ? "" : ": ",
                     figures) +
         (p.note.empty() ? "" : indented(p.note, "    ", 4));
}

}  // namespace

Table::Table(bool emulator, std::size_t widest_rung, std::size_t widest_size)
    : emulator_(emulator), columns_(columns_of(emulator, widest_rung, widest_size)) {}

std::string Table::header() const { return columns_.header(); }

std::string Table::row(const Measurement& m) const {
  std::vector<std::string> cells{m.rung, size_text(m.problem_case),
                                 std::string(name_of(m.problem_case.dtype)),
                                 m.role == "ceiling" ? "-" : verdict_text(m.status, m.verified)};
  for (std::string& cell : emulator_ ? counted_cells(m) : timed_cells(m)) cells.push_back(std::move(cell));
  std::string rest = launch_text(m.problem_case) + error_text(m) + figures_text(m);
  rest.erase(0, rest.find_first_not_of(' '));
  cells.push_back(std::move(rest));
  std::string text = columns_.row(cells);
  if (m.paired_with) text += comparison_text(m);
  text += published_text(m);
  if (m.status != RungStatus::ok) text += indented(m.why, "    ", 16);
  if (!m.printed.empty()) text += indented(m.printed, "    | ", 20);
  return text;
}

std::string list_text(const Problem& problem) {
  std::size_t width = 4;
  for (const Rung& rung : problem.rungs()) width = std::max(width, rung.name.size());
  std::string text = problem.title() + "\n\n";
  for (const Rung& rung : problem.rungs()) {
    std::vector<std::string_view> dtypes;
    for (DType dtype : rung.dtypes) dtypes.push_back(name_of(dtype));
    const char* const access = !rung.peer_of.empty()                ? "peer"
                               : rung.access == Rung::Access::task  ? "task"
                               : rung.access == Rung::Access::given ? "given"
                                                                    : "withheld";
    std::string needs = rung.needs.empty() ? "" : " needs " + rung.needs;
    for (const auto& [dtype, needed] : rung.needs_for)
      needs += fmt::format(" {} needs {}", name_of(dtype), needed);
    text += fmt::format("{:<{}}  {:<8}  {} [{}{}{}{}]\n", rung.name, width, access, rung.idea,
                        fmt::join(dtypes, " "), rung.takes_block ? " --block" : "",
                        rung.takes_grid ? " --grid" : "", needs);
  }
  return text;
}

std::string conditions_text(const DeviceInfo& device) {
  if (device.emulator)
    return fmt::format("on {}: counts, no times (what runs here is your CPU)\n", device.name);
  return fmt::format(
      "on {}, driver for CUDA {}, runtime {}: device time by CUDA events, L2 cold; GB/s = 10^9 bytes that "
      "must move\nSOL (speed of light): a copy of the same bytes, or multiply-adds in registers where those "
      "take longer\n",
      device.name, device.driver, device.toolkit);
}

}  // namespace warplab
