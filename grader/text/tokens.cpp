#include "grader/text/tokens.hpp"

#include <algorithm>

namespace warplab {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The length of the literal that begins with the quote at the text's begin, up to its line's end at most.
std::size_t literal_length(std::string_view text) {
  std::size_t i = 1;
  while (i < text.size() && text[i] != text[0] && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + (i < text.size() && text[i] == text[0]), text.size());
}

/// The length of R"delimiter(...)delimiter", from its quote; 0 if it is none.
std::size_t raw_literal_length(std::string_view text) {
  const std::size_t open = text.substr(0, 18).find('(');
  if (open == std::string_view::npos) return 0;
  const std::string end = ")" + std::string(text.substr(1, open - 1)) + "\"";
  const std::size_t close = text.find(end, open);
  return close == std::string_view::npos ? text.size() : close + end.size();
}

std::size_t comment_length(std::string_view text) {
  if (text.starts_with("/*")) {
    const std::size_t end = text.find("*/", 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  std::size_t end = text.find('\n');
  while (end != std::string_view::npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
  return std::min(end, text.size());
}

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
  std::vector<Token> tokens;
  while (!source.empty()) {
    const char c = source.front();
    std::size_t length = 1;
    if (source.starts_with("//") || source.starts_with("/*")) {
      length = comment_length(source);
    } else if (c == ' ' || (c >= '\t' && c <= '\r') || c == '\\') {
      // white space, and lines that go on
    } else if (c == '"' || c == '\'') {
      const bool raw = c == '"' && !tokens.empty() && tokens.back().text.ends_with('R') &&
                       tokens.back().text.data() + tokens.back().text.size() == source.data();
      length = raw ? raw_literal_length(source) : 0;
      if (length == 0) length = literal_length(source);
      tokens.push_back({Token::Kind::literal, source.substr(0, length)});
    } else if (is_digit(c) || (c == '.' && source.size() > 1 && is_digit(source[1]))) {
      while (length < source.size() &&
             (is_word(source[length]) || source[length] == '.' ||
              (source[length] == '\'' && length + 1 < source.size() && is_word(source[length + 1])) ||
              ((source[length] == '+' || source[length] == '-') &&
               std::string_view("eEpP").find(source[length - 1]) != std::string_view::npos &&
               !source.starts_with("0x") && !source.starts_with("0X"))))
        ++length;
      tokens.push_back({Token::Kind::number, source.substr(0, length)});
    } else if (is_word(c)) {
      while (length < source.size() && is_word(source[length])) ++length;
      tokens.push_back({Token::Kind::name, source.substr(0, length)});
    } else {
      tokens.push_back({Token::Kind::sign, source.substr(0, 1)});
    }
    source.remove_prefix(length);
  }
  return tokens;
}

}  // namespace warplab
