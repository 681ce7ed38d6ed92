#include "grader/release/withheld_parts.hpp"

#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

enum class Mark { none, begin, end };

Mark mark_of(std::string_view line) {
  std::string_view words = trimmed(line);
  if (words.starts_with("<!--") && words.ends_with("-->")) {
    words = trimmed(words.substr(4, words.size() - 7));
  } else {
    const std::size_t comment = words.starts_with("//") ? 2 : words.starts_with("#") ? 1 : 0;
    if (comment == 0) return Mark::none;
    words = trimmed(words.substr(comment));
  }
  return words == "BEGIN WITHHELD" ? Mark::begin : words == "END WITHHELD" ? Mark::end : Mark::none;
}

}  // namespace

std::string without_withheld_parts(std::string_view text, const std::string& file) {
  if (text.find("WITHHELD") == std::string_view::npos) return std::string(text);
  std::string left;
  int number = 0, begun = 0;
  const auto refuse = [&](int line, const std::string& what) {
    return BadInput(fmt::format("{}:{}: {}", file, line, what));
  };
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const Mark mark = mark_of(line);
    if (mark == Mark::begin && begun)
      throw refuse(number, fmt::format("a withheld part begins within the one of line {}", begun));
    if (mark == Mark::end && !begun) throw refuse(number, "a withheld part ends that never began");
    if (mark != Mark::none)
      begun = mark == Mark::begin ? number : 0;
    else if (!begun)
      left.append(line) += '\n';
  }
  if (begun) throw refuse(begun, "a withheld part begins that never ends");
  return left;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool is_release_mark(std::string_view line) {
  const std::string_view words = trimmed(line);
  return mark_of(line) != Mark::none || words == "// BEGIN SOLUTION" || words == "// END SOLUTION" ||
         words.starts_with("// STUB ") || words == "// STUB";
}

}  // namespace warplab
