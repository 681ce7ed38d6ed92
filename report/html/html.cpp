#include "report/html/html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lens/pictures/svg.hpp"

namespace warplab::report {
namespace {

/// Of every page: light, dark and printed. Colours are those of Okabe and Ito, told apart by the
/// colour-blind, a little darker on white and a little lighter on black. A box that scrolls has a shadow at
/// each side where more is to come.
constexpr const char* base_style = R"css(
:root{color-scheme:light dark;--ground:#f5f6f8;--box:#ffffff;--ink:#1b2027;--soft:#57606a;--line:#d8dee4;
--good:#1a7f37;--bad:#b3261e;--warn:#8a5a00;--accent:#1f5fa8}
@media screen and (prefers-color-scheme:dark){:root{--ground:#0f1318;--box:#171c23;--ink:#e4e9ef;--soft:#9aa5b1;
--line:#2e3641;--good:#57c26f;--bad:#ff7b72;--warn:#e0b04a;--accent:#7fb4f5}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",
"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
main{max-width:72rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:.4rem 0 .4rem;letter-spacing:-.01em}
h2{font-size:1.3rem;line-height:1.3;margin:0 0 .3rem}
p{margin:.4rem 0 .8rem;max-width:46rem}
a{color:var(--accent)}
code,pre,.mono,td.code{font-family:ui-monospace,"SF Mono",Menlo,"DejaVu Sans Mono",monospace;font-size:.875em}
.soft{color:var(--soft)}.small{font-size:.875rem}
section{background:var(--box);border:1px solid var(--line);border-radius:10px;padding:1.2rem 1.4rem 1rem;
margin:1.25rem 0}
.scroll{--under:var(--ground);overflow-x:auto;margin:.5rem 0 1rem}section .scroll{--under:var(--box)}
@media screen{.scroll{background:linear-gradient(to right,var(--under) 40%,transparent) 0 0/2rem 100% no-repeat local,
linear-gradient(to left,var(--under) 40%,transparent) 100% 0/2rem 100% no-repeat local,
linear-gradient(to right,#8888,transparent) 0 0/.7rem 100% no-repeat scroll,
linear-gradient(to left,#8888,transparent) 100% 0/.7rem 100% no-repeat scroll}}
table{border-collapse:collapse;width:100%;font-size:.875rem;line-height:1.4;overflow-wrap:normal}
th,td{text-align:left;vertical-align:top;padding:.32rem 1rem .32rem 0;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
th{color:var(--soft);font-weight:600;font-size:.8rem;vertical-align:bottom}
td.n,th.n{text-align:right}
.n{font-variant-numeric:tabular-nums}td.n,.whole{white-space:nowrap}
@media print{@page{margin:14mm}:root{--ground:#fff}body{font-size:10pt}main{max-width:none;padding:0}
tr,figure,li{break-inside:avoid}h2,h3{break-after:avoid}thead{display:table-header-group}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}a{color:inherit;text-decoration:none}}
)css";

std::string class_attribute(const std::string& classes) {
  return classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
}

std::string cell_html(const Cell& cell) {
  std::string classes = cell.number ? "n" : "";
  if (!cell.style.empty()) classes += (classes.empty() ? "" : " ") + cell.style;
  const std::string span = cell.span > 1 ? fmt::format(" colspan=\"{}\"", cell.span) : "";
  return fmt::format("<td{}{}>{}</td>", class_attribute(classes), span, cell.html);
}

bool holds_numbers(const HtmlTable& table, std::size_t column) {
  return std::ranges::any_of(table.rows, [&](const std::vector<Cell>& row) {
    return row.size() == table.columns.size() && row[column].number;
  });
}

}  // namespace

std::string escaped(std::string_view text) { return lens::xml_escaped(text); }

Cell text_cell(std::string_view text, std::string style) { return {escaped(text), false, std::move(style)}; }
Cell number_cell(std::string_view text, std::string style) { return {escaped(text), true, std::move(style)}; }

std::string table_html(const HtmlTable& table, std::string_view name) {
  if (table.rows.empty()) return "";
  std::string html = fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{0}\" tabindex=\"0\"><table "
      "aria-label=\"{0}\">\n<thead><tr>",
      escaped(name));
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    html += fmt::format("<th scope=\"col\"{}>{}</th>", class_attribute(holds_numbers(table, i) ? "n" : ""),
                        escaped(table.columns[i]));
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    html +=
        fmt::format("<tr{}>", class_attribute(row < table.row_styles.size() ? table.row_styles[row] : ""));
    for (const Cell& cell : table.rows[row]) html += cell_html(cell);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string html = "<dl class=\"facts\">\n";
  for (const auto& [name, value] : facts)
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), value);
  return html + "</dl>\n";
}

std::string page_html(std::string_view title, const std::string& body, const char* style) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta "
      "charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      // Nothing of the page may run or be fetched, whatever it holds.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\"/>\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      escaped(title), base_style, style, body);
}

}  // namespace warplab::report
