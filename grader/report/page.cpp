#include "grader/report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"
#include "report/html/html.hpp"

namespace warplab {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

const char* sign_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "✓";
    case Tone::partial:
      return "◐";
    case Tone::bad:
      return "✗";
    case Tone::quiet:
      return "–";
    case Tone::plain:
      break;
  }
  return "";
}

const char* class_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "good";
    case Tone::partial:
      return "partial";
    case Tone::bad:
      return "bad";
    case Tone::quiet:
      return "quiet";
    case Tone::plain:
      break;
  }
  return "plain";
}

int percent(double share) {
  return std::isfinite(share) ? static_cast<int>(std::clamp(share, 0.0, 1.0) * 100 + 1e-6) : 0;
}

/// The address of a page beside this one: whatever its name holds is part of the path.
std::string address_of(const std::string& page, const char* extension) {
  std::string address;
  for (const char c : page + extension) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

// --- Markdown ---------------------------------------------------------------------------------------------

std::string md(const std::string& text) { return markdown_escaped(shown_line(text)); }

std::string with_sign(Tone tone, const std::string& text) {
  return tone == Tone::plain ? text : fmt::format("{} {}", sign_of(tone), text);
}

std::string bar_of(double share) {
  std::string bar;
  for (int i = 0; i < (percent(share) + 4) / 5; ++i) bar += "█";
  return bar;
}

std::string markdown_table(const PageTable& table) {
  std::string text = "|", rule = "|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += " " + md(table.columns[i]) + " |";
    rule += !table.rows.empty() && table.rows[0][i].number ? " ---: |" : " --- |";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const PageTable::Cell& cell : row) {
      const std::string words = cell.page.empty()
                                    ? md(cell.text)
                                    : fmt::format("[{}]({})", md(cell.text), address_of(cell.page, ".md"));
      text += " " + (cell.bar ? bar_of(*cell.bar) + " " : "") + words + " |";
    }
    text += "\n";
  }
  return text + "\n";
}

std::string markdown_item(const Item& item) {
  std::string text = "- " + with_sign(item.tone, md(item.text));
  if (!item.aside.empty()) text += " (" + md(item.aside) + ")";
  text += "\n";
  for (const auto& [name, value] : item.facts) {
    if (value.find('\n') == std::string::npos)
      text += fmt::format("  - {}: {}\n", md(name), md(value));
    else
      text += fmt::format("  - {}:\n\n{}\n", md(name), markdown_block(shown_text(value), "    "));
  }
  return text;
}

// --- HTML -------------------------------------------------------------------------------------------------

constexpr const char* style = R"css(
:root{--partial:var(--warn);--quiet:var(--soft);--plain:var(--accent)}
main{max-width:52rem;padding:1.5rem 1rem 4rem}
h1{margin:.5rem 0 1rem}
h2{margin:2.2rem 0 .8rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{font-size:1.05rem;margin:0 0 .5rem}
h2,h3,.text{display:flex;gap:.3rem 1rem;justify-content:space-between;align-items:baseline;flex-wrap:wrap}
.aside{font-weight:400;font-size:.9rem;color:var(--soft);font-variant-numeric:tabular-nums;white-space:nowrap}
section{border-left:4px solid var(--tone,var(--line));border-radius:6px;padding:.9rem 1rem;margin:0 0 1rem}
p{margin:.5rem 0;max-width:none}
section>:last-child{margin-bottom:0}
.label{font-weight:600}
.good{--tone:var(--good)}.partial{--tone:var(--partial)}.bad{--tone:var(--bad)}.quiet{--tone:var(--quiet)}
.plain{--tone:var(--plain)}
.sign{color:var(--tone);font-weight:700}
ul{list-style:none;margin:.5rem 0;padding:0}
li{margin:.35rem 0}li.plain{list-style:disc;margin-left:1.2rem}
dl{margin:.15rem 0 .6rem 1.3rem;display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;font-size:.93rem}
dt{color:var(--soft)}dd{margin:0;white-space:pre-wrap}
pre{background:var(--ground);border:1px solid var(--line);border-radius:4px;padding:.6rem .8rem;
line-height:1.45;margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
.meter{margin:.5rem 0 1rem}.meter b{font-size:1.15rem}
.track{display:block;height:.6rem;border-radius:.3rem;background:var(--line);overflow:hidden;margin-top:.3rem}
.fill{display:block;height:100%;background:var(--tone)}
td{min-width:3rem}
td.b{white-space:nowrap;min-width:8.5rem}
.box{width:7.75rem;height:1rem;vertical-align:middle}
.box path,.box rect{fill:none;stroke:var(--plain);stroke-width:1.2}.box .middle{stroke-width:3}
.bar{display:inline-block;height:.7rem;margin-right:.5rem;border-radius:2px;background:var(--plain)}
@media(max-width:32rem){td:not(.n,.b){min-width:8rem}dl{grid-template-columns:1fr;margin-left:1rem}dd{margin-bottom:.3rem}}
@media print{section{break-inside:avoid}}
)css";

std::string ht(const std::string& text) { return report::escaped(shown_line(text)); }

std::string aside_html(const std::string& aside) {
  return aside.empty() ? "" : fmt::format("<span class=\"aside\">{}</span>", ht(aside));
}

std::string signed_html(Tone tone, const std::string& text) {
  if (tone == Tone::plain) return fmt::format("<span>{}</span>", ht(text));
  return fmt::format("<span><span class=\"sign\">{}</span> {}</span>", sign_of(tone), ht(text));
}

std::string html_item(const Item& item) {
  std::string text = fmt::format("<li class=\"{}\"><div class=\"text\">{}{}</div>", class_of(item.tone),
                                 signed_html(item.tone, item.text), aside_html(item.aside));
  if (!item.facts.empty()) {
    text += "<dl>";
    for (const auto& [name, value] : item.facts)
      text += fmt::format("<dt>{}</dt><dd>{}</dd>", ht(name), report::escaped(shown_text(value)));
    text += "</dl>";
  }
  return text + "</li>\n";
}

/// Whiskers from the lowest to the highest value, a box over the middle half, and a line at the median.
std::string box_plot(const std::array<double, 5>& box, const std::string& text) {
  constexpr double width = 120;
  std::array<double, 5> x{};
  std::ranges::transform(box, x.begin(), [](double share) { return 2 + share * width; });
  return fmt::format(
      "<svg class=\"box\" viewBox=\"0 0 124 16\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>"
      "<path d=\"M{1:.1f} 8H{2:.1f}M{4:.1f} 8H{5:.1f}M{1:.1f} 4v8M{5:.1f} 4v8\"/>"
      "<rect x=\"{2:.1f}\" y=\"2\" width=\"{6:.1f}\" height=\"12\"/>"
      "<path class=\"middle\" d=\"M{3:.1f} 2v12\"/></svg>",
      text, x[0], x[1], x[2], x[3], x[4], x[3] - x[1]);
}

/// @param name what a screen reader calls it
std::string html_table(const PageTable& table, const std::string& name) {
  report::HtmlTable html;
  for (const std::string& column : table.columns) html.columns.push_back(shown_line(column));
  for (const auto& row : table.rows) {
    std::vector<report::Cell>& cells = html.rows.emplace_back();
    for (const PageTable::Cell& cell : row) {
      std::string text = ht(cell.text);
      if (!cell.page.empty())
        text = fmt::format("<a href=\"{}\">{}</a>", address_of(cell.page, ".html"), text);
      if (cell.bar)
        text = fmt::format("<span class=\"bar\" style=\"width:{:.2f}rem\"></span>{}",
                           percent(*cell.bar) * 0.06, text);
      if (cell.box) text = box_plot(*cell.box, text);
      cells.push_back({text, cell.number, cell.bar ? "b" : ""});
    }
  }
  return report::table_html(html, name);
}

/// Puts lists and boxes around what belongs together.
class HtmlBody {
 public:
  std::string text;

  explicit HtmlBody(const std::string& title) : heading_(shown_line(title)) {}

  void add(const Page::Block& block) {
    if (const bool item = std::holds_alternative<Item>(block); item != in_list_) {
      text += item ? "<ul>\n" : "</ul>\n";
      in_list_ = item;
    }
    std::visit(Overloaded{[&](const Heading& heading) { add(heading); },
                          [&](const Paragraph& p) {
                            text += "<p>";
                            if (!p.label.empty())
                              text += fmt::format("<span class=\"label\">{}:</span> ", ht(p.label));
                            text += ht(p.text) + "</p>\n";
                          },
                          [&](const Verbatim& v) {
                            text += fmt::format("<pre>{}</pre>\n", report::escaped(shown_text(v.text)));
                          },
                          [&](const Item& item) { text += html_item(item); },
                          [&](const Meter& meter) {
                            text += fmt::format(
                                "<div class=\"meter {}\"><b>{}</b><span class=\"track\"><span class=\"fill\" "
                                "style=\"width:{}%\"></span></span></div>\n",
                                class_of(meter.tone), ht(meter.text), percent(meter.share));
                          },
                          [&](const PageTable& table) { text += html_table(table, heading_); }},
               block);
  }

  void end() {
    if (in_list_) text += "</ul>\n";
    if (in_box_) text += "</section>\n";
    in_list_ = in_box_ = false;
  }

 private:
  void add(const Heading& heading) {
    heading_ = shown_line(heading.text);
    if (in_box_ && heading.level <= 3) text += "</section>\n";
    if (heading.level <= 3) in_box_ = heading.level == 3;
    if (in_box_) text += fmt::format("<section class=\"{}\">\n", class_of(heading.tone));
    text += fmt::format("<h{0}>{1}{2}</h{0}>\n", heading.level, signed_html(heading.tone, heading.text),
                        aside_html(heading.aside));
  }

  std::string heading_;  ///< of what comes now
  bool in_list_ = false, in_box_ = false;
};

}  // namespace

std::string to_markdown(const Page& page) {
  std::string text = "# " + md(page.title) + "\n\n";
  bool in_list = false;
  for (const Page::Block& block : page.blocks) {
    const bool item = std::holds_alternative<Item>(block);
    if (in_list && !item) text += "\n";
    in_list = item;
    text += std::visit(Overloaded{[](const Heading& h) {
                                    return fmt::format("{} {}{}\n\n",
                                                       std::string(static_cast<std::size_t>(h.level), '#'),
                                                       with_sign(h.tone, md(h.text)),
                                                       h.aside.empty() ? "" : " (" + md(h.aside) + ")");
                                  },
                                  [](const Paragraph& p) {
                                    return (p.label.empty() ? "" : fmt::format("**{}:** ", md(p.label))) +
                                           md(p.text) + "\n\n";
                                  },
                                  [](const Verbatim& v) { return markdown_block(shown_text(v.text)) + "\n"; },
                                  [](const Item& i) { return markdown_item(i); },
                                  [](const Meter& m) { return fmt::format("**{}**\n\n", md(m.text)); },
                                  [](const PageTable& table) { return markdown_table(table); }},
                       block);
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string to_html(const Page& page) {
  HtmlBody body(page.title);
  for (const Page::Block& block : page.blocks) body.add(block);
  body.end();
  return report::page_html(shown_line(page.title), fmt::format("<h1>{}</h1>\n{}", ht(page.title), body.text),
                           style);
}

}  // namespace warplab
