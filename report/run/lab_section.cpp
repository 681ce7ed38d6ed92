#include "report/run/lab_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/results/verdict.hpp"
#include "report/results/number_text.hpp"
#include "report/run/lab_charts.hpp"
#include "report/run/lens_section.hpp"
#include "report/run/pictures.hpp"

namespace warplab::report {
namespace {

/// "± 0.4 %": half of the median's interval.
Cell spread_cell(const Row& row) {
  if (!row.time_ms || !row.time_ms->interval_low) return number_cell("–");
  const Summary& s = *row.time_ms;
  const double half = (*s.interval_high - *s.interval_low) / 2 / s.median * 100;
  return number_cell(half < 0.05 ? "± < 0.1 %" : fmt::format("± {:.1f} %", half));
}

std::optional<double> count(const Row& row, const char* name) {
  if (!row.counts.is_object() || !row.counts.contains(name) || !row.counts[name].is_number())
    return std::nullopt;
  return row.counts[name].get<double>();
}

bool any(const std::vector<const Row*>& rows, auto condition) { return std::ranges::any_of(rows, condition); }

/// Columns that at least one of the rows can fill.
struct Columns {
  bool times, lens, counts, transfers, reasons;

  explicit Columns(const std::vector<const Row*>& rows)
      : times(any(rows, [](const Row* row) { return row->time_ms.has_value(); })),
        lens(any(rows, [](const Row* row) { return !row->lens.is_null(); })),
        counts(!lens && any(rows, [](const Row* row) { return !row->counts.is_null(); })),
        transfers(any(rows, [](const Row* row) { return row->h2d_ms || row->d2h_ms; })),
        reasons(
            any(rows, [](const Row* row) { return row->status != RungStatus::ok && !row->why.empty(); })) {}
};

void add_row(HtmlTable& table, const LabView& view, const Row& row, const Columns& columns,
             const std::string& unit, bool with_case) {
  std::vector<Cell> cells = {number_cell(std::to_string(view.number_of(row.rung))),
                             text_cell(view.label(row) + (row.role == "peer" ? " (peer)" : ""), "key")};
  if (with_case) cells.push_back(text_cell(case_text(view, row)));
  cells.push_back(verdict_cell(row));
  if (columns.times) {
    cells.push_back(number_cell(row.time_ms ? time_text(row.time_ms->median) : "–"));
    cells.push_back(spread_cell(row));
    cells.push_back(number_cell(digits(rate_of(row, unit))));
    cells.push_back(light_cell(row));
  }
  if (columns.lens) {
    const std::string sectors = sectors_text(row);
    cells.push_back(number_cell(sectors.empty() ? "–" : sectors));
    const auto conflicts = bank_conflicts(row);
    cells.push_back(number_cell(conflicts ? quantity(*conflicts) : "–"));
  }
  if (columns.counts)
    for (const char* name : {"launches", "threads", "barriers"}) {
      const auto n = count(row, name);
      cells.push_back(number_cell(n ? quantity(*n) : "–"));
    }
  if (columns.transfers)
    for (const auto& time : {row.h2d_ms, row.d2h_ms})
      cells.push_back(number_cell(time ? time_text(*time) : "–"));
  if (columns.reasons) cells.push_back(text_cell(row.status == RungStatus::ok ? "" : row.why, "why small"));
  table.rows.push_back(std::move(cells));
}

HtmlTable rung_table(const LabView& view, const std::vector<const Row*>& rows, const std::string& unit,
                     bool with_case) {
  const Columns columns(rows);
  HtmlTable table{{"#", "rung"}, {}, {}};
  const auto add = [&](bool wanted, std::initializer_list<std::string> names) {
    if (wanted) table.columns.insert(table.columns.end(), names);
  };
  add(with_case, {"input"});
  add(true, {"verified"});
  add(columns.times, {"median", "95 %", unit, "of SOL"});
  add(columns.lens, {"sectors per request, load + store", "bank conflicts"});
  add(columns.counts, {"launches", "threads", "barriers"});
  add(columns.transfers, {"to the GPU", "back"});
  add(columns.reasons, {"why"});
  for (const Row* row : rows) add_row(table, view, *row, columns, unit, with_case);
  return table;
}

std::string all_measurements(const LabView& view) {
  if (view.cases.size() < 2) return "";
  std::string html = fmt::format("<details>\n<summary>All {} measurements, {} inputs</summary>\n",
                                 view.rows.size(), view.cases.size());
  // Rungs of one input are together; with a unit each they would need their own table.
  std::map<std::string, std::vector<const Row*>> by_unit;
  for (const CaseGroup& group : view.cases)
    for (const Row* row : group.rows) by_unit[rate_unit(group)].push_back(row);
  for (const auto& [unit, rows] : by_unit)
    html += table_html(rung_table(view, rows, unit, true), "all measurements of " + view.lab);
  return html + "</details>\n";
}

std::string count_notice(const Run& run, const LabView& view) {
  if (!run.emulated() || any(view.rows, [](const Row* row) { return !row->lens.is_null(); })) return "";
  return "<p class=\"small soft\">Nothing is timed on the emulator. Run with <code>--profile lens</code> to "
         "count each kernel's memory traffic.</p>\n";
}

}  // namespace

Cell verdict_cell(const Row& row) {
  if (row.status == RungStatus::ok && row.verified) return text_cell("✓ yes", "good");
  if (row.status == RungStatus::ok) return text_cell("not checked", "warn");
  if (row.status == RungStatus::todo) return text_cell(status_text(row.status), "warn");
  if (is_failure(row.status)) return text_cell("✗ " + status_text(row.status), "bad");
  return text_cell(status_text(row.status), "soft");
}

Cell light_cell(const Row& row) {
  if (!row.light) return number_cell("–");
  return {fmt::format("<span class=\"meter\"><span style=\"width:{:.1f}%\"></span></span><span "
                      "class=\"share\">{:.0f} %</span>",
                      std::clamp(row.light->fraction * 100, 0.0, 100.0), row.light->fraction * 100),
          true, ""};
}

const Row* fastest(const CaseGroup& group) {
  const Row* best = nullptr;
  for (const Row* row : group.rows)
    if (row->role == "rung" && row->time_ms && (!best || row->time_ms->median < best->time_ms->median))
      best = row;
  return best;
}

std::string lab_section(const Run& run, const LabView& view, const std::string& id) {
  const CaseGroup& group = view.main_case();
  const std::string unit = rate_unit(group);
  std::string html = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"soft\">{}</p>\n", id,
                                 escaped(view.lab), escaped(group.text));
  html += rate_chart(view, group);
  html += count_charts(view, group);
  html += table_html(rung_table(view, group.rows, unit, false), "rungs of " + view.lab);
  html += count_notice(run, view) + all_measurements(view);
  html += error_charts(view) + scaling_charts(view) + roofline(run, view, group) + transfer_chart(view);
  html += lens_section(view, group, id + "-lines") + pictures_html(run.folder, view.lab);
  return html + "</section>\n";
}

}  // namespace warplab::report
