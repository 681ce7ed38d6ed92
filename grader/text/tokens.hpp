#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace warplab {

/// A word or a sign of C++ source text.
struct Token {
  enum class Kind { name, number, literal, sign, newline };
  Kind kind;
  std::string_view text;  ///< within the source; a name may be cut in two by a backslash and a line's end
  int line;               ///< where it begins
};

/// Goes over C++ source text, token by token; comments and white space are left out. Whatever the text is, it
/// ends and throws nothing: what is not C++ is taken for signs. After a prefix such as R a raw literal
/// follows, as a token of its own.
class Lexer {
 public:
  explicit Lexer(std::string_view text, int first_line = 1) : text_(text), line_(first_line) {}

  /// The next token; nothing at the end.
  std::optional<Token> next();
  /// What is on the line from here, as it is.
  std::string_view rest_of_line() const { return text_.substr(at_, text_.find('\n', at_) - at_); }

 private:
  /// The length of the line's end that a backslash here takes away; 0 if there is none.
  std::size_t continuation() const;
  void skip_comment();
  std::size_t word_length() const;
  std::size_t number_length() const;
  std::size_t literal_length() const;
  std::size_t raw_literal_length() const;
  Token take(Token::Kind kind, std::size_t length);

  std::string_view text_;
  std::size_t at_ = 0;
  int line_;
  bool is_raw_ = false;  ///< a raw literal begins here
};

/// All tokens of a source text but newlines.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace warplab
