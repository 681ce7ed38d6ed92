#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplab::translator {

/// A piece of preprocessed C++. The texts of all tokens, in order, are the input.
struct Token {
  enum class Kind { space, directive, identifier, number, literal, punctuation };
  Kind kind;  ///< what is in a system header between two markers is one directive
  std::string_view text;
  int line;          ///< in the original file, by the line markers
  int file;          ///< index into Source::files
  bool system;       ///< from a system header, which is left alone
  int partner = -1;  ///< the matching bracket of ( ) [ ] { }, or -1

  bool is(std::string_view wanted) const { return text == wanted; }
  /// @param words each between two spaces: " for while "
  bool is_one_of(std::string_view words) const {
    return words.find(" " + std::string(text) + " ") != std::string_view::npos;
  }
  bool is_name() const { return kind == Kind::identifier; }
};

/// A preprocessed file, cut into tokens.
struct Source {
  std::string text;
  std::vector<Token> tokens;                     ///< views into `text`
  std::vector<std::string> files = {"<input>"};  ///< the first: what comes before any line marker
  std::vector<bool> of_library = {false};        ///< by file: a library's, such as CUB's

  /// Whether token i is a library's, whose author did not write it for the emulator.
  bool is_of_library(int i) const { return of_library[static_cast<std::size_t>(at(i).file)]; }

  /// Token i. @throws std::runtime_error if there is none: code that ends, or begins, in the middle of
  /// something
  const Token& at(int i) const;
  /// The next token at or after `i` (at or before, for `previous`) that is neither white space nor a
  /// directive; -1 if none.
  int next(int i) const;
  int previous(int i) const;

  /// The text of tokens first to last on one line, without directives.
  std::string text_of(int first, int last) const;

  /// Says what is wrong at token `i`. @throws std::runtime_error "file:line: error: what"
  [[noreturn]] void fail(int i, const std::string& what) const;
};

/// What a class that reads a source's tokens begins with.
class TokenReader {
 protected:
  explicit TokenReader(const Source& source) : source_(source) {}

  const Token& at(int i) const { return source_.at(i); }
  /// The token after i, or before it, that is neither white space nor a directive; -1 if none.
  int next(int i) const { return source_.next(i + 1); }
  int previous(int i) const { return source_.previous(i - 1); }

  const Source& source_;
};

/// Cuts preprocessed text into tokens, follows its line markers and pairs its brackets.
/// @param libraries how the paths of system headers begin that hold device code, which is not left alone
/// @throws std::runtime_error for an unterminated literal or unbalanced brackets in user code.
Source tokenize(std::string text, const std::vector<std::string>& libraries = {});

}  // namespace warplab::translator
