#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lens/pictures/map_panel.hpp"
#include "lens/text/table_rows.hpp"

namespace warplab::lens {
namespace {

constexpr std::uint64_t sector_bytes = 32, line_bytes = 128;
constexpr double global_fan = 130, strip = 34;  // heights of the wires' space and of memory

/// What a lane asks for, as bytes from and to.
struct Range {
  std::uint64_t first, last;  // both belong to it
};

Range range_of(const RequestSample& sample, unsigned lane) {
  return {sample.address[lane], sample.address[lane] + std::max(sample.bytes, 1u) - 1};
}

/// Where each 128-byte line that is touched is.
class Strip {
 public:
  explicit Strip(const RequestSample& sample) {
    std::set<std::uint64_t> lines;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!(sample.mask >> lane & 1)) continue;
      const Range range = range_of(sample, lane);
      for (std::uint64_t sector = range.first / sector_bytes; sector <= range.last / sector_bytes; ++sector) {
        sectors_.insert(sector);
        lines.insert(sector * sector_bytes / line_bytes);
      }
    }
    std::size_t gaps = 0;
    for (auto i = lines.begin(); i != lines.end(); ++i) gaps += i != lines.begin() && *i != *std::prev(i) + 1;
    gap_ = gaps == 0 ? 0 : std::min(26.0, 0.2 * layout::lanes_width / static_cast<double>(gaps));
    width_ = lines.empty() ? 0
                           : (layout::lanes_width - gap_ * static_cast<double>(gaps)) /
                                 static_cast<double>(lines.size());
    double x = layout::left;
    for (auto i = lines.begin(); i != lines.end(); ++i) {
      if (i != lines.begin() && *i != *std::prev(i) + 1) {
        gap_centers_.push_back(x + gap_ / 2);
        x += gap_;
      }
      x_[*i] = x;
      x += width_;
    }
  }

  double x_of(std::uint64_t byte) const {
    return x_.at(byte / line_bytes) + width_ * static_cast<double>(byte % line_bytes) / line_bytes;
  }
  double byte_width() const { return width_ / line_bytes; }
  double line_width() const { return width_; }
  const std::map<std::uint64_t, double>& lines() const { return x_; }
  const std::set<std::uint64_t>& sectors() const { return sectors_; }
  const std::vector<double>& gap_centers() const { return gap_centers_; }
  double gap() const { return gap_; }

 private:
  std::set<std::uint64_t> sectors_;
  std::map<std::uint64_t, double> x_;
  std::vector<double> gap_centers_;
  double gap_ = 0, width_ = 0;
};

void draw_memory(Svg& drawing, const RequestSample& sample, const Strip& memory, double y) {
  for (const auto& [line, x] : memory.lines())
    for (std::uint64_t k = 0; k < line_bytes / sector_bytes; ++k) {
      const bool touched = memory.sectors().contains(line * (line_bytes / sector_bytes) + k);
      const double width = memory.line_width() / 4;
      drawing.rect(x + static_cast<double>(k) * width + 0.5, y, width - 1, strip,
                   touched ? "moved" : "unmoved");
    }
  std::set<std::pair<std::uint64_t, std::uint64_t>> drawn;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(sample.mask >> lane & 1)) continue;
    const Range range = range_of(sample, lane);
    if (!drawn.emplace(range.first, range.last).second) continue;
    // A lane's bytes may lie in two lines.
    for (std::uint64_t from = range.first; from <= range.last; from = (from / line_bytes + 1) * line_bytes) {
      const std::uint64_t last = std::min(range.last, from / line_bytes * line_bytes + line_bytes - 1);
      const double width = static_cast<double>(last - from + 1) * memory.byte_width();
      const double space = width > 8 ? 1.5 : width > 3 ? 0.5 : 0;
      drawing.rect(memory.x_of(from) + space, y + 6, std::max(width - 2 * space, 1.5), strip - 12, "asked",
                   width > 8 ? 2 : 0);
    }
  }
  for (double center : memory.gap_centers())
    for (int dot = -1; dot <= 1; ++dot) {
      const double size = std::min(3.0, memory.gap() / 6);
      drawing.rect(center + dot * memory.gap() / 4 - size / 2, y + strip / 2 - size / 2, size, size, "dot",
                   size / 2);
    }
}

/// Under as many lines as there is room for, their distance from the first.
void draw_addresses(Svg& drawing, const Strip& memory, double y) {
  double free_from = 0;
  for (const auto& [line, x] : memory.lines()) {
    const std::uint64_t distance = (line - memory.lines().begin()->first) * line_bytes;
    const std::string label = (distance == 0 ? "" : "+") + grouped(distance);
    const double width = 6.2 * static_cast<double>(label.size());
    const double start = std::min(x, layout::width - 8 - width);
    if (start < free_from) continue;
    drawing.line(x + 0.5, y - 10, x + 0.5, y - 6, "unmoved");
    drawing.text(start, y + 3, label, "small");
    free_from = start + width + 10;
  }
  drawing.text(layout::left - 8, y + 3, "byte", "small", "end");
}

}  // namespace

Panel global_panel(const RequestSample& sample, const std::string& place, const std::string& source,
                   const std::string& kernel) {
  Panel panel;
  Svg& drawing = panel.drawing;
  const double lanes_end = draw_head(drawing, sample, place, source, kernel);
  const Strip memory(sample);
  const double top = lanes_end + global_fan;
  std::set<std::uint64_t> asked;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(sample.mask >> lane & 1)) continue;
    const Range range = range_of(sample, lane);
    for (std::uint64_t byte = range.first; byte <= range.last; ++byte) asked.insert(byte);
    const double center = memory.x_of(range.first) +
                          memory.byte_width() * static_cast<double>(range.last - range.first + 1) / 2;
    drawing.line(layout::lane_center(lane), lanes_end, std::min(center, layout::right), top + 6, "wire");
  }
  draw_memory(drawing, sample, memory, top);
  drawing.text(layout::left - 8, top + strip / 2 + 4, "memory", "faint", "end");
  draw_addresses(drawing, memory, top + strip + 13);

  const double key = top + strip + 42;
  double x = draw_key(drawing, layout::left, key, "asked", "asked for");
  x = draw_key(drawing, x, key, "moved", "moved: a sector of 32 bytes");
  if (memory.sectors().size() < 4 * memory.lines().size())
    x = draw_key(drawing, x, key, "unmoved", "not moved");
  const std::size_t moved = memory.sectors().size() * sector_bytes;
  if (moved > 0)
    drawing.text(layout::right, key,
                 fmt::format("{} of {} bytes moved were asked for ({:.0f} %)", asked.size(), grouped(moved),
                             100.0 * static_cast<double>(asked.size()) / static_cast<double>(moved)),
                 "faint", "end");
  panel.height = key + 14;
  return panel;
}

}  // namespace warplab::lens
