#include "lens/map_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "lens/map_panel.hpp"
#include "lens/merge.hpp"
#include "lens/source_text.hpp"

namespace warplab::lens {
namespace {

struct Candidate {
  const Launch* launch;
  const Line* line;
  const RequestSample* sample;
  double waste;  // of all the line's requests of this kind, in sectors
};

bool is_shared(RequestKind kind) {
  return kind == RequestKind::shared_load || kind == RequestKind::shared_store;
}

double excess(std::uint64_t cost, std::uint64_t ideal) {
  return cost > ideal ? static_cast<double>(cost - ideal) : 0;
}

double waste_of(const Counts& c, RequestKind kind) {
  switch (kind) {
    case RequestKind::global_load:
      return excess(c.global_load.sectors, c.global_load.ideal_sectors);
    case RequestKind::global_store:
      return excess(c.global_store.sectors, c.global_store.ideal_sectors);
    case RequestKind::shared_load:
      return excess(c.shared_load.wavefronts, c.shared_load.ideal_wavefronts) / 4;
    case RequestKind::shared_store:
      return excess(c.shared_store.wavefronts, c.shared_store.ideal_wavefronts) / 4;
  }
  return 0;
}

std::string verdict(const RequestSample& s) {
  const unsigned lanes = static_cast<unsigned>(std::popcount(s.mask));
  const bool shared = is_shared(s.kind);
  const bool store = s.kind == RequestKind::global_store || s.kind == RequestKind::shared_store;
  const char* const unit = shared ? "wavefront" : "sector";
  std::string text =
      fmt::format("{} lane{} {} {} byte{}{} {} {} memory: {} {}{}", lanes, lanes == 1 ? "" : "s",
                  store ? (lanes == 1 ? "stores" : "store") : (lanes == 1 ? "loads" : "load"), s.bytes,
                  s.bytes == 1 ? "" : "s", lanes == 1 ? "" : " each", store ? "to" : "from",
                  shared ? "shared" : "global", s.cost, unit, s.cost == 1 ? "" : "s");
  return text + (s.cost > s.ideal ? fmt::format(" where {} would do", s.ideal) : ", as few as can be");
}

}  // namespace

double draw_head(Svg& drawing, const RequestSample& sample, const std::string& place,
                 const std::string& source, const std::string& kernel) {
  constexpr double box = 22, top = 96;
  // A character of code is at most 8 pixels wide at this size, one of prose less.
  drawing.text(layout::left, 22, cut(source.empty() ? place : place + "   " + source, 112), "code");
  drawing.text(layout::left, 46, verdict(sample), "verdict");
  drawing.text(layout::left, 66,
               cut(fmt::format("warp {} of block ({}, {}, {}) of {}", sample.warp, sample.block[0],
                               sample.block[1], sample.block[2], kernel),
                   120),
               "faint");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const bool on = sample.mask >> lane & 1;
    drawing.rect(layout::left + lane * layout::pitch + 2, top - box, layout::pitch - 4, box,
                 on ? "lane-box" : "lane-box-off", 3);
    drawing.text(layout::lane_center(lane), top - 7, std::to_string(lane), on ? "lane" : "lane-off",
                 "middle");
  }
  drawing.text(layout::left - 8, top - 7, "lane", "faint", "end");
  return top;
}

double draw_key(Svg& drawing, double x, double y, const std::string& style, const std::string& meaning) {
  drawing.rect(x, y - 10, 12, 12, style, 2);
  drawing.text(x + 18, y, meaning, "faint");
  return x + 18 + 6.8 * static_cast<double>(meaning.size()) + 16;
}

std::string map_svg(const std::vector<Launch>& launches, const MapOptions& options) {
  const std::vector<Group> groups = merge_alike(launches);
  std::vector<const Launch*> all;
  std::vector<Candidate> candidates;
  for (const Group& group : groups) {
    all.push_back(&group.launch);
    for (const Line& line : group.launch.lines) {
      if (options.line && line.line != *options.line) continue;
      for (const RequestSample& sample : line.samples)
        if (sample.mask != 0)
          candidates.push_back({&group.launch, &line, &sample, waste_of(line.counts, sample.kind)});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.waste > b.waste; });
  const ShortPaths paths(all);
  SourceText source;

  Svg drawing;
  double y = 16;
  std::string title = "What the lanes of a warp touch";
  if (!groups.empty())
    title += ": " + cut(groups.front().launch.kernel, 50) + (groups.size() > 1 ? " and others" : "");
  drawing.text(layout::left, y + 16, title, "heading");
  y += 34;
  const std::size_t shown = std::min(candidates.size(), options.max_panels);
  for (std::size_t i = 0; i < shown; ++i) {
    const Candidate& c = candidates[i];
    const std::string place = fmt::format("{}:{}", paths(c.line->file), c.line->line);
    const std::string text = source.line(c.line->file, c.line->line);
    const auto draw = is_shared(c.sample->kind) ? shared_panel : global_panel;
    const Panel panel = draw(*c.sample, place, text, c.launch->kernel);
    drawing.line(layout::left, y, layout::right, y, "rule");
    drawing.add(panel.drawing, y + 4);
    y += panel.height + 16;
  }
  if (candidates.empty()) {
    drawing.text(layout::left, y + 16,
                 options.line ? fmt::format("No warp loaded or stored anything on line {} that was recorded.",
                                            *options.line)
                              : "No warp loaded or stored anything that was recorded.",
                 "faint");
    y += 32;
  } else if (candidates.size() > shown) {
    drawing.text(
        layout::left, y + 6,
        fmt::format("{} more line{} with less waste {} not drawn", candidates.size() - shown,
                    candidates.size() - shown == 1 ? "" : "s", candidates.size() - shown == 1 ? "is" : "are"),
        "faint");
    y += 22;
  }
  return drawing.document(layout::width, y + 8, title);
}

}  // namespace warplab::lens
