#include "lens/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "lens/bounds/bounds.hpp"
#include "lens/merge.hpp"
#include "lens/nvidia/ptx_accesses.hpp"
#include "lens/text/advice.hpp"
#include "lens/text/launch_tree.hpp"
#include "lens/text/source_text.hpp"
#include "lens/text/table_rows.hpp"

namespace warplab::lens {
namespace {

enum class Style { plain, strong, faint, warning, error };

std::string extent(const std::array<unsigned, 3>& e) {
  std::string text = std::to_string(e[0]);
  if (e[1] > 1 || e[2] > 1) text += fmt::format("x{}", e[1]);
  if (e[2] > 1) text += fmt::format("x{}", e[2]);
  return text;
}

std::string point(const std::array<unsigned, 3>& p) { return fmt::format("({}, {}, {})", p[0], p[1], p[2]); }

/// Writes the table of one group of launches after another.
class Writer {
 public:
  Writer(const TableOptions& options, const ShortPaths& paths) : options_(options), paths_(paths) {}

  void group(const Group& group, bool is_all);
  void put(const std::string& line, Style style = Style::plain) { text_ += styled(line, style) + "\n"; }
  std::string moved_text(std::uint64_t moved) const;
  std::string take() { return std::move(text_); }

 private:
  std::string styled(const std::string& text, Style style) const;
  /// Words in as many lines as they need, each indented by `margin`; the first one
  /// starts with `mark` within it.
  void wrapped(const std::string& text, std::size_t margin, const std::string& mark, Style style);
  /// The same beside a label, as rows have theirs.
  void labelled(const std::string& label, const std::string& text, Style style = Style::plain);
  void row(const Row& row);
  void header(const Group& group);
  void line(const Line& line, const Launch& launch);
  void totals(const Launch& launch, bool is_all);
  void bounds(const Launch& launch, std::uint64_t launches);
  void rates(const Launch& launch);
  void missing(const Launch& launch);
  void findings(const Launch& launch);

  const TableOptions& options_;
  const ShortPaths& paths_;
  SourceText source_;
  std::string text_;
};

constexpr std::size_t margin = 7;  // of the rows below a source line
constexpr std::size_t label_width = 16;

bool asks_memory(const Counts& c) {
  return c.global_load.requests + c.global_store.requests + c.shared_load.requests + c.shared_store.requests +
             c.global_atomics.requests + c.shared_atomics.requests >
         0;
}

std::string Writer::styled(const std::string& text, Style style) const {
  if (!options_.colour || style == Style::plain || text.empty()) return text;
  const char* const code = style == Style::strong    ? "1"
                           : style == Style::faint   ? "2"
                           : style == Style::warning ? "33"
                                                     : "31";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

void Writer::wrapped(const std::string& text, std::size_t indent, const std::string& mark, Style style) {
  std::istringstream words(text);
  std::string line = mark.empty() ? std::string(indent, ' ') : mark;
  bool fresh = true;
  for (std::string word; words >> word;) {
    if (!fresh && shown_width(line) + 1 + shown_width(word) > options_.width) {
      put(line, style);
      line.assign(indent, ' ');
      fresh = true;
    }
    line += (fresh ? "" : " ") + word;
    fresh = false;
  }
  if (!fresh) put(line, style);
}

void Writer::labelled(const std::string& label, const std::string& text, Style style) {
  wrapped(text, margin + label_width, fmt::format("{:{}}{:<{}}", "", margin, label, label_width), style);
}

void Writer::row(const Row& row) {
  const std::string left = fmt::format("{:{}}{:<{}}", "", margin, row.label, label_width);
  if (row.requests.empty()) return put(left + row.text, row.far ? Style::warning : Style::plain);
  put(fmt::format("{}{:<57}{:>20}", left, row.text, row.requests), row.far ? Style::warning : Style::plain);
}

void Writer::header(const Group& group) {
  const Launch& launch = group.launch;
  put(fmt::format("{}  grid {}  block {}", launch.kernel, extent(launch.grid), extent(launch.block)),
      Style::strong);
  const std::string times =
      group.launches > 1 ? fmt::format("{} launches, added up; ", grouped(group.launches)) : "";
  if (!launch.recorded())
    return wrapped(
        times + "nothing was counted: " + (launch.note.empty() ? "no block was recorded" : launch.note), 2,
        "", Style::warning);
  if (launch.scaled())
    put(fmt::format("  {}{} of {} blocks recorded; counts are scaled to all", times,
                    grouped(launch.blocks_recorded), grouped(launch.blocks)));
  else
    put(fmt::format("  {}{}", times,
                    launch.blocks == 1 ? "its one block recorded"
                                       : fmt::format("all {} blocks recorded", grouped(launch.blocks))));
  if (!launch.note.empty()) wrapped(launch.note, 2, "", Style::warning);
}

void Writer::line(const Line& line, const Launch& launch) {
  const std::vector<Row> rows = rows_of_line(line.counts, launch);
  if (rows.empty()) return;
  const std::string source = source_.line(line);
  put(fmt::format("{:>5}  {}", line.line, cut(source, options_.width - margin)), Style::strong);
  for (const Row& each : rows) row(each);
  if (line.compiled && (!line.compiled->empty() || asks_memory(line.counts)))
    labelled("as compiled", compiled_text(*line.compiled), Style::faint);
  wrapped(advice(line, source, &launch.counts), margin + 2, std::string(margin, ' ') + "> ", Style::warning);
}

std::string Writer::moved_text(std::uint64_t moved) const {
  std::string text = grouped(moved) + " bytes in whole sectors";
  const auto& least = options_.bytes_that_must_move;
  if (least && *least > 0)
    text += fmt::format(": {:.2f} times the {} that must move",
                        static_cast<double>(moved) / static_cast<double>(*least), grouped(*least));
  return text;
}

void Writer::totals(const Launch& launch, bool is_all) {
  put("  in total", Style::strong);
  for (const Row& each : rows_of_launch(launch)) row(each);
  const std::uint64_t moved = bytes_moved(launch.counts);
  const bool known = measured(launch, "global_load.sectors") && measured(launch, "global_store.sectors");
  if (known && is_all)
    row({"moved", moved_text(moved), ""});
  else if (known)
    row({"moved", grouped(moved) + " bytes in whole sectors", ""});
  if (!measured(launch, "occupancy")) return;
  const Occupancy& o = launch.occupancy;
  const bool bound = launch.source == Source::emulator;  // registers are not known
  labelled("occupancy",
           fmt::format("{}{:.0f} % of a multiprocessor's warps: it holds {} such block{}, limited by {}{}",
                       bound ? "at most " : "", 100 * o.theoretical, o.blocks_per_multiprocessor,
                       o.blocks_per_multiprocessor == 1 ? "" : "s", o.limited_by,
                       bound ? " (registers are not known here)" : ""),
           o.theoretical < 0.5 ? Style::warning : Style::plain);
  wrapped(advice(o, launch.static_shared_bytes + launch.dynamic_shared_bytes), margin + 2,
          std::string(margin, ' ') + "> ", Style::warning);
}

void Writer::bounds(const Launch& launch, std::uint64_t launches) {
  if (options_.rates == nullptr || !launch.work) return;
  labelled("bound of time",
           "not below " + bounds_text(bounds_of(launch, *options_.rates, launches), *options_.rates));
}

void Writer::rates(const Launch& launch) {
  std::string text;
  for (const auto& [name, value] : launch.rates) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    const std::size_t percent = words.rfind(" percent");
    if (percent != std::string::npos) words.resize(percent);
    text += fmt::format("{}{} {:.4g}{}", text.empty() ? "" : ", ", words, value,
                        percent == std::string::npos ? "" : " %");
  }
  if (!text.empty()) labelled("the units", text);
}

void Writer::missing(const Launch& launch) {
  std::map<std::string, std::string> names;  // by reason
  for (const auto& [name, why] : launch.not_measured) {
    std::string& list = names[why];
    std::string plain = name;
    std::replace(plain.begin(), plain.end(), '_', ' ');
    std::replace(plain.begin(), plain.end(), '.', ' ');
    list += (list.empty() ? "" : ", ") + plain;
  }
  for (const auto& [why, list] : names)
    wrapped("not measured: " + list + " (" + why + ")", 4, "  ", Style::faint);
}

void Writer::findings(const Launch& launch) {
  if (!measured(launch, "findings")) return;
  if (launch.source != Source::emulator)
    return put("  findings: not looked for here; the emulator's lens and compute-sanitizer find them",
               Style::faint);
  const std::string share = launch.scaled() ? fmt::format(" in the {} blocks recorded, {:.2g} % of all",
                                                          grouped(launch.blocks_recorded),
                                                          100 * static_cast<double>(launch.blocks_recorded) /
                                                              static_cast<double>(launch.blocks))
                                            : "";
  if (launch.findings.empty()) return put("  findings: none" + share);
  put(fmt::format("  findings: {}{}", launch.findings.size(), share), Style::strong);
  std::size_t shown = 0;
  for (const Finding& f : launch.findings) {
    if (shown++ == options_.max_findings) {
      put(fmt::format("    and {} more; the JSON has them all",
                      launch.findings.size() - options_.max_findings));
      break;
    }
    const std::string place = f.file.empty() ? "" : fmt::format(", {}:{}", paths_(f.file), f.line);
    const std::string who = f.kernel.empty() ? ""
                                             : fmt::format(": {}, block {}, thread {}", f.kernel,
                                                           point(f.block), point(f.thread));
    wrapped(name_of(f.kind) + who + place, 6, "    ", Style::error);
    if (const std::string source = source_.line(f.file, f.line); !source.empty())
      put("      | " + cut(source, options_.width - 8), Style::faint);
    wrapped(f.text + (f.times > 1 ? fmt::format(" ({} times)", grouped(f.times)) : ""), 6, "", Style::plain);
  }
}

void Writer::group(const Group& group, bool is_all) {
  const Launch& launch = group.launch;
  header(group);
  if (launch.recorded()) {
    std::string file;
    for (const Line& each : launch.lines) {
      if (rows_of_line(each.counts, launch).empty()) continue;
      if (each.file != file) put("  " + paths_(file = each.file));
      line(each, launch);
    }
    totals(launch, is_all);
    bounds(launch, group.launches);
    if (group.launches == 1) rates(launch);  // rates of several do not add up
    missing(launch);
  }
  if (launch.recorded() || !launch.findings.empty()) findings(launch);
}

}  // namespace

std::string table(const std::vector<Launch>& launches, const TableOptions& options) {
  if (launches.empty()) return "no kernel was launched\n";
  std::vector<const Launch*> all;
  for (const Launch& launch : launches) all.push_back(&launch);
  const ShortPaths paths(all);
  const std::vector<Group> groups = merge_alike(launches);

  // Of many, those that have something to tell: findings first, then the most traffic;
  // shown in the order of the launches.
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto weight = [&](std::size_t i) {
    const Launch& launch = groups[i].launch;
    const Counts& c = launch.counts;
    return std::make_pair(launch.findings.size(),
                          bytes_moved(c) + 32 * (c.shared_load.wavefronts + c.shared_store.wavefronts));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  order.resize(std::min(order.size(), options.max_launches));
  std::sort(order.begin(), order.end());

  Writer writer(options, paths);
  bool first = true;
  for (std::size_t i : order) {
    if (!first) writer.put("");
    first = false;
    writer.group(groups[i], groups.size() == 1);
  }
  if (groups.size() > order.size())
    writer.put(fmt::format("\nand {} more kinds of launch, with less traffic; the JSON has them all",
                           grouped(groups.size() - order.size())));
  if (groups.size() > 1) {
    std::uint64_t moved = 0;
    bool known = true;
    for (const Launch& launch : launches) {
      moved += bytes_moved(launch.counts);
      known = known && launch.recorded() && measured(launch, "global_load.sectors") &&
              measured(launch, "global_store.sectors");
    }
    if (known)
      writer.put(
          fmt::format("\nall {} launches moved {}", grouped(count_of(launches)), writer.moved_text(moved)),
          Style::strong);
  }
  if (options.rates != nullptr && groups.size() > 1)
    if (const auto bounds = bounds_of_call(launches, *options.rates))
      writer.put("and take not less than " + bounds_text(*bounds, *options.rates), Style::strong);
  if (has_tree(launches)) writer.put(tree_text(launches), Style::strong);
  return writer.take();
}

}  // namespace warplab::lens
