#include "emulator/driver/words.hpp"

#include <utility>

namespace warplab::driver {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (quote == 0 && is_space) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  return words;
}

bool is_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::vector<std::string> parts_of_list(std::string_view list) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == ',')
      parts.emplace_back();
    else if (list.substr(i, 2) == "\\,")
      parts.back() += list[++i];
    else
      parts.back() += list[i];
  }
  return parts;
}

std::vector<std::string> words_of_list(std::string_view list) {
  std::vector<std::string> words;
  for (const std::string& part : parts_of_list(list))
    for (std::string& word : words_of(part)) words.push_back(std::move(word));
  return words;
}

}  // namespace warplab::driver
