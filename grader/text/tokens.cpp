#include "grader/text/tokens.hpp"

#include <algorithm>
#include <string>

namespace warplab {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_word(char c) { return begins_name(c) || is_digit(c); }

/// No other name makes a literal raw: after a macro called xR an ordinary one begins.
bool is_raw_prefix(std::string_view name) {
  return name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R";
}

}  // namespace

std::optional<Token> Lexer::next() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') return take(Token::Kind::newline, 1);
    if (const std::size_t length = continuation(); length > 0) {
      at_ += length;
      ++line_;
    } else if (text_.substr(at_, 2) == "//" || text_.substr(at_, 2) == "/*") {
      skip_comment();
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      ++at_;
    } else if (begins_name(c)) {
      const Token name = take(Token::Kind::name, word_length());
      is_raw_ = at_ < text_.size() && text_[at_] == '"' && is_raw_prefix(name.text);
      return name;
    } else if (is_digit(c)) {
      return take(Token::Kind::number, number_length());
    } else if (c == '"' || c == '\'') {
      return take(Token::Kind::literal, is_raw_ ? raw_literal_length() : literal_length());
    } else {
      return take(Token::Kind::sign, 1);
    }
  }
  return std::nullopt;
}

Token Lexer::take(Token::Kind kind, std::size_t length) {
  const Token token{kind, text_.substr(at_, length), line_};
  line_ += static_cast<int>(std::count(token.text.begin(), token.text.end(), '\n'));
  at_ += token.text.size();
  is_raw_ = false;
  return token;
}

std::size_t Lexer::continuation() const {
  const std::string_view here = text_.substr(at_, 3);
  return here.starts_with("\\\n") ? 2 : here == "\\\r\n" ? 3 : 0;
}

void Lexer::skip_comment() {
  const bool is_block = text_[at_ + 1] == '*';
  std::size_t end = is_block ? text_.find("*/", at_ + 2) : text_.find('\n', at_);
  while (!is_block && end != std::string_view::npos && text_[end - 1] == '\\')
    end = text_.find('\n', end + 1);
  if (is_block && end != std::string_view::npos) end += 2;
  take(Token::Kind::sign, end == std::string_view::npos ? end : end - at_);
}

std::size_t Lexer::word_length() const {
  std::size_t end = at_;
  while (end < text_.size()) {
    if (is_word(text_[end]))
      ++end;
    else if (text_.substr(end, 2) == "\\\n")
      end += 2;
    else
      break;
  }
  return end - at_;
}

std::size_t Lexer::number_length() const {
  const bool is_hexadecimal = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
  std::size_t end = at_ + 1;
  for (; end < text_.size(); ++end) {
    const char c = text_[end], before = text_[end - 1];
    const bool is_separator = c == '\'' && end + 1 < text_.size() && is_word(text_[end + 1]);
    const bool is_exponent = (c == '+' || c == '-') && !is_hexadecimal && (before == 'e' || before == 'E');
    if (!is_word(c) && c != '.' && !is_separator && !is_exponent) break;
  }
  return end - at_;
}

/// To its line's end at most.
std::size_t Lexer::literal_length() const {
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != text_[at_] && text_[end] != '\n')
    end += text_[end] == '\\' ? 2 : 1;
  return end + (end < text_.size() && text_[end] == text_[at_]) - at_;
}

/// Of "delimiter(...)delimiter".
std::size_t Lexer::raw_literal_length() const {
  const std::size_t open = text_.find('(', at_);
  if (open == std::string_view::npos) return open;
  const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
  const std::size_t close = text_.find(end, open);
  return close == std::string_view::npos ? close : close + end.size() - at_;
}

std::vector<Token> tokens_of(std::string_view source) {
  std::vector<Token> tokens;
  for (Lexer lexer(source); const std::optional<Token> token = lexer.next();)
    if (token->kind != Token::Kind::newline) tokens.push_back(*token);
  return tokens;
}

}  // namespace warplab
