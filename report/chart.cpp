#include "report/chart.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <sstream>

#include "lens/source_text.hpp"
#include "report/html/html.hpp"

namespace warplab::report {
namespace {

/// Removes all of a line from `begin` to the `end` after it.
void remove_between(std::string& line, const std::string& begin, const std::string& end) {
  for (std::size_t at; (at = line.find(begin)) != std::string::npos;) {
    const std::size_t stop = line.find(end, at + begin.size());
    if (stop == std::string::npos) return;
    line.erase(at, stop + end.size() - at);
  }
}

void replace_all(std::string& line, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = line.find(from, at)) != std::string::npos; at += to.size())
    line.replace(at, from.size(), to);
}

/// "rgb(  0,   1,   4)" and "#000104" as "var(--bar)".
void name_colours(std::string& line) {
  for (std::size_t at; (at = line.find("rgb(")) != std::string::npos;) {
    const std::size_t stop = line.find(')', at);
    if (stop == std::string::npos) return;
    const auto index = static_cast<std::size_t>(std::atoi(line.c_str() + line.rfind(',', stop) + 1));
    line.replace(at, stop + 1 - at,
                 fmt::format("var({})", colour_names[index < colour_names.size() ? index : 0]));
  }
}

void put_texts(std::string& line, const std::vector<std::string>& texts) {
  for (std::size_t at = 0; (at = line.find('@', at)) != std::string::npos;) {
    const std::size_t stop = line.find('@', at + 1);
    if (stop == std::string::npos) return;
    const auto index = static_cast<std::size_t>(std::atoi(line.c_str() + at + 1));
    const std::string text = index < texts.size() ? escaped(texts[index]) : "";
    line.replace(at, stop + 1 - at, text);
    at += text.size();
  }
}

bool is_blank(const std::string& line) {
  for (char c : line)
    if (!std::isspace(static_cast<unsigned char>(c))) return false;
  return true;
}

}  // namespace

std::string ChartScript::quoted(std::string text) {
  texts.push_back(std::move(text));
  return fmt::format("\"@{}@\"", texts.size() - 1);
}

std::string gnuplot_colour(unsigned colour) { return fmt::format("\"#0001{:02x}\"", colour); }

double text_width(const std::string& text) { return 6.7 * static_cast<double>(lens::shown_width(text)); }

void begin_canvas(ChartScript& script, double left, double right, double top, double bottom) {
  const double w = script.width, h = script.height;
  script.commands += fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
      "set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n"
      "set key off\nset tics nomirror scale 0.4 textcolor rgb {}\n",
      left / w, 1 - right / w, 1 - top / h, bottom / h, gnuplot_colour(soft));
}

std::string svg_of_gnuplot(const std::string& drawing, const ChartScript& script, const std::string& alt,
                           const std::string& style) {
  const std::string head = "</defs>";
  const std::size_t begin = drawing.find(head), end = drawing.rfind("</svg>");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  std::istringstream in(drawing.substr(begin + head.size(), end - begin - head.size()));
  std::string body, pending;
  for (std::string line; std::getline(in, line);) {
    remove_between(line, " font-family=\"", "\"");
    remove_between(line, " id=\"", "\"");
    remove_between(line, "<title>", "</title>");
    replace_all(line, "xlink:href", "href");
    replace_all(line, "color=\"black\" stroke=\"currentColor\" ", "stroke=\"currentColor\" ");
    name_colours(line);
    put_texts(line, script.texts);
    std::erase(line, '\t');  // gnuplot's only use of it is to indent
    if (is_blank(line)) continue;
    // A group that holds nothing.
    if (line == "</g>" && pending.starts_with("<g ") && pending.find('>') + 1 == pending.size()) {
      pending.clear();
      continue;
    }
    if (!pending.empty()) body += pending + "\n";
    pending = line;
  }
  // The last line closes the canvas, which began before the definitions.
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart {}\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "role=\"img\" aria-label=\"{}\">\n<g>{}\n{}\n</svg>\n",
      style, script.width, script.height, escaped(alt), body, pending);
}

std::string shared_marks() {
  // gnuplot's own shapes, by its names.
  return R"(<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="0" height="0" aria-hidden="true"><defs>
<rect id="gpPt4" fill="currentColor" x="-0.9" y="-0.9" width="1.8" height="1.8"/>
<circle id="gpPt6" fill="currentColor" cx="0" cy="0" r="1"/>
<path id="gpPt8" fill="currentColor" d="M0,-1.33 L-1.33,0.67 L1.33,0.67 z"/>
<path id="gpPt10" fill="currentColor" d="M0,1.33 L-1.33,-0.67 L1.33,-0.67 z"/>
<path id="gpPt12" fill="currentColor" d="M0,-1.3 L1.3,0 L0,1.3 L-1.3,0 z"/>
</defs></svg>
)";
}

}  // namespace warplab::report
