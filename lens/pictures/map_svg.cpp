#include "lens/pictures/map_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lens/merge.hpp"
#include "lens/pictures/map_panel.hpp"
#include "lens/text/request_text.hpp"
#include "lens/text/source_text.hpp"

namespace warplab::lens {
namespace {

struct Candidate {
  const Launch* launch;
  const Line* line;
  const RequestSample* sample;
  double waste;  // of all the line's requests of this kind, in sectors
};

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

}  // namespace

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
    const std::string text = source.line(*c.line);
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
