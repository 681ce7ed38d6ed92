#include "report/figures.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "report/gnuplot.hpp"

namespace warplab::report {
namespace {

constexpr double broad = 720, narrow = 340;
// Escaped text holds no control characters, so that results cannot hold one of these.
constexpr char open = '\x01', close = '\x02';

std::string markup(const std::vector<std::string>& drawings, const std::vector<ChartScript>& scripts,
                   std::size_t i, const std::string& alt, const std::string& below) {
  const std::string broad_svg = svg_of_gnuplot(drawings[2 * i], scripts[2 * i], alt, "wide");
  const std::string narrow_svg = svg_of_gnuplot(drawings[2 * i + 1], scripts[2 * i + 1], alt, "narrow");
  if (broad_svg.empty() || narrow_svg.empty()) return "";
  return fmt::format("<figure>\n{}{}<figcaption>{}</figcaption>\n</figure>\n", broad_svg, narrow_svg, below);
}

}  // namespace

std::string Figures::add(std::variant<BarChart, LineChart> chart, std::string below) {
  figures_.push_back({std::move(chart), std::move(below)});
  return fmt::format("{}{}{}", open, figures_.size() - 1, close);
}

std::string Figures::notice() { return fmt::format("{}notice{}", open, close); }

std::string Figures::fill(const std::string& body) const {
  const auto gnuplot = find_gnuplot();
  std::vector<ChartScript> scripts;
  for (const Figure& figure : figures_)
    for (double width : {broad, narrow})
      scripts.push_back(std::visit([&](const auto& chart) { return script_of(chart, width); }, figure.chart));
  std::vector<std::string> drawings(scripts.size());
  if (gnuplot && !scripts.empty()) drawings = draw(*gnuplot, scripts);

  std::string filled;
  bool missing = false;
  std::size_t from = 0, notice_at = std::string::npos;
  for (std::size_t at; (at = body.find(open, from)) != std::string::npos;) {
    const std::size_t end = body.find(close, at);
    filled += body.substr(from, at - from);
    const std::string name = body.substr(at + 1, end - at - 1);
    from = end + 1;
    if (name == "notice") {
      notice_at = filled.size();
      continue;
    }
    const auto i = static_cast<std::size_t>(std::atoi(name.c_str()));
    const std::string alt = std::visit([](const auto& chart) { return chart.alt; }, figures_[i].chart);
    const std::string figure = markup(drawings, scripts, i, alt, figures_[i].below);
    missing |= figure.empty();
    filled += figure;
  }
  filled += body.substr(from);
  if (missing && notice_at != std::string::npos)
    filled.insert(notice_at,
                  gnuplot ? "<p class=\"note\">Some charts are missing: gnuplot could not draw them. The "
                            "tables hold the same figures.</p>\n"
                          : "<p class=\"note\">There are no charts, as gnuplot was not installed (package "
                            "gnuplot-nox). The tables hold the same figures.</p>\n");
  return shared_marks() + filled;
}

}  // namespace warplab::report
