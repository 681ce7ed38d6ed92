#include "report/comparison/comparison_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/results/verdict.hpp"
#include "report/charts/chart.hpp"
#include "report/html/html.hpp"
#include "report/results/number_text.hpp"
#include "report/run/lens_section.hpp"
#include "report/run/style.hpp"

namespace warplab::report {
namespace {

constexpr std::size_t max_groups = 14;

bool is_worse(Change change) {
  return change == Change::slower || change == Change::more || change == Change::broken;
}
bool is_better(Change change) {
  return change == Change::faster || change == Change::fewer || change == Change::mended;
}

bool any_worse(const Compared& row) { return std::ranges::any_of(row.changes, is_worse); }

/// "A", "B": short names, as folders' are long and may be alike.
std::string letter(std::size_t run) {
  return run < 26 ? std::string(1, static_cast<char>('A' + run)) : std::to_string(run);
}

Cell figure_cell(const Row* row) {
  if (!row) return number_cell("–");
  if (row->time_ms) {
    std::string text = time_text(row->time_ms->median), below;
    if (row->time_ms->interval_low)
      below = fmt::format("± {:.1f} %", (*row->time_ms->interval_high - *row->time_ms->interval_low) / 2 /
                                            row->time_ms->median * 100);
    Cell cell = number_cell(text);
    if (!below.empty()) cell.html += "<span class=\"below\">" + escaped(below) + "</span>";
    return cell;
  }
  const std::string sectors = sectors_text(*row);
  if (!sectors.empty()) return number_cell(sectors + " sectors");
  return number_cell(row->status == RungStatus::ok ? (row->verified ? "verified" : "not checked")
                                                   : status_text(row->status));
}

Cell change_cell(Change change, const std::optional<double>& ratio) {
  std::string text = name_of(change);
  if (ratio && change != Change::absent) text += fmt::format(", {:.2f}×", *ratio);
  return text_cell((is_worse(change)    ? "▲ "
                    : is_better(change) ? "▼ "
                                        : "") +
                       text,
                   is_worse(change)    ? "bad"
                   : is_better(change) ? "good"
                                       : "soft");
}

HtmlTable table_of(const std::vector<Run>& runs, const std::vector<const Compared*>& rows, bool with_lab) {
  HtmlTable table{{"rung and input"}, {}, {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    table.columns.push_back(letter(i));
    if (i > 0) table.columns.push_back(fmt::format("{} against A", letter(i)));
  }
  for (const Compared* row : rows) {
    // One below the other: side by side they would be wider than a phone.
    std::vector<Cell> cells{
        {fmt::format("{}<span class=\"below\">{}</span>",
                     escaped(with_lab ? row->lab + "/" + row->rung : row->rung), escaped(row->input)),
         false, "key stack"}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
      cells.push_back(figure_cell(row->rows[i]));
      if (i > 0) cells.push_back(change_cell(row->changes[i - 1], row->ratios[i - 1]));
    }
    table.rows.push_back(std::move(cells));
    table.row_styles.push_back(any_worse(*row)                                ? "worse"
                               : std::ranges::any_of(row->changes, is_better) ? "better"
                                                                              : "");
  }
  return table;
}

/// Bars of the ratio to the first run of what changed, the greatest first.
std::string ratio_chart(const std::string& lab, std::vector<const Compared*> rows, std::size_t runs) {
  std::erase_if(rows, [](const Compared* row) {
    return std::ranges::none_of(row->ratios, [](const auto& ratio) { return ratio.has_value(); }) ||
           std::ranges::none_of(row->changes,
                                [](Change change) { return is_worse(change) || is_better(change); });
  });
  const std::size_t all = rows.size();
  const auto greatest = [](const Compared* row) {
    double most = 0;
    for (const auto& ratio : row->ratios)
      if (ratio) most = std::max(most, *ratio);
    return most;
  };
  std::ranges::stable_sort(rows,
                           [&](const Compared* a, const Compared* b) { return greatest(a) > greatest(b); });
  if (rows.size() > max_groups) rows.resize(max_groups);
  BarChart chart;
  chart.axis = "times the first run's";
  chart.alt = "times of " + lab + " in each later run, as multiples of the first run's";
  chart.reference = 1;
  chart.reference_text = "A";
  chart.labels_above = true;
  for (const Compared* row : rows) {
    BarGroup group{row->rung + ", " + row->input, {}};
    for (std::size_t i = 0; i < row->ratios.size(); ++i)
      if (row->ratios[i])
        group.bars.push_back(
            {{{0, *row->ratios[i], series_colour(i)}},
             std::nullopt,
             fmt::format("{:.2f}×{}", *row->ratios[i],
                         is_worse(row->changes[i]) ? " " + std::string(name_of(row->changes[i])) : "")});
    chart.groups.push_back(std::move(group));
  }
  if (chart.groups.empty()) return "";
  std::string below = "<ul class=\"legend\">";
  for (std::size_t i = 1; i < runs; ++i)
    below += fmt::format("<li><i class=\"key{}\"></i>{} against A</li>", (i - 1) % series_colours, letter(i));
  below += "</ul>";
  if (all > rows.size())
    below += fmt::format("The {} with the greatest ratios, of {} that changed.", rows.size(), all);
  return figure_html(chart, below);
}

/// One column per run: a row of all facts would be wider than a phone.
std::string runs_table(const std::vector<Run>& runs) {
  HtmlTable table{{"fact"}, {}, {}};
  std::vector<Cell> names{text_cell("run", "key")};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    table.columns.push_back(letter(i));
    names.push_back(text_cell(runs[i].name));
  }
  table.rows.push_back(std::move(names));
  for (const char* key : {"device", "driver", "toolkit", "flags", "commit", "date"}) {
    std::vector<Cell> cells{text_cell(key, "key")};
    for (const Run& run : runs)
      cells.push_back(text_cell(run.fact(key).empty() ? "not recorded" : run.fact(key)));
    table.rows.push_back(std::move(cells));
  }
  return table_html(table, "the runs");
}

/// Runs of unlike conditions may be compared, and the page notes it.
std::string differences(const std::vector<Run>& runs) {
  std::string names;
  for (const char* key : {"device", "driver", "toolkit", "flags"})
    for (const Run& run : runs)
      if (run.fact(key) != runs.front().fact(key)) {
        names += (names.empty() ? "" : ", ") + std::string(key);
        break;
      }
  if (names.empty()) return "";
  return fmt::format("<p class=\"note\">These runs differ in more than their code: {}.</p>\n", names);
}

}  // namespace

std::string comparison_page(const std::vector<Run>& runs, const Comparison& comparison) {
  std::string body = fmt::format("<h1>warplab: {} runs compared</h1>\n<p class=\"lead\">{}</p>\n",
                                 runs.size(), escaped(summary_of(comparison)));
  body += "<section>\n<h2>The runs</h2>\n" + runs_table(runs) + differences(runs);
  body += fmt::format(
      "<p class=\"small soft\">Each run is compared with A. Slower and faster are said only beyond the "
      "noise: where the 95 % intervals of the medians are apart, and the medians differ by {:.0f} % or more. "
      "Counts of the lens have no noise.</p>\n</section>\n",
      min_change * 100);

  std::vector<const Compared*> worse;
  for (const Compared& row : comparison.rows)
    if (any_worse(row)) worse.push_back(&row);
  body += "<section>\n<h2>What became worse</h2>\n";
  body += worse.empty() ? "<p>Nothing, beyond the noise.</p>\n"
                        : table_html(table_of(runs, worse, true), "what became worse");
  body += "</section>\n";

  std::vector<std::string> labs;
  for (const Compared& row : comparison.rows)
    if (std::ranges::find(labs, row.lab) == labs.end()) labs.push_back(row.lab);
  for (const std::string& lab : labs) {
    std::vector<const Compared*> rows;
    for (const Compared& row : comparison.rows)
      if (row.lab == lab) rows.push_back(&row);
    body += fmt::format("<section>\n<h2>{}</h2>\n{}{}</section>\n", escaped(lab),
                        ratio_chart(lab, rows, runs.size()), table_html(table_of(runs, rows, false), lab));
  }
  return page_html("warplab: runs compared", body, style_sheet());
}

}  // namespace warplab::report
