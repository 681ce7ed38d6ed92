#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// The lines of a text without their ends; what follows the last end is a line only if it is not empty.
inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

inline std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

/// A text without white space around it.
inline std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r\n"), last = line.find_last_not_of(" \t\r\n");
  return first == std::string_view::npos ? "" : line.substr(first, last - first + 1);
}

inline bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A line without white space around it, and a blank in the place of any within.
inline std::string with_single_blanks(std::string_view line) {
  std::string words;
  for (const char c : trimmed(line))
    if (!is_white(c))
      words += c;
    else if (words.back() != ' ')
      words += ' ';
  return words;
}

}  // namespace warplab
