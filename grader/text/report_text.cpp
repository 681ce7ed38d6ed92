#include "grader/text/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/io/csv.hpp"

namespace warplab {
namespace {

/// Whether a spreadsheet could take a text for a formula.
bool begins_like_a_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r\n|%").find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string points_text(double points) {
  // A millionth of a hundredth is noise: 9.999999999 is a sum that was meant to be 10.
  const double hundredths = std::floor(points * 100 + 1e-6);
  std::string text = fmt::format("{:.2f}", hundredths / 100);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string points_of_text(double points, double of) {
  return fmt::format("{} of {} points", points_text(points), points_text(of));
}

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string markdown_escaped(std::string_view text) {
  std::string escaped;
  bool at_start = true;  // where a list, a heading or a rule could begin
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool anywhere = std::string_view("\\`*_[]|~$").find(c) != std::string_view::npos;
    const bool starts = at_start && std::string_view("#+-=:").find(c) != std::string_view::npos;
    const bool ends_number = (c == '.' || c == ')') && !escaped.empty() && text.substr(i + 1, 1) <= " " &&
                             escaped.find_first_not_of("0123456789") == std::string::npos;
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else
      (anywhere || starts || ends_number) ? escaped += {'\\', c} : escaped += c;
    at_start = at_start && c == ' ';
  }
  return escaped;
}

std::string markdown_block(std::string_view text, const std::string& margin) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string block = margin + fence + "\n" + margin;
  for (const char c : text) {
    block += c;
    if (c == '\n') block += margin;
  }
  return block + "\n" + margin + fence + "\n";
}

std::string csv_field(std::string_view text) {
  return csv_quoted((begins_like_a_formula(text) ? "'" : "") + std::string(text));
}

std::string csv_text(std::string_view field) {
  const bool is_guarded = field.starts_with('\'') && begins_like_a_formula(field.substr(1));
  return std::string(field.substr(is_guarded));
}

}  // namespace warplab
