#pragma once

#include <string>
#include <string_view>

namespace warplab {

/// Points as people write them: "7.5", "10", "33.33". At most two decimals; never rounded up, but for the
/// noise of sums.
std::string points_text(double points);

/// "7.5 of 10 points"
std::string points_of_text(double points, double of);

/// "1 file", "2 files"
std::string counted(std::size_t count, const std::string& noun);

/// Text within a line of Markdown: nothing in it is a mark, a tag or a link.
std::string markdown_escaped(std::string_view text);

/// Text as a block of code in Markdown, with a fence that the text does not hold.
std::string markdown_block(std::string_view text, const std::string& margin = "");

/// One field of a CSV file (RFC 4180), which no spreadsheet takes for a formula: an apostrophe is before
/// text that begins like one.
std::string csv_field(std::string_view text);

/// The text that csv_field() was given, of a field that was read: without an apostrophe before what begins
/// like a formula.
std::string csv_text(std::string_view field);

}  // namespace warplab
