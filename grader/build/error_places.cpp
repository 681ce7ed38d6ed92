#include "grader/build/error_places.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::size_t number_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

/// As g++ shows a line: tabs as blanks.
std::string without_tabs(std::string_view line) {
  constexpr std::size_t tab = 8;
  std::string text;
  for (const char c : line)
    if (c == '\t')
      text.append(tab - text.size() % tab, ' ');
    else if (c != '\r')
      text += c;
  return text;
}

/// The word, or the character, that begins at a place of a line; "" within a word and at a blank.
std::string_view word_at(std::string_view line, std::size_t at) {
  if (at >= line.size() || line[at] == ' ') return {};
  if (!is_word_char(line[at])) return line.substr(at, 1);
  if (at > 0 && is_word_char(line[at - 1])) return {};
  std::size_t end = at;
  while (end < line.size() && is_word_char(line[end])) ++end;
  return line.substr(at, end - at);
}

std::vector<std::size_t> places_of(std::string_view line, std::string_view word) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < line.size(); ++at)
    if (word_at(line, at) == word) places.push_back(at);
  return places;
}

/// Where a message says that something is: "FILE:12:34: ".
struct Stated {
  std::string file;
  std::size_t line = 0, column = 0;  ///< from 1
  std::size_t colon = 0;             ///< before the column
  std::size_t end = 0;               ///< behind the column
};

std::optional<Stated> stated_in(std::string_view message) {
  const std::size_t text = message.find(": ");
  if (text == std::string_view::npos) return std::nullopt;
  const std::string_view place = message.substr(0, text);
  const std::size_t second = place.rfind(':');
  if (second == std::string_view::npos || second == 0) return std::nullopt;
  const std::size_t first = place.rfind(':', second - 1);
  if (first == std::string_view::npos) return std::nullopt;
  Stated stated{std::string(place.substr(0, first)), number_of(place.substr(first + 1, second - first - 1)),
                number_of(place.substr(second + 1)), second, text};
  return stated.line != 0 && stated.column != 0 ? std::optional(stated) : std::nullopt;
}

/// Whether a line of a message is about the source: "   12 | text" or "      | ^~~".
bool is_excerpt(std::string_view line) {
  const std::size_t bar = line.find_first_not_of(" 0123456789");
  return bar != std::string_view::npos && bar > 0 && line[bar] == '|';
}

bool has_number(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin != std::string_view::npos && line[begin] >= '0' && line[begin] <= '9';
}

class OwnColumns {
 public:
  OwnColumns(const std::string& translated, const std::map<std::string, std::string>& own) {
    for (const auto& [file, text] : own)
      for (const std::string_view line : lines_of(text)) own_[file].push_back(without_tabs(line));
    std::string file;
    std::size_t number = 0;
    for (const std::string_view line : lines_of(translated)) {
      const std::size_t open = line.find('"'), close = line.rfind('"');
      if (line.starts_with("# ") && open < close) {
        file = line.substr(open + 1, close - open - 1);
        number = number_of(line.substr(2, line.find(' ', 2) - 2));
        continue;
      }
      if (own_.contains(file)) translated_[{file, number}].push_back(without_tabs(line));
      ++number;
    }
  }

  std::string applied_to(const std::string& messages) const {
    std::string text;
    std::optional<std::ptrdiff_t> moved = 0;
    std::size_t length = std::string::npos;  // of the student's line
    for (const std::string_view line : lines_of(messages)) {
      if (is_excerpt(line)) {
        if (!has_number(line) && moved != 0) {
          if (moved) text += shifted(line, *moved, length) + "\n";
          continue;
        }
        text.append(line) += '\n';
        continue;
      }
      moved = 0;
      const std::optional<Stated> stated = stated_in(line);
      if (stated && own_.contains(stated->file)) {
        const std::vector<std::string>& lines = own_.at(stated->file);
        length = stated->line <= lines.size() ? lines[stated->line - 1].size() : 0;
        const std::optional<std::size_t> column = own_column(*stated);
        moved = column ? std::optional(static_cast<std::ptrdiff_t>(*column) -
                                       static_cast<std::ptrdiff_t>(stated->column))
                       : std::nullopt;
        text += std::string(line.substr(0, stated->colon)) +
                (column ? ":" + std::to_string(*column) : std::string());
        text.append(line.substr(stated->end)) += '\n';
      } else {
        text.append(line) += '\n';
      }
    }
    return text;
  }

 private:
  std::optional<std::size_t> own_column(const Stated& stated) const {
    const std::vector<std::string>& lines = own_.at(stated.file);
    const auto texts = translated_.find({stated.file, stated.line});
    if (stated.line > lines.size() || texts == translated_.end()) return std::nullopt;
    const std::string& own = lines[stated.line - 1];
    // A line is in several parts where the translator put something between its statements.
    for (const std::string& part : texts->second) {
      const std::string_view word = word_at(part, stated.column - 1);
      if (word.empty()) continue;
      if (word_at(own, stated.column - 1) == word) return stated.column;
      const std::vector<std::size_t> in_part = places_of(part, word), in_own = places_of(own, word);
      if (in_own.empty()) continue;
      const auto turn =
          static_cast<std::size_t>(std::ranges::find(in_part, stated.column - 1) - in_part.begin());
      // Words that the translator added come first, and are not the student's.
      const std::size_t added = in_part.size() > in_own.size() ? in_part.size() - in_own.size() : 0;
      return in_own[std::min(turn - std::min(turn, added), in_own.size() - 1)] + 1;
    }
    return std::nullopt;
  }

  /// "      |   ^~~" moved to the right or, below 0, to the left; no longer than the line above it.
  static std::string shifted(std::string_view line, std::ptrdiff_t by, std::size_t length) {
    const std::size_t bar = line.find('|') + 1;
    std::string marks(line.substr(bar));
    if (by > 0)
      marks.insert(0, static_cast<std::size_t>(by), ' ');
    else
      marks.erase(0, std::min({static_cast<std::size_t>(-by), marks.size(),
                               marks.size() > 1 ? marks.find_first_not_of(' ', 1) - 1 : 0}));
    if (marks.size() > length + 1) marks.resize(length + 1);
    return std::string(line.substr(0, bar)) + marks;
  }

  std::map<std::string, std::vector<std::string>> own_;
  std::map<std::pair<std::string, std::size_t>, std::vector<std::string>> translated_;
};

}  // namespace

std::string with_own_columns(const std::string& messages, const std::string& translated,
                             const std::map<std::string, std::string>& own) {
  return OwnColumns(translated, own).applied_to(messages);
}

}  // namespace warplab
