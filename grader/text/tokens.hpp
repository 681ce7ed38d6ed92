#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// A word or a sign of C++ source text.
struct Token {
  enum class Kind { name, number, literal, sign };
  Kind kind;
  std::string_view text;  ///< within the source
};

/// The tokens of a source text, without comments and white space. Whatever the text is, it ends and throws
/// nothing: what is not C++ is taken for signs.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace warplab
