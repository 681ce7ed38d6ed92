#include "report/run/run_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/results/verdict.hpp"
#include "report/charts/chart.hpp"
#include "report/html/html.hpp"
#include "report/results/number_text.hpp"
#include "report/run/block_shapes.hpp"
#include "report/run/lab_section.hpp"
#include "report/run/lens_section.hpp"
#include "report/run/style.hpp"

namespace warplab::report {
namespace {

std::string tally_html(const Run& run) {
  std::map<std::optional<RungStatus>, int> counts;
  int rungs = 0, verified = 0;
  for (const Row& row : run.rows) {
    if (!row.is_rung()) continue;
    ++rungs;
    verified += row.status == RungStatus::ok && row.verified;
    if (row.status != RungStatus::ok) ++counts[row.status];
  }
  std::string html = fmt::format(
      "<ul class=\"tally\"><li><b>{}</b> lab{}</li><li><b>{}</b> measurements</li>"
      "<li class=\"good\"><b>{}</b> verified</li>",
      run.labs().size(), run.labs().size() == 1 ? "" : "s", rungs, verified);
  for (const auto& [status, count] : counts)
    html += fmt::format("<li class=\"{}\"><b>{}</b> {}</li>", is_failure(status) ? "bad" : "warn", count,
                        escaped(status_text(status)));
  return html + "</ul>\n";
}

/// The row that stands for a lab: the fastest of a case; on the emulator the last verified.
const Row* row_for(const CaseGroup& group) {
  if (const Row* const best = fastest(group)) return best;
  const Row* last = group.rows.front();
  for (const Row* row : group.rows)
    if (row->status == RungStatus::ok && row->role == "rung") last = row;
  return last;
}

Cell verified_cell(const LabView& view) {
  const auto right = std::ranges::count_if(
      view.rows, [](const Row* row) { return row->status == RungStatus::ok && row->verified; });
  const bool failed = std::ranges::any_of(view.rows, [](const Row* row) { return is_failure(row->status); });
  return number_cell(fmt::format("{} of {}", right, view.rows.size()), failed ? "bad" : "");
}

std::string labs_table(const Run& run, const std::vector<LabView>& views) {
  const bool timed = std::ranges::any_of(run.rows, [](const Row& row) { return row.time_ms.has_value(); });
  // What counts comes first: a telephone shows four columns, and the others after a swipe.
  HtmlTable table{{"lab", timed ? "fastest rung" : "last rung"}, {}, {}};
  const std::vector<std::string> more =
      timed ? std::vector<std::string>{"median", "rate", "of SOL"}
            : std::vector<std::string>{"sectors per request, load + store", "bank conflicts"};
  table.columns.insert(table.columns.end(), more.begin(), more.end());
  table.columns.insert(table.columns.end(), {"verified", "input"});
  for (std::size_t i = 0; i < views.size(); ++i) {
    const LabView& view = views[i];
    const CaseGroup& group = view.headline_case();
    const Row& row = *row_for(group);
    std::vector<Cell> cells = {{fmt::format("<a href=\"#lab{}\">{}</a>", i, escaped(view.lab)), false, "key"},
                               text_cell(view.label(row))};
    if (timed) {
      const auto rate = rate_of(row, rate_unit(group));
      cells.push_back(number_cell(row.time_ms ? time_text(row.time_ms->median) : "–"));
      cells.push_back(number_cell(rate ? digits(*rate) + " " + rate_unit(group) : "–"));
      cells.push_back(light_cell(row));
    } else {
      const std::string sectors = sectors_text(row);
      const auto conflicts = bank_conflicts(row);
      cells.push_back(number_cell(sectors.empty() ? "–" : sectors));
      cells.push_back(number_cell(conflicts ? quantity(*conflicts) : "–"));
    }
    cells.push_back(verified_cell(view));
    cells.push_back(text_cell(group.text));
    table.rows.push_back(std::move(cells));
  }
  return table_html(table, "labs");
}

/// The medians of all rows from lowest to highest, and the most power and heat; "" where no row has them.
std::string clock_text(const Run& run) {
  double lowest_mhz = 0, highest_mhz = 0, power_w = 0, temperature_c = 0;
  for (const Row& row : run.rows) {
    if (!row.sm_clock_mhz) continue;
    lowest_mhz = highest_mhz == 0 ? *row.sm_clock_mhz : std::min(lowest_mhz, *row.sm_clock_mhz);
    highest_mhz = std::max(highest_mhz, *row.sm_clock_mhz);
    power_w = std::max(power_w, row.power_w.value_or(0));
    temperature_c = std::max(temperature_c, row.temperature_c.value_or(0));
  }
  if (highest_mhz == 0) return "";
  std::string text = lowest_mhz == highest_mhz ? fmt::format("{:.0f} MHz", highest_mhz)
                                               : fmt::format("{:.0f} to {:.0f} MHz", lowest_mhz, highest_mhz);
  text += " while rungs were timed";
  if (power_w > 0) text += fmt::format("; at most {:.0f} W", power_w);
  if (temperature_c > 0)
    text += fmt::format("{} {:.0f} °C", power_w > 0 ? " and" : "; at most", temperature_c);
  return text;
}

}  // namespace

std::string conditions_html(const Run& run) {
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [name, key] : {std::pair{"device", "device"},
                                  {"driver for CUDA", "driver"},
                                  {"CUDA runtime", "toolkit"},
                                  {"compiler flags", "flags"},
                                  {"CPU baseline", "cpu_flags"},
                                  {"commit", "commit"},
                                  {"date", "date"},
                                  {"host", "host"}})
    facts.emplace_back(name, run.fact(key).empty() ? "not recorded" : escaped(run.fact(key)));
  if (const std::string clock = clock_text(run); !clock.empty())
    facts.insert(facts.begin() + 1, {"clock of the SMs", clock});
  std::string html = facts_html(facts);
  return html + fmt::format("<p class=\"small\"><span class=\"soft\">command</span> <code>{}</code></p>\n",
                            escaped(run.fact("command").empty() ? "not recorded" : run.fact("command")));
}

std::string run_page(const Run& run) {
  const std::string device = run.fact("device");
  const std::string title = device.empty() ? "warplab: results" : "warplab on " + device;
  std::vector<LabView> views;
  for (const std::string& lab : run.labs())
    if (LabView view = view_of(run, lab); !view.rows.empty()) views.push_back(std::move(view));
  std::string body = fmt::format("<h1>{}</h1>\n<p class=\"lead\">{}</p>\n{}", escaped(title),
                                 escaped(run.name), tally_html(run));
  body += "<section>\n<h2>The run</h2>\n" + conditions_html(run);
  if (run.emulated())
    body +=
        "<p class=\"note\">Counts, no times: this ran on warplab's CUDA-on-CPU emulator, and what a CPU "
        "takes says nothing of a GPU.</p>\n";
  else
    body +=
        "<p class=\"small soft\">Times are medians by CUDA events with a cold L2; ± is half of the median's "
        "95 % interval. GB/s counts the bytes that must move, 10⁹ per second. “Of SOL” is the share of the "
        "speed of light, which is what bounds the rung, measured in the same run.</p>\n";
  body += "</section>\n<section>\n<h2>All labs</h2>\n" + labs_table(run, views) + "</section>\n";
  for (std::size_t i = 0; i < views.size(); ++i) body += lab_section(run, views[i], fmt::format("lab{}", i));
  if (std::ranges::any_of(run.rows, ran_in_two_dimensions)) body += block_shapes_html();
  body +=
      "<footer>Made from results.json by <code>warplab report</code>; results.csv beside it has the same "
      "rows.</footer>\n";
  return page_html(title, body, style_sheet());
}

}  // namespace warplab::report
