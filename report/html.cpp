#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lens/svg.hpp"
#include "report/style.hpp"

namespace warplab::report {
namespace {

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

std::string escaped(std::string_view text) {
  std::string safe = lens::xml_escaped(text);
  for (std::size_t at = 0; (at = safe.find('\'', at)) != std::string::npos; at += 5)
    safe.replace(at, 1, "&#39;");
  return safe;
}

Cell text_cell(std::string_view text, std::string style) { return {escaped(text), false, std::move(style)}; }
Cell number_cell(std::string_view text, std::string style) { return {escaped(text), true, std::move(style)}; }

std::string table_html(const HtmlTable& table) {
  if (table.rows.empty()) return "";
  std::string html = "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
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

std::string page_html(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta "
      "charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      // Nothing of the page may run or be fetched, whatever the results hold.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\"/>\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      escaped(title), style_sheet(), body);
}

}  // namespace warplab::report
