#include "edits.hpp"

namespace warplab::translator {

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + '"';
}

std::string place_of(const Source& source, int i) {
  const Token& token = source.tokens[static_cast<std::size_t>(i)];
  return quote(source.files[static_cast<std::size_t>(token.file)]) + ", " + std::to_string(token.line);
}

}  // namespace warplab::translator
