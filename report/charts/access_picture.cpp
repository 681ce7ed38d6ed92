#include "report/charts/access_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lens/patterns/bank_schedule.hpp"
#include "lens/pictures/svg.hpp"
#include "lens/text/request_text.hpp"

namespace warplab::report {
namespace {

using lens::is_shared;
using lens::RequestSample;
using lens::Svg;

constexpr unsigned warp_lanes = 32;
constexpr double picture_width = 510, lanes_left = 54, lane_pitch = 14,
                 lanes_right = lanes_left + warp_lanes * lane_pitch;
constexpr double lane_box = 14, fan_height = 56, sector_height = 22, wavefront_height = 14;
constexpr std::uint64_t sector_bytes = 32;

double lane_center(unsigned lane) { return lanes_left + (lane + 0.5) * lane_pitch; }
bool takes_part(const RequestSample& sample, unsigned lane) { return sample.mask >> lane & 1; }

/// The label of a row, at its left.
void label(Svg& drawing, double y, const std::string& text) {
  drawing.text(lanes_left - 6, y + 11, text, "faint", "end");
}

/// A row of 32 boxes: lanes, or the banks below them. @return its lower edge
double draw_row(Svg& drawing, double y, const std::string& name, std::uint32_t used) {
  for (unsigned i = 0; i < warp_lanes; ++i)
    drawing.rect(lanes_left + i * lane_pitch + 1, y, lane_pitch - 2, lane_box,
                 used >> i & 1 ? "lane-box" : "lane-box-off", 2);
  label(drawing, y, name);
  return y + lane_box;
}

/// The numbers of lanes that fit above their row.
void draw_numbers(Svg& drawing, double y) {
  for (const unsigned i : {0u, 8u, 16u, 24u, 31u})
    drawing.text(lane_center(i), y, std::to_string(i), "faint", "middle");
}

/// Sectors side by side in the order of their addresses, with a gap where memory between them is not touched.
class Sectors {
 public:
  explicit Sectors(const RequestSample& sample) {
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
      if (takes_part(sample, lane))
        asked_[sample.address[lane] / sector_bytes].emplace(sample.address[lane] % sector_bytes,
                                                            sample.bytes);
    double gaps = 0;
    for (auto i = asked_.begin(); i != asked_.end(); ++i) gaps += follows_a_gap(i);
    const double gap = gaps == 0 ? 0 : std::min(14.0, 0.25 * (lanes_right - lanes_left) / gaps);
    each_ = std::min(4 * 2 * lane_pitch,
                     (lanes_right - lanes_left - gaps * gap) / static_cast<double>(asked_.size()));
    double x = lanes_left;
    for (auto i = asked_.begin(); i != asked_.end(); ++i, x += each_) {
      if (follows_a_gap(i)) x += gap;
      x_[i->first] = x;
    }
  }

  double center_of(std::uint64_t address, std::uint32_t bytes) const {
    const std::uint64_t sector = address / sector_bytes;
    return x_.at(sector) + byte_width() * (static_cast<double>(address % sector_bytes) + bytes / 2.0);
  }

  void draw(Svg& drawing, double y) const {
    double label_from = 0;
    for (const auto& [sector, pieces] : asked_) {
      const double x = x_.at(sector);
      drawing.rect(x + 0.5, y, each_ - 1, sector_height, "moved");
      for (const auto& [first, bytes] : pieces) {
        const double space = bytes * byte_width() > 6 ? 0.5 : 0;
        drawing.rect(x + byte_width() * static_cast<double>(first) + space, y + 5,
                     byte_width() * bytes - 2 * space, sector_height - 10, "asked");
      }
      const std::string distance = fmt::format("{}", (sector - asked_.begin()->first) * sector_bytes);
      if (x < label_from) continue;
      drawing.text(x, y + sector_height + 13, distance, "faint");
      label_from = x + 8.0 * static_cast<double>(distance.size()) + 10;
    }
    label(drawing, y + 4, "sector");
    label(drawing, y + sector_height + 2, "byte");
  }

 private:
  /// By sector, the pieces that lanes ask for: where each begins, and its bytes. An access is aligned to its
  /// size, so it lies in one sector.
  using Asked = std::map<std::uint64_t, std::set<std::pair<std::uint64_t, std::uint32_t>>>;
  bool follows_a_gap(Asked::const_iterator i) const {
    return i != asked_.begin() && i->first != std::prev(i)->first + 1;
  }
  double byte_width() const { return each_ / sector_bytes; }

  Asked asked_;
  std::map<std::uint64_t, double> x_;
  double each_ = 0;
};

double draw_global(Svg& drawing, const RequestSample& sample, double y) {
  const Sectors sectors(sample);
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    if (takes_part(sample, lane))
      drawing.line(lane_center(lane), y, sectors.center_of(sample.address[lane], sample.bytes),
                   y + fan_height, "wire");
  sectors.draw(drawing, y + fan_height);
  return y + fan_height + sector_height + 20;
}

double draw_shared(Svg& drawing, const RequestSample& sample, double y) {
  const lens::BankSchedule schedule = lens::schedule_banks(sample);
  std::uint32_t used = 0;
  for (const lens::BankService& service : schedule.services) {
    used |= 1u << service.bank;
    for (const unsigned lane : service.lanes)
      drawing.line(lane_center(lane), y, lane_center(service.bank), y + fan_height, "wire-thin");
  }
  const double top = draw_row(drawing, y + fan_height, "bank", used) + 4;
  for (unsigned wavefront = 0; wavefront < schedule.wavefronts; ++wavefront)
    label(drawing, top + wavefront * wavefront_height, fmt::format("time {}", wavefront + 1));
  for (const lens::BankService& service : schedule.services)
    drawing.rect(lanes_left + service.bank * lane_pitch + 1, top + service.wavefront * wavefront_height + 1,
                 lane_pitch - 2, wavefront_height - 2, lens::style_of(service), 2);
  return top + schedule.wavefronts * wavefront_height + 6;
}

/// Explains the colours that the accesses' panels use.
void draw_key(Svg& drawing, double y, const std::vector<Access>& accesses) {
  bool is_global = false, shares = false, waits = false;
  for (const Access& access : accesses) {
    is_global |= !is_shared(access.sample.kind);
    if (!is_shared(access.sample.kind)) continue;
    for (const lens::BankService& service : lens::schedule_banks(access.sample).services)
      shares |= !service.waited && service.lanes.size() > 1, waits |= service.waited;
  }
  double x = 8;
  const auto entry = [&](const char* style, const std::string& meaning) {
    drawing.rect(x, y - 10, 12, 12, style, 2);
    drawing.text(x + 17, y, meaning, "faint");
    x += 17 + 6.6 * static_cast<double>(meaning.size()) + 12;
  };
  entry("asked", "asked for");
  if (is_global) entry("moved", "sector of 32 bytes");
  if (shares) entry("shared-word", "one word for several");
  if (waits) entry("late", "waits");
}

}  // namespace

std::string access_text(const RequestSample& sample) {
  return lens::request_text(sample) +
         (sample.cost > sample.ideal ? fmt::format(", ideally {}", sample.ideal) : "");
}

std::string accesses_text(const std::vector<Access>& accesses) {
  std::string text;
  for (const Access& access : accesses)
    text += fmt::format("{}{}: {}.", text.empty() ? "" : " ", access.caption, access_text(access.sample));
  return text;
}

std::string access_picture(const std::string& title, const std::vector<Access>& accesses) {
  Svg drawing;
  double y = 0;
  for (const Access& access : accesses) {
    drawing.text(8, y + 22, access.caption, "verdict");
    drawing.text(8, y + 42, access_text(access.sample), "plain");
    draw_numbers(drawing, y + 60);
    const double below = draw_row(drawing, y + 64, "lane", access.sample.mask);
    y = is_shared(access.sample.kind) ? draw_shared(drawing, access.sample, below)
                                      : draw_global(drawing, access.sample, below);
    drawing.line(8, y + 6, picture_width - 8, y + 6, "rule");
    y += 8;
  }
  draw_key(drawing, y + 20, accesses);
  std::string text = drawing.document(picture_width, y + 32, title);
  const std::string title_end = "</title>\n";
  return text.insert(text.find(title_end) + title_end.size(),
                     "<desc>" + lens::xml_escaped(accesses_text(accesses)) + "</desc>\n");
}

}  // namespace warplab::report
