#include "report/run/lens_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "lens/bounds/bounds.hpp"
#include "lens/json.hpp"
#include "lens/merge.hpp"
#include "lens/pictures/map_svg.hpp"
#include "lens/pictures/tree_svg.hpp"
#include "lens/text/advice.hpp"
#include "lens/text/launch_tree.hpp"
#include "lens/text/source_text.hpp"
#include "lens/text/table_rows.hpp"
#include "report/charts/base64.hpp"
#include "report/html/html.hpp"
#include "report/results/number_text.hpp"

namespace warplab::report {
namespace {

constexpr std::size_t max_panels = 2, max_lines = 24, max_findings = 20;

std::optional<double> number(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// Opens no source: this tree's files may have changed since, and results may come from anywhere and name any
/// file. Lines are shown as the results hold them, or not at all.
void keep_to_the_results(std::vector<lens::Launch>& launches) {
  for (lens::Launch& launch : launches)
    for (lens::Line& line : launch.lines) {
      const std::filesystem::path path = std::filesystem::path(line.file).lexically_normal();
      if (path.is_absolute() || path.string().starts_with("..")) line.file = path.filename();
      if (!line.text) line.text = "";
    }
}

std::optional<std::vector<lens::Launch>> launches_of(const Row& row) {
  if (row.lens.is_null()) return std::nullopt;
  try {
    std::vector<lens::Launch> launches = lens::launches_from_json(row.lens);
    keep_to_the_results(launches);
    return launches;
  } catch (const std::exception&) {
    return std::nullopt;  // older or damaged: the sums still are in the ladder
  }
}

/// A line's rows: its place and text, then each kind of access, then advice.
void add_line(HtmlTable& table, const lens::Launch& launch, const lens::Line& line,
              const lens::ShortPaths& paths) {
  const std::vector<lens::Row> rows = lens::rows_of_line(line.counts, launch);
  if (rows.empty()) return;
  const std::string& text = *line.text;
  const auto across = [&](std::string html, const char* row_style) {
    table.rows.push_back({{std::move(html), false, "", 3}});
    table.row_styles.push_back(row_style);
  };
  across(fmt::format("<b>{}:{}</b> <code>{}</code>", escaped(paths(line.file)), line.line, escaped(text)),
         "source");
  for (const lens::Row& row : rows) {
    table.rows.push_back({text_cell(row.label), number_cell(row.requests), text_cell(row.text)});
    table.row_styles.push_back(row.far ? "far" : "");
  }
  if (const std::string words = lens::advice(line, text, &launch.counts); !words.empty())
    across("→ " + escaped(words), "advice");
}

/// What limits a launch, where it was counted for a device whose rates are known.
std::string bound_html(const lens::Group& group, const lens::DeviceRates* rates) {
  if (rates == nullptr || !group.launch.work) return "";
  return fmt::format(
      "<p class=\"small\">Bound of its time: not below {}.</p>\n",
      escaped(lens::bounds_text(lens::bounds_of(group.launch, *rates, group.launches), *rates)));
}

std::string launch_table(const lens::Group& group, const lens::ShortPaths& paths) {
  const lens::Launch& launch = group.launch;
  std::string html = fmt::format(
      "<p class=\"small\"><code>{}</code> in {} blocks of {}x{}x{}{}{}</p>\n", escaped(launch.kernel),
      lens::grouped(launch.blocks), launch.block[0], launch.block[1], launch.block[2],
      group.launches > 1 ? fmt::format(", launched {} times", group.launches) : "",
      launch.scaled()
          ? fmt::format("; counted in {} blocks and scaled", lens::grouped(launch.blocks_recorded))
          : "");
  HtmlTable table{{"access", "requests", "on average"}, {}, {}};
  for (std::size_t i = 0; i < std::min(launch.lines.size(), max_lines); ++i)
    add_line(table, launch, launch.lines[i], paths);
  html += table_html(table, "accesses of " + launch.kernel);
  if (launch.lines.size() > max_lines)
    html += fmt::format("<p class=\"small soft\">{} more lines are in results.json.</p>\n",
                        launch.lines.size() - max_lines);
  if (table.rows.empty() && !launch.note.empty())
    html += fmt::format("<p class=\"small\">{}</p>\n", escaped(launch.note));
  return html;
}

std::string findings_html(const std::vector<lens::Launch>& launches) {
  std::string html;
  std::size_t count = 0;
  for (const lens::Launch& launch : launches)
    for (const lens::Finding& f : launch.findings)
      if (++count <= max_findings)
        html += fmt::format("<p class=\"note\"><b>{}</b> at {}:{} in <code>{}</code>: {}</p>\n",
                            escaped(name_of(f.kind)), escaped(f.file), f.line, escaped(f.kernel),
                            escaped(f.text));
  if (count > max_findings) html += fmt::format("<p>and {} more findings</p>\n", count - max_findings);
  return html;
}

/// The drawing brings its own style sheet, so it is in the page as a picture.
std::string map_html(const std::vector<lens::Launch>& launches, const std::string& label) {
  const bool any = std::ranges::any_of(launches, [](const lens::Launch& launch) {
    return std::ranges::any_of(launch.lines, [](const lens::Line& line) { return !line.samples.empty(); });
  });
  if (!any) return "";
  const std::string svg = lens::map_svg(launches, {.max_panels = max_panels, .line = {}});
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"map of {0}\" tabindex=\"0\"><img class=\"map\" "
      "alt=\"what the lanes of a warp touch in {0}\" src=\"{1}\"/></div>\n",
      escaped(label), data_uri("image/svg+xml", svg));
}

/// "4 + 32 sectors per request, 1.05 M bank conflicts"
std::string summary_text(const Row& row) {
  std::string text = sectors_text(row);
  if (!text.empty()) text += " sectors per request";
  if (const auto conflicts = bank_conflicts(row); conflicts && *conflicts > 0)
    text += fmt::format("{}{} bank conflicts", text.empty() ? "" : ", ", quantity(*conflicts));
  return text;
}

std::string tree_html(const std::vector<lens::Launch>& launches, const std::string& label) {
  if (!lens::has_tree(launches)) return "";
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"tree of {0}\" tabindex=\"0\"><img class=\"map\" "
      "alt=\"the tree of launches of {0}: {1}\" src=\"{2}\"/></div>\n",
      escaped(label), escaped(lens::tree_text(launches)),
      data_uri("image/svg+xml", lens::tree_svg(launches)));
}

std::string rung_details(const LabView& view, const Row& row) {
  const auto launches = launches_of(row);
  if (!launches || launches->empty()) return "";
  std::vector<const lens::Launch*> all;
  for (const lens::Launch& launch : *launches) all.push_back(&launch);
  const lens::ShortPaths paths(all);
  std::string html = fmt::format("<details>\n<summary><b>{}</b> <span class=\"soft\">{}</span></summary>\n",
                                 escaped(view.label(row)), escaped(summary_text(row)));
  html += findings_html(*launches) + tree_html(*launches, view.label(row));
  for (const lens::Group& group : lens::merge_alike(*launches)) {
    html += launch_table(group, paths);
    html += bound_html(group, lens::find_rates(row.device));
  }
  return html + map_html(*launches, view.label(row)) + "</details>\n";
}

Bar count_bar(const AccessCounts& counts, Colour colour) {
  Bar one{{{0, counts.per_request(), colour}}, std::nullopt, digits(counts.per_request())};
  if (!counts.ideal) return one;
  const double ideal = *counts.ideal / counts.requests;
  one.mark = ideal;
  if (counts.per_request() > ideal * 1.005) one.text += fmt::format(", ideal {}", digits(ideal));
  return one;
}

std::string count_chart(const LabView& view, const CaseGroup& group, const char* load, const char* store,
                        const std::string& what) {
  BarChart chart;
  chart.alt = fmt::format("{} of each rung of {}, loads and stores", what, view.lab);
  chart.axis = what;
  for (const Row* row : group.rows) {
    BarGroup bars{fmt::format("{} {}", view.number_of(row->rung), view.label(*row)), {}};
    for (const auto& [kind, colour] : {std::pair{load, series_colour(0)}, {store, series_colour(1)}})
      if (const auto counts = access_counts(*row, kind)) bars.bars.push_back(count_bar(*counts, colour));
    if (!bars.bars.empty()) chart.groups.push_back(std::move(bars));
  }
  if (chart.groups.empty()) return "";
  return figure_html(
      chart,
      "<ul class=\"legend\"><li><i class=\"key0\"></i>loads</li><li><i class=\"key1\"></i>stores</li>"
      "<li><b>|</b> the ideal: as few as the bytes asked for allow</li></ul>");
}

}  // namespace

std::optional<AccessCounts> access_counts(const Row& row, const char* kind) {
  if (!row.lens.is_object()) return std::nullopt;
  const auto access = row.lens.find(kind);
  if (access == row.lens.end() || !access->is_object()) return std::nullopt;
  const auto requests = number(*access, "requests");
  const bool shared = std::string_view(kind).starts_with("shared");
  const auto cost = number(*access, shared ? "wavefronts" : "sectors");
  if (!requests || *requests <= 0 || !cost) return std::nullopt;
  return AccessCounts{*requests, *cost, number(*access, shared ? "ideal_wavefronts" : "ideal_sectors")};
}

std::optional<double> bank_conflicts(const Row& row) {
  std::optional<double> sum;
  for (const char* kind : {"shared_load", "shared_store"})
    if (row.lens.is_object() && row.lens.contains(kind) && row.lens[kind].is_object())
      if (const auto conflicts = number(row.lens[kind], "bank_conflicts")) sum = sum.value_or(0) + *conflicts;
  return sum;
}

std::string sectors_text(const Row& row) {
  const auto load = access_counts(row, "global_load"), store = access_counts(row, "global_store");
  if (!load && !store) return "";
  return fmt::format("{} + {}", load ? digits(load->per_request()) : "–",
                     store ? digits(store->per_request()) : "–");
}

std::string count_charts(const LabView& view, const CaseGroup& group) {
  return count_chart(view, group, "global_load", "global_store", "sectors per request (global memory)") +
         count_chart(view, group, "shared_load", "shared_store", "wavefronts per request (shared memory)");
}

std::string lens_section(const LabView& view, const CaseGroup& group, const std::string& id) {
  std::string html;
  for (const Row* row : group.rows) html += rung_details(view, *row);
  if (html.empty()) return "";
  return "<h3 id=\"" + id +
         "\">Line by line</h3>\n<p class=\"small soft\">What the lens counted of each line that touched "
         "memory, and "
         "what the lanes of its costliest warps touched. Rows far from their ideal are tinted.</p>\n" +
         html;
}

}  // namespace warplab::report
