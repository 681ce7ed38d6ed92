#include <fmt/format.h>

#include "lens/patterns/bank_schedule.hpp"
#include "lens/pictures/map_panel.hpp"
#include "lens/text/request_text.hpp"

namespace warplab::lens {
namespace {

constexpr double shared_fan = 90, header_height = 20, row_height = 17;

std::string label_of(const BankService& service) {
  if (service.lanes.size() == 1) return std::to_string(service.lanes.front());
  return fmt::format("\xC3\x97{}", service.lanes.size());  // a multiplication sign
}

}  // namespace

Panel shared_panel(const RequestSample& sample, const std::string& place, const std::string& source,
                   const std::string& kernel) {
  Panel panel;
  Svg& drawing = panel.drawing;
  const double lanes_end = draw_head(drawing, sample, place, source, kernel);
  const BankSchedule schedule = schedule_banks(sample);
  const double banks_top = lanes_end + shared_fan, rows_top = banks_top + header_height;

  std::uint32_t used = 0;
  bool shares = false, waits = false;
  for (const BankService& service : schedule.services) {
    for (unsigned lane : service.lanes)
      drawing.line(layout::lane_center(lane), lanes_end, layout::lane_center(service.bank), banks_top,
                   sample.bytes > 4 ? "wire-thin" : "wire");
    used |= 1u << service.bank;
    shares = shares || service.lanes.size() > 1;
    waits = waits || service.waited;
  }
  for (unsigned bank = 0; bank < 32; ++bank) {
    const double x = layout::left + bank * layout::pitch;
    drawing.rect(x + 1, banks_top, layout::pitch - 2, header_height - 3,
                 used >> bank & 1 ? "lane-box" : "lane-box-off");
    drawing.text(x + layout::pitch / 2, banks_top + 12.5, std::to_string(bank),
                 used >> bank & 1 ? "lane" : "lane-off", "middle");
  }
  drawing.text(layout::left - 8, banks_top + 12.5, "bank", "faint", "end");
  for (unsigned wavefront = 0; wavefront < schedule.wavefronts; ++wavefront) {
    const double y = rows_top + wavefront * row_height;
    drawing.line(layout::left, y + row_height - 0.5, layout::right, y + row_height - 0.5, "rule");
    drawing.text(layout::left - 8, y + 12.5, std::to_string(wavefront + 1), "small", "end");
  }
  for (const BankService& service : schedule.services) {
    const double x = layout::left + service.bank * layout::pitch,
                 y = rows_top + service.wavefront * row_height;
    drawing.rect(x + 1.5, y + 1, layout::pitch - 3, row_height - 3, style_of(service), 2);
    drawing.text(x + layout::pitch / 2, y + 11.5, label_of(service), service.waited ? "cell-late" : "cell",
                 "middle");
  }

  const double key = rows_top + schedule.wavefronts * row_height + 24;
  double x = draw_key(drawing, layout::left, key, "asked", "the lane that is served");
  if (shares) x = draw_key(drawing, x, key, "shared-word", "one word for several lanes");
  if (waits) x = draw_key(drawing, x, key, "late", "had to wait for its bank");
  drawing.text(layout::right, key, "each row is one wavefront", "faint", "end");
  panel.height = key + 14;
  return panel;
}

}  // namespace warplab::lens
