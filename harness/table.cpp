#include "harness/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "harness/results.hpp"

namespace warplab {
namespace {

std::string verdict(const Measurement& m) {
  if (m.role == "ceiling") return "-";
  if (m.verified && m.status == RungStatus::ok) return "yes";
  switch (m.status) {
    case RungStatus::todo:
      return "to do";
    case RungStatus::refused:
      return "refused";
    case RungStatus::unavailable:
      return "unavailable";
    default:
      return "FAILED";
  }
}

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
  if (m.speed_of_light && m.speed_of_light->unit == "GFLOP/s") return figure(m.gflop_per_s()) + " GF/s";
  return m.gb_per_s() ? figure(m.gb_per_s()) + " GB/s" : "-";
}

/// "even", or which was faster by more than the intervals of the medians allow for.
std::string comparison_text(const Measurement& m) {
  const Summary &peer = *m.time_ms, &ours = m.in_turn_with->time_ms;
  const char* verdict = "spread unavailable";
  if (ours.interval_low && ours.interval_high && peer.interval_low && peer.interval_high)
    verdict = *ours.interval_low > *peer.interval_high   ? "slower"
              : *ours.interval_high < *peer.interval_low ? "faster"
                                                         : "even within the noise";
  return fmt::format("    in turn with it: {} {:.4f} ms, {:.3f} times its speed ({})\n", m.in_turn_with->rung,
                     ours.median, peer.median / ours.median, verdict);
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
  return fmt::format("  off by {:.0f} at most, {:.2g} on average ({:+.2g} signed)", *m.max_abs_error,
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

}  // namespace

std::string Table::header() const {
  const std::string left = fmt::format("{:<{}}  {:<{}}  {:<6}  {:<11}", "rung", rung_width_, "size",
                                       size_width_, "type", "verified");
  if (emulator_)
    return left +
           fmt::format("  {:>8}  {:>9}  {:>12}  {:>12}\n", "launches", "blocks", "threads", "barriers");
  return left + fmt::format("  {:>24}  {:>10}  {:>8}  {:>7}  {:>9}  {:>9}\n", "time ms, median ± MAD (n)",
                            "rate", "of limit", "vs CPU", "to GPU ms", "back ms");
}

std::string Table::row(const Measurement& m) const {
  std::string text =
      fmt::format("{:<{}}  {:<{}}  {:<6}  {:<11}", m.rung, rung_width_, size_text(m.problem_case),
                  size_width_, name_of(m.problem_case.dtype), verdict(m));
  if (emulator_) {
    const auto count = [&](auto member) {
      return m.counts ? std::to_string((*m.counts).*member) : std::string("-");
    };
    text += fmt::format("  {:>8}  {:>9}  {:>12}  {:>12}", count(&LaunchCounts::launches),
                        count(&LaunchCounts::blocks), count(&LaunchCounts::threads),
                        count(&LaunchCounts::barriers));
  } else {
    const std::string fraction =
        m.speed_of_light ? fmt::format("{:.1f} %", 100 * m.speed_of_light->fraction) : "-";
    const std::string speed_up = m.cpu_speed_up ? figure(m.cpu_speed_up) + "x" : "-";
    text += fmt::format("  {:>25}  {:>10}  {:>8}  {:>7}  {:>9}  {:>9}", time_text(m), rate_text(m), fraction,
                        speed_up, figure(m.h2d_ms), figure(m.d2h_ms));
  }
  if (const std::string launch = launch_text(m.problem_case); !launch.empty()) text += "  " + launch;
  text += error_text(m) + figures_text(m);
  text += '\n';
  if (m.in_turn_with) text += comparison_text(m);
  if (const auto& p = m.published) {
    std::string figures;
    for (const auto& [name, value] : p->figures)
      figures += fmt::format("{}{} {:.9g}", figures.empty() ? "" : ", ", name, value);
    if (m.time_ms && p->figures.contains("mean_ns"))  // measured, in the terms of the report
      figures +=
          fmt::format("; here mean_ns {:.1f}, stddev_ns {}", m.time_ms->mean * 1e6,
                      m.time_ms->stddev ? fmt::format("{:.1f}", *m.time_ms->stddev * 1e6) : "unavailable");
    text += fmt::format("    published in {}, row {}{}{}\n", p->table, p->row, figures.empty() ? "" : ": ",
                        figures);
    if (!p->note.empty()) text += indented(p->note, "    ", 4);
  }
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
    text += fmt::format("{:<{}}  {:<8}  {} [{}{}{}{}]\n", rung.name, width, access, rung.idea,
                        fmt::join(dtypes, " "), rung.takes_block ? " --block" : "",
                        rung.takes_grid ? " --grid" : "", rung.needs.empty() ? "" : " needs " + rung.needs);
  }
  return text;
}

std::string conditions_text(const DeviceInfo& device) {
  if (device.emulator)
    return fmt::format("on {}: counts, no times (what runs here is your CPU)\n", device.name);
  return fmt::format(
      "on {}, driver for CUDA {}, runtime {}: device time by CUDA events, L2 cold; GB/s = 10^9 bytes that "
      "must move\nlimit: a copy of the same bytes, or multiply-adds in registers where those take longer\n",
      device.name, device.driver, device.toolkit);
}

}  // namespace warplab
