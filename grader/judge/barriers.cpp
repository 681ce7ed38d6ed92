#include "grader/judge/barriers.hpp"

#include <vector>

#include "grader/text/tokens.hpp"

namespace warplab {
namespace {

bool is_barrier(const std::vector<Token>& tokens, std::size_t i) {
  const std::string_view word = tokens[i].text;
  if (i + 1 == tokens.size() || tokens[i + 1].text != "(") return false;
  if (word.starts_with("__syncthreads") || word == "__syncwarp" || word == "arrive_and_wait") return true;
  if (word != "sync" || i == 0) return false;
  // The signs of "::" and "->" may be tokens of their own.
  const std::string_view before = tokens[i - 1].text;
  return before == "." || before.ends_with(':') || before.ends_with('>');
}

}  // namespace

std::optional<unsigned> barriers_above(std::string_view source, int line) {
  const std::vector<Token> tokens = tokens_of(source);
  std::optional<unsigned> count;
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line < line; ++i) {
    if (tokens[i].kind != Token::Kind::name) continue;
    if (tokens[i].text == "__global__" || tokens[i].text == "__device__")
      count = 0;
    else if (count && is_barrier(tokens, i))
      ++*count;
  }
  return count;
}

}  // namespace warplab
