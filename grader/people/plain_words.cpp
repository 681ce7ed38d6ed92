#include "grader/people/plain_words.hpp"

#include <algorithm>

#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

/// A letter of two bytes in lower case: the letters of U+00C0 to U+024F, Greek and Cyrillic.
unsigned lower_letter(unsigned c) {
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 0x20;
  if (c == 0x130) return 'i';
  if (c == 0x178) return 0xFF;
  const bool even = (c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177) || (c >= 0x1DE && c <= 0x1EF) ||
                    (c >= 0x1F8 && c <= 0x21F) || (c >= 0x460 && c <= 0x481);
  const bool odd = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E) || (c >= 0x1CD && c <= 0x1DC);
  if ((even && c % 2 == 0) || (odd && c % 2 == 1)) return c + 1;
  if (c >= 0x391 && c <= 0x3A9) return c + 0x20;
  if (c >= 0x410 && c <= 0x42F) return c + 0x20;
  if (c >= 0x400 && c <= 0x40F) return c + 0x50;
  return c;
}

std::vector<std::string> words_of_name(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : with_single_blanks(name))
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool two = c >= 0xC3 && c <= 0xD3 && i + 1 < text.size();
    if (two) {
      const unsigned letter = (c & 0x1Fu) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3Fu);
      const unsigned small = lower_letter(letter);
      if (small < 0x80)
        lower += static_cast<char>(small);
      else
        lower += {static_cast<char>(0xC0 | small >> 6), static_cast<char>(0x80 | (small & 0x3F))};
    } else {
      lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : text[i];
    }
  }
  return lower;
}

std::string squashed(std::string_view name) {
  std::string letters;
  for (const char c : lower_case(name))
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80)
      letters += c;
  return letters;
}

NameParts parts_of_name(const std::string& name) {
  const std::size_t comma = name.find(',');
  if (comma != std::string::npos)
    return {std::string(trimmed(std::string_view(name).substr(comma + 1))),
            std::string(trimmed(std::string_view(name).substr(0, comma)))};
  const std::string plain = with_single_blanks(name);
  const std::size_t blank = plain.rfind(' ');
  if (blank == std::string::npos) return {"", plain};
  return {plain.substr(0, blank), plain.substr(blank + 1)};
}

bool has_shape(std::string_view text, std::string_view shape) {
  return std::ranges::equal(text, shape, [](char c, char expected) {
    return expected == '0' ? c >= '0' && c <= '9' : c == expected;
  });
}

std::string_view leading_digits(std::string_view text) {
  return text.substr(0, text.find_first_not_of("0123456789"));
}

std::vector<std::string> squashed_forms(const std::string& name) {
  std::vector<std::string> forms{squashed(name)};
  if (name.find(',') != std::string::npos) {
    const NameParts parts = parts_of_name(name);
    forms.push_back(squashed(parts.given + parts.family));
    return forms;
  }
  std::vector<std::string> words = words_of_name(name);
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::rotate(words.begin(), words.begin() + 1, words.end());
    std::string all;
    for (const std::string& word : words) all += squashed(word);
    forms.push_back(all);
  }
  return forms;
}

}  // namespace warplab
