#include "report/published/published_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "common/host/bad_input.hpp"
#include "report/charts/chart.hpp"
#include "report/html/html.hpp"
#include "report/published/published.hpp"
#include "report/published/published_charts.hpp"
#include "report/published/published_claims.hpp"
#include "report/published/published_metrics.hpp"
#include "report/results/number_text.hpp"
#include "report/run/lab_section.hpp"
#include "report/run/lens_section.hpp"
#include "report/run/run_page.hpp"
#include "report/run/style.hpp"

namespace warplab::report {
namespace {

constexpr std::size_t max_bars = 14;

/// Published over measured; of inputs of different size for each element. Nothing
/// where one of the two is missing.
std::optional<double> ratio_of(const PublishedTable& table, const PublishedFigure& figure, const Row& row) {
  const auto theirs = published_ms(row, figure.name), ours = measured_ms(row, figure.of);
  if (!theirs || !ours || *theirs <= 0 || *ours <= 0) return std::nullopt;
  const double share = table.elements && elements_of(row) > 0 ? elements_of(row) / *table.elements : 1;
  return *theirs * share / *ours;
}

std::string ratio_text(double ratio) {
  return (ratio >= 99.5 ? fmt::format("{:.0f}", ratio) : fmt::format("{:.2g}", ratio)) + "×";
}

/// What the table compares, and what it has figures of; the kernel always, and only it where nothing was
/// timed.
std::vector<std::string> kinds_of(const PublishedTable& table, bool timed) {
  if (!timed) return {"kernel"};
  std::vector<std::string> kinds = table.compare;
  if (std::ranges::find(kinds, "kernel") == kinds.end()) kinds.insert(kinds.begin(), "kernel");
  for (const PublishedFigure& figure : table.figures)
    if (std::ranges::find(kinds, figure.of) == kinds.end()) kinds.push_back(figure.of);
  return kinds;
}

std::string counted_text(const Row& row) {
  if (const std::string sectors = sectors_text(row); !sectors.empty())
    return sectors + " sectors per request";
  if (row.counts.is_object() && row.counts.contains("threads") && row.counts["threads"].is_number())
    return quantity(row.counts["threads"].get<double>()) + " threads";
  return "–";
}

/// A published time, and small beside it how many times as fast ours is.
Cell published_cell(const PublishedTable& table, const PublishedFigure& figure, const Row& row) {
  const auto theirs = published_ms(row, figure.name);
  if (!theirs) return number_cell("–");
  const auto ratio = ratio_of(table, figure, row);
  const std::string beside = ratio ? fmt::format(" <span class=\"ratio\">{}</span>", ratio_text(*ratio)) : "";
  return {"<span class=\"whole\">" + escaped(time_text(*theirs)) + "</span>" + beside, true, "wraps"};
}

std::vector<Cell> cells_of(const PublishedTable& table, const Row& row, const std::string& input,
                           bool timed) {
  std::vector<Cell> cells = {text_cell(published_text(row, "row"), "key"), text_cell(row.rung),
                             text_cell(input)};
  for (const std::string& kind : kinds_of(table, timed)) {
    for (const PublishedFigure& figure : table.figures)
      if (figure.of == kind) cells.push_back(published_cell(table, figure, row));
    if (!timed) continue;
    const auto ours = measured_ms(row, kind);
    cells.push_back({fmt::format("<b>{}</b>", ours ? time_text(*ours) : "–"), true, ""});
  }
  if (!timed) cells.push_back(number_cell(counted_text(row)));
  cells.push_back(verdict_cell(row));
  return cells;
}

/// Size and type, and of block and launches what is not the same in all rows.
std::string input_text(const Row& row, const std::vector<const Row*>& rows) {
  std::string text = row.size_text() + " " + row.dtype;
  for (const auto& [name, before, after] :
       {std::tuple("block", ", block ", ""), {"launches", ", ", " launches"}}) {
    const std::string value = row.param(name);
    const bool varies = std::ranges::any_of(
        rows, [&, parameter = name](const Row* other) { return other->param(parameter) != value; });
    if (varies && !value.empty()) text += before + value + after;
  }
  return text;
}

HtmlTable figures_table(const PublishedTable& table, const std::vector<const Row*>& rows, bool timed) {
  HtmlTable html{{"row", "rung", "input"}, {}, {}};
  for (const std::string& kind : kinds_of(table, timed)) {
    for (const PublishedFigure& figure : table.figures)
      if (figure.of == kind) html.columns.push_back(figure.label + ", " + kind_text(kind));
    if (timed) html.columns.push_back("ours, " + kind_text(kind));
  }
  if (!timed) html.columns.push_back("counted here");
  html.columns.push_back("verified");
  for (const Row* row : rows) html.rows.push_back(cells_of(table, *row, input_text(*row, rows), timed));
  return html;
}

/// How many times as fast ours are, for tables short enough.
std::string ratio_chart(const PublishedTable& table, const std::vector<const Row*>& rows) {
  BarChart chart;
  std::string legend;
  unsigned colour = 0;
  std::vector<std::pair<const PublishedFigure*, Colour>> shown;
  for (const PublishedFigure& figure : table.figures)
    if (figure.of == "kernel") {
      legend += fmt::format("<li><i class=\"key{}\"></i>{}</li>", colour, escaped(figure.label));
      shown.emplace_back(&figure, series_colour(colour++));
    }
  for (const Row* row : rows) {
    BarGroup group{published_text(*row, "row"), {}};
    for (const auto& [figure, key] : shown)
      if (const auto ratio = ratio_of(table, *figure, *row))
        group.bars.push_back({{{0, *ratio, key}}, std::nullopt, ratio_text(*ratio)});
    if (!group.bars.empty()) chart.groups.push_back(std::move(group));
  }
  if (chart.groups.size() < 2 || chart.groups.size() > max_bars) return "";
  chart.axis = "times as fast as published";
  chart.alt = "ratios of published to measured kernel times: " + table.title;
  chart.reference = 1;
  chart.reference_text = "as fast";
  return figure_html(chart, "<ul class=\"legend\">" + legend + "</ul>");
}

std::string notes_html(const std::vector<const Row*>& rows) {
  std::set<std::string> notes;
  std::string html;
  for (const Row* row : rows)
    if (const std::string note = published_text(*row, "note"); !note.empty() && notes.insert(note).second)
      html += fmt::format("<li>{}</li>\n", escaped(note));
  return html.empty() ? "" : "<ul class=\"small soft\">\n" + html + "</ul>\n";
}

std::string section_head(const PublishedTable& table, const std::string& lab) {
  return fmt::format("<h2>{}</h2>\n<p class=\"soft small\">{} · lab {}</p>\n<p class=\"lesson\">{}</p>\n",
                     escaped(table.title), escaped(table.place.empty() ? table.table : table.place),
                     escaped(lab), escaped(table.lesson));
}

/// Beside the first run whose program printed these properties; "" where none did.
std::string property_section(const PublishedTable& table, const std::vector<Run>& runs,
                             const std::string& lab) {
  const auto run = std::ranges::find_if(runs, [&](const Run& candidate) {
    return !printed_property(candidate, lab, table.properties.front().printed).empty();
  });
  if (run == runs.end()) return "";
  HtmlTable html{{"property"}, {}, {}};
  html.columns.insert(html.columns.end(), table.columns.begin(), table.columns.end());
  html.columns.push_back(run->fact("device").empty() ? "ours" : run->fact("device"));
  for (const PublishedProperty& property : table.properties) {
    std::vector<Cell> cells = {text_cell(property.name, "key")};
    for (const std::string& value : property.values) cells.push_back(text_cell(value));
    cells.resize(table.columns.size() + 1);
    const std::string ours = printed_property(*run, lab, property.printed);
    cells.push_back({fmt::format("<b>{}</b>", escaped(ours.empty() ? "not printed" : ours)), false, ""});
    html.rows.push_back(std::move(cells));
  }
  return section_head(table, lab) + table_html(html, "properties of " + table.table);
}

/// "" where no run replayed it.
std::string figures_section(const PublishedTable& table, const std::vector<Run>& runs,
                            const std::string& lab) {
  const std::vector<const Row*> rows = rows_of(runs, lab, table.table);
  if (rows.empty()) return "";
  const bool timed = std::ranges::any_of(rows, [](const Row* row) { return row->time_ms.has_value(); });
  std::string html = section_head(table, lab);
  if (timed) html += claims_html(table, runs, lab);
  const std::string charts = timed ? published_charts(table, runs, lab) : "";
  html += charts.empty() && timed ? ratio_chart(table, rows) : charts;
  html += metrics_html(table, rows);
  return html + table_html(figures_table(table, rows, timed), "figures of " + table.table) + notes_html(rows);
}

/// A table that a lab replays and has no words on.
std::vector<PublishedTable> with_undescribed(std::vector<PublishedTable> tables, const std::vector<Run>& runs,
                                             const std::string& lab) {
  for (const Run& run : runs)
    for (const Row& row : run.rows)
      if (const std::string name = published_text(row, "table");
          row.lab == lab && !name.empty() &&
          std::ranges::find(tables, name, &PublishedTable::table) == tables.end())
        tables.emplace_back().table = tables.back().title = name;
  return tables;
}

}  // namespace

std::string published_page(const std::vector<Run>& runs, const std::filesystem::path& labs) {
  std::string sections;
  std::size_t tables = 0;
  for (const std::string& lab : labs_in_order(labs, runs))
    for (const PublishedTable& table : with_undescribed(published_tables(labs, lab), runs, lab)) {
      const std::string section =
          table.properties.empty() ? figures_section(table, runs, lab) : property_section(table, runs, lab);
      if (section.empty()) continue;
      sections += fmt::format("<section id=\"table{}\">\n{}</section>\n", ++tables, section);
    }
  if (tables == 0)
    throw BadInput("none of these runs replayed a published table; run_all.sh does with --suite published");
  const std::string device = runs.front().fact("device");
  std::string body = fmt::format(
      "<h1>Published and measured</h1>\n<p class=\"lead\">{} published tables, replayed on {}</p>\n", tables,
      escaped(device.empty() ? "a device without a name" : device));
  body += "<section>\n<h2>How to read it</h2>\n";
  body +=
      runs.front().emulated()
          ? "<p>This ran on warplab's emulator: each row's result was checked and its accesses counted, at "
            "sizes that a CPU can do, and nothing was timed. Published times are shown beside them for what "
            "they are.</p>\n"
          : "<p>The small figure beside each published time is its ratio to ours: 10× means that ours is ten "
            "times as fast. Where a row ran a smaller input, both are taken for each pixel. Ours are medians "
            "by CUDA events with a cold L2, their spread is in the run's report; the published ones are as "
            "their authors printed them, on their GPUs. What a document claims is judged by this run's "
            "figures: the verdicts in bold are computed. Times of the CPU are those of the fastest loops "
            "that warplab has, compiled with the flags below; transfers are from and to pinned memory.</p>\n";
  for (const Run& run : runs) body += conditions_html(run);
  body += "</section>\n" + sections;
  body += "<footer>Made from results.json by <code>warplab report --published</code>.</footer>\n";
  return page_html("Published and measured", body, style_sheet());
}

}  // namespace warplab::report
