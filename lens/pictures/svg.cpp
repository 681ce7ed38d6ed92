#include "lens/pictures/svg.hpp"

#include <fmt/format.h>

namespace warplab::lens {
namespace {

const char* const style_sheet = R"(
  .paper { fill: #ffffff; }
  text { font-family: system-ui, "Segoe UI", "DejaVu Sans", Arial, sans-serif; font-size: 13px; fill: #1f2430; }
  text.code, text.lane, text.cell, text.cell-late, text.small { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
  text.heading { font-size: 16px; font-weight: 600; }
  text.verdict { font-size: 15px; font-weight: 600; }
  text.faint { font-size: 12px; fill: #626b7a; }
  text.lane { font-size: 11px; }
  text.lane-off { font-size: 11px; fill: #a2a9b5; }
  text.small { font-size: 10px; fill: #626b7a; }
  text.cell { font-size: 10px; fill: #ffffff; }
  text.cell-late { font-size: 10px; fill: #1f2430; }
  .lane-box { fill: #e4ecfb; stroke: #3f66b8; }
  .lane-box-off { fill: none; stroke: #c3c9d3; stroke-dasharray: 3 2; }
  .wire { stroke: #3f66b8; stroke-width: 1; stroke-opacity: 0.75; }
  .wire-thin { stroke: #3f66b8; stroke-width: 0.7; stroke-opacity: 0.45; }
  .asked { fill: #2f5db8; }
  .moved { fill: #f8d49b; stroke: #b3720f; }
  .unmoved { fill: none; stroke: #c3c9d3; }
  .late { fill: #f2a65a; stroke: #b3720f; }
  .shared-word { fill: #2b8a5c; }
  .dot { fill: #8b93a1; }
  .rule { stroke: #dfe3ea; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #161a22; }
    text { fill: #e7eaf0; }
    text.faint, text.small { fill: #a3acba; }
    text.lane-off { fill: #6b7482; }
    text.cell { fill: #0f131a; }
    text.cell-late { fill: #161a22; }
    .lane-box { fill: #22325a; stroke: #8fb0f5; }
    .lane-box-off { stroke: #4a5261; }
    .wire, .wire-thin { stroke: #8fb0f5; }
    .asked { fill: #8fb0f5; }
    .moved { fill: #6b4a17; stroke: #e0a64a; }
    .unmoved { stroke: #454d5b; }
    .late { fill: #e39a4c; stroke: #f4c68b; }
    .shared-word { fill: #5cc795; }
    .dot { fill: #79828f; }
    .rule { stroke: #2c3340; }
  })";

bool is_continuation(unsigned char c) { return (c & 0xC0) == 0x80; }

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t more = c >= 0xF0 && c < 0xF5 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2 ? 1 : 0;
    bool whole = c < 0x80 || (more > 0 && c < 0xF5);
    for (std::size_t k = 1; k <= more; ++k)
      whole = whole && i + k < text.size() && is_continuation(static_cast<unsigned char>(text[i + k]));
    if (c == '\n')
      escaped += '\n';
    else if (!whole || c < 0x20 || c == 0x7F)
      escaped += c == '\t' ? ' ' : '?';
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '"')
      escaped += "&quot;";
    else if (c == '\'')
      escaped += "&#39;";
    else
      escaped += text.substr(i, c < 0x80 ? 1 : more + 1);
    if (whole && c >= 0x80) i += more;
  }
  return escaped;
}

void Svg::rect(double x, double y, double width, double height, std::string_view style, double radius) {
  body_ += fmt::format(R"(<rect class="{}" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}")", style, x,
                       y, width, height);
  if (radius > 0) body_ += fmt::format(R"( rx="{:.1f}")", radius);
  body_ += "/>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  body_ += fmt::format(R"(<line class="{}" x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}"/>)", style, x1, y1,
                       x2, y2) +
           "\n";
}

void Svg::text(double x, double y, std::string_view text, std::string_view style, std::string_view anchor) {
  body_ += fmt::format(R"(<text xml:space="preserve" class="{}" x="{:.2f}" y="{:.2f}")", style, x, y);
  if (anchor != "start") body_ += fmt::format(R"( text-anchor="{}")", anchor);
  body_ += ">" + xml_escaped(text) + "</text>\n";
}

void Svg::path(std::string_view data, std::string_view style) {
  body_ += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", style, data);
}

void Svg::add(const Svg& drawing, double y) {
  body_ += fmt::format("<g transform=\"translate(0 {:.2f})\">\n{}</g>\n", y, drawing.body_);
}

std::string Svg::document(double width, double height, std::string_view title) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" "
      "height=\"{1:.0f}\">\n<title>{2}</title>\n<style>{3}\n</style>\n<rect class=\"paper\" x=\"0\" y=\"0\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n{4}</svg>\n",
      width, height, xml_escaped(title), style_sheet, body_);
}

}  // namespace warplab::lens
