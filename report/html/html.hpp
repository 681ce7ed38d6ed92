#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab::report {

/// Text for an element or an attribute: what HTML and XML read as markup is written out, and bytes that are
/// not UTF-8, and control characters, become '?'.
std::string escaped(std::string_view text);

/// A cell of a table.
struct Cell {
  std::string html;     ///< markup: escape what comes from results
  bool number = false;  ///< flush right
  std::string style;    ///< classes
  int span = 1;         ///< columns
};

/// A cell of text, escaped.
Cell text_cell(std::string_view text, std::string style = "");
Cell number_cell(std::string_view text, std::string style = "");

/// A table whose cells are markup already.
struct HtmlTable {
  std::vector<std::string> columns;  ///< plain text; a column is flush right where it holds numbers
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> row_styles;  ///< classes of each row, or empty
};

/// The table in a box that scrolls by itself where it is wider than the page; "" without rows.
/// @param name plain text: what a screen reader calls the table, and the box, which keys can scroll
std::string table_html(const HtmlTable& table, std::string_view name);

/// Names with values, as a list of terms. Values are markup, names plain text.
std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts);

/// A whole page, which loads nothing and runs nothing. It is well-formed XML too.
/// @param title plain text; @param body markup; @param style rules that follow those of every page
std::string page_html(std::string_view title, const std::string& body, const char* style);

}  // namespace warplab::report
