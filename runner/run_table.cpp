#include "runner/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/console/text_table.hpp"
#include "harness/results/verdict.hpp"
#include "report/results/number_text.hpp"

namespace warplab::runner {
namespace {

using report::number_at;
using report::Row;

std::string rung_text(const Row& row) {
  if (row.rung.empty()) return "-";
  const std::string block = row.param("block");
  return block.empty() ? row.rung : row.rung + " " + block;
}

std::string verdict_of(const Row& row) {
  const std::string verdict = verdict_text(row.status, row.verified);
  const std::size_t findings = row.status == RungStatus::ok ? row.findings().size() : 0;
  return findings == 0 ? verdict
                       : fmt::format("{}, {} finding{}", verdict, findings, findings == 1 ? "" : "s");
}

/// Sectors per request of loads and of stores, and bank conflicts; "" without the lens.
std::string lens_text(const Row& row) {
  const auto loads = number_at(row.lens, {"global_load", "sectors_per_request"}),
             stores = number_at(row.lens, {"global_store", "sectors_per_request"});
  if (!loads && !stores) return "";
  const auto sectors = [](const std::optional<double>& n) { return n ? fmt::format("{:.1f}", *n) : "-"; };
  const double conflicts = number_at(row.lens, {"shared_load", "bank_conflicts"}).value_or(0) +
                           number_at(row.lens, {"shared_store", "bank_conflicts"}).value_or(0);
  return fmt::format("{} + {} sectors{}", sectors(loads), sectors(stores),
                     conflicts > 0 ? fmt::format(", {} conflicts", report::quantity(conflicts)) : "");
}

/// The rate where there is a time, else what was counted.
std::string rate_text(const Row& row) {
  if (row.light && row.light->unit == "GFLOP/s" && row.gflop_per_s)
    return report::digits(*row.gflop_per_s) + " GFLOP/s";
  if (row.gb_per_s) return report::digits(*row.gb_per_s) + " GB/s";
  if (const std::string text = lens_text(row); !text.empty()) return text;
  const auto threads = number_at(row.counts, {"threads"});
  if (!threads || *threads <= 0) return "-";
  return fmt::format("{} threads, {} barriers", report::quantity(*threads),
                     report::quantity(number_at(row.counts, {"barriers"}).value_or(0)));
}

/// The published figures and where they are: "004 table 2, row 5: titan_x_ms 0.06".
std::string published_text(const Row& row) {
  if (!row.published.is_object()) return "";
  const auto text = [&](const char* key) {
    const auto found = row.published.find(key);
    return found != row.published.end() && found->is_string() ? found->get<std::string>() : "-";
  };
  std::string figures;
  for (const auto& [name, value] : row.published.items())
    if (value.is_number()) figures += fmt::format(" {} {}", name, value.dump());
  return figures.empty() ? "" : fmt::format("{}, row {}:{}", text("table"), text("row"), figures);
}

std::vector<std::string> cells_of(const Row& row, bool has_published) {
  std::vector<std::string> cells{row.lab.empty() ? "-" : row.lab,
                                 rung_text(row),
                                 row.size_text(),
                                 row.dtype,
                                 verdict_of(row),
                                 rate_text(row),
                                 row.light ? fmt::format("{:.1f} %", 100 * row.light->fraction) : "-"};
  if (has_published) {
    cells.push_back(row.time_ms ? fmt::format("{:.4g}", row.time_ms->median) : "-");
    cells.push_back(published_text(row));
  }
  return cells;
}

/// Why a rung is not right, in one line, or what the lens found in one that is.
std::string remarks_on(const Row& row) {
  const std::string begin = fmt::format("  {} {}: ", row.lab.empty() ? "-" : row.lab, rung_text(row));
  if (row.status != RungStatus::ok)
    return row.why.empty() ? "" : begin + row.why.substr(0, row.why.find('\n')) + "\n";
  std::string text;
  for (const std::string& finding : row.findings()) text += begin + finding + "\n";
  return text;
}

}  // namespace

std::string run_table(const report::Run& run) {
  const bool has_published =
      std::ranges::any_of(run.rows, [](const Row& row) { return !published_text(row).empty(); });
  std::vector<TextTable::Column> columns{
      {"lab"}, {"rung"}, {"size"}, {"type"}, {"verified"}, {"rate or count", 0, true}, {"of SOL", 0, true}};
  if (has_published) columns.insert(columns.end(), {{"median ms", 0, true}, {"published"}});
  TextTable table(columns);
  std::vector<std::vector<std::string>> rows;
  std::string remarks;
  for (const Row& row : run.rows) {
    if (!row.is_rung()) continue;
    rows.push_back(cells_of(row, has_published));
    table.make_room_for(rows.back());
    if (const std::string more = remarks_on(row); remarks.find(more) == std::string::npos) remarks += more;
  }
  std::string text = table.header();
  for (const auto& cells : rows) text += table.row(cells);
  if (run.emulated()) text += "counts, no times: what runs here is this CPU, not a GPU\n";
  return text + remarks;
}

}  // namespace warplab::runner
