#include "grader/text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t max_name_bytes = 150;               // leaves room for endings within the 255 of a file
constexpr std::size_t mark_digits = 8;

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// The character that a text begins with. @pre it is not empty
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (too_long || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, length, true};
}

/// Characters that nobody sees, that turn text around, or that XML forbids.
bool is_unseen(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF) ||
         (c >= 0xE0000 && c <= 0xE0FFF);
}

/// The length of the escape sequence that a text begins with: ESC, what opens it, up to its final character.
std::size_t escape_sequence(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] == '[') {
    std::size_t i = 2;
    while (i < text.size() && text[i] >= 0x20 && text[i] < 0x40) ++i;
    return i < text.size() && text[i] >= 0x40 && text[i] < 0x7F ? i + 1 : i;
  }
  if (text[1] == ']') {  // a title or a link, ended by BEL or ESC \ on the same line
    for (std::size_t i = 2; i < text.size() && text[i] != '\n'; ++i) {
      if (text[i] == '\a') return i + 1;
      if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '\\') return i + 2;
    }
    return 2;
  }
  return text[1] >= 0x30 && text[1] < 0x7F ? 2 : 1;
}

/// How long the address is that a text begins with, or 0.
std::size_t address_length(std::string_view text) {
  constexpr std::size_t min_digits = 6;
  if (!text.starts_with("0x")) return 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789abcdefABCDEF", 2), text.size());
  return end >= 2 + min_digits ? end : 0;
}

bool is_of_name(char c) {
  return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || c == '.' || c == '-';
}

/// How much of a text that begins with a path are the folders before the file's name; 0 where the path does
/// not end in a name such as "tile.cu", or has one folder only.
std::size_t folders_length(std::string_view text) {
  const std::string_view path = text.substr(0, text.find_first_of(" \t\n\r\v\f:'\""));
  const std::size_t name = path.rfind('/') + 1, point = path.rfind('.');
  const bool is_file = point != std::string_view::npos && point > name && point + 1 < path.size() &&
                       path[point + 1] >= 'a' && path[point + 1] <= 'z';
  return is_file && name > 1 ? name : 0;
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Character c = first_character(bytes);
    text += c.valid ? bytes.substr(0, c.bytes) : replacement;
    bytes.remove_prefix(c.bytes);
  }
  return text;
}

std::string shown_text(std::string_view text, std::size_t max_lines, std::size_t max_columns) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  std::string shown;
  std::size_t line = 1, column = 0, cut = 0;
  const auto end_line = [&] {
    if (cut) shown += fmt::format(" ... ({} more characters)", cut);
    cut = column = 0;
  };
  while (!text.empty()) {
    if (text.front() == '\x1b') {
      text.remove_prefix(escape_sequence(text));
      continue;
    }
    const Character c = first_character(text);
    const std::string_view bytes = text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
    if (c.code == '\r' && (text.empty() || text.front() == '\n')) continue;
    if (c.code == '\n') {
      end_line();
      if (++line > max_lines) {
        std::size_t left = 1;
        for (const char other : text) left += other == '\n';
        return shown + fmt::format("\n... ({} more lines)", left);
      }
      shown += '\n';
    } else if (++column > max_columns) {
      ++cut;
    } else {
      const bool plain = c.valid && (c.code == '\t' || !is_unseen(c.code));
      shown += plain ? bytes : replacement;
    }
  }
  end_line();
  return shown;
}

std::string shown_line(std::string_view text, std::size_t max_columns) {
  std::string line(text);
  for (char& c : line)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return shown_text(line, 1, max_columns);
}

std::string without_places(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t address = address_length(text);
    if (address != 0) {
      shown += "0x...";
      text.remove_prefix(address);
    } else if (const bool begins = shown.empty() || !is_of_name(shown.back());
               begins && text.front() == '/') {
      text.remove_prefix(folders_length(text));
      shown += text.front();
      text.remove_prefix(1);
    } else {
      shown += text.front();
      text.remove_prefix(1);
    }
  }
  return shown;
}

std::string printable_name(std::string_view bytes) {
  std::string name;
  bool changed = bytes.empty() || bytes.size() > max_name_bytes || bytes.front() == '.' ||
                 bytes.front() == ' ' || bytes.back() == ' ' || bytes.back() == '.';
  for (std::string_view rest = bytes; !rest.empty();) {
    const Character c = first_character(rest);
    const bool plain = c.valid && !is_unseen(c.code) && c.code != '/' && c.code != '\\';
    name += plain ? rest.substr(0, c.bytes) : "_";
    changed |= !plain;
    rest.remove_prefix(c.bytes);
  }
  return changed ? marked_name(name, bytes) : name;
}

std::string marked_name(std::string_view name, std::string_view bytes) {
  const std::size_t first = name.find_first_not_of(" .");
  name.remove_prefix(std::min(first, name.size()));
  std::size_t end = std::min(name.size(), max_name_bytes - 1 - mark_digits);
  while (end < name.size() && end > 0 && (name[end] & 0xC0) == 0x80) --end;  // between characters
  name = name.substr(0, end);
  name = name.substr(0, name.find_last_not_of(" .") + 1);
  return (name.empty() ? "unnamed" : std::string(name)) + "~" + sha256(bytes).substr(0, mark_digits);
}

bool is_printable_name(std::string_view name) { return printable_name(name) == name; }

}  // namespace warplab
