#include "regions.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace warplab::translator {
namespace {

const Token& at(const Source& source, int i) { return source.tokens[static_cast<std::size_t>(i)]; }

bool is_operand_end(const Token& token) {
  return token.is_name() || token.kind == Token::Kind::number || token.is(")") || token.is("]");
}

// Words after which a name is part of an expression, so that `return x[i]` is not taken for a declaration.
bool starts_expression(std::string_view word) {
  static constexpr std::array words{"return", "else", "do",     "case", "throw",
                                    "sizeof", "new",  "delete", "goto"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether the tokens up to `last` leave something behind that a copy would not carry over.
bool can_be_copied_over(const Source& source, int first, int last) {
  bool shared = false;  // inside a __shared__ declaration, whose variables are not the thread's own
  for (int i = source.next(first); i >= 0 && i < last; i = source.next(i + 1)) {
    const Token& token = at(source, i);
    if (token.is(";")) shared = false;
    if (token.is("__shared__")) shared = true;
    if (token.is("return") || token.is("goto") || token.is("static") || token.is("operator")) return false;
    const int left = source.previous(i - 1), right = source.next(i + 1);
    if (token.is("[") && !shared) {
      const bool subscript = is_operand_end(at(source, left));
      if (!subscript && !at(source, left).is("[")) return false;  // a lambda, a structured binding
      const int before = source.previous(left - 1);
      if (at(source, left).is_name() &&
          (at(source, before).is(">") ||
           (at(source, before).is_name() && !starts_expression(at(source, before).text))))
        return false;  // an array
    }
    if (token.is("&")) {
      if (at(source, right).is("&") || at(source, left).is("&")) {
        if (at(source, right).is("&") && i + 1 == right) i = right;  // logical and
        continue;
      }
      const int after = source.next(right + 1);
      const bool binary = is_operand_end(at(source, left));
      const bool reference =
          at(source, right).is_name() &&
          ((at(source, after).is("=") && !at(source, after + 1).is("=")) || at(source, after).is(":"));
      if (reference && !at(source, right).is("=")) return false;
      if (!binary && !at(source, after).is("[") && !at(source, after).is("-"))
        return false;  // the address of a variable
    }
  }
  return true;
}

}  // namespace

std::vector<BarrierStatement> region_barriers(const Source& source, const DeviceCode& code,
                                              const Function& kernel) {
  std::vector<BarrierStatement> barriers;
  for (int i = source.next(kernel.body_open + 1); i >= 0 && i < kernel.body_close; i = source.next(i + 1)) {
    if (at(source, i).is("(") || at(source, i).is("[") || at(source, i).is("{")) {
      i = at(source, i).partner;
      continue;
    }
    if (!at(source, i).is("__syncthreads")) continue;
    const int left = source.previous(i - 1), open = source.next(i + 1);
    const int close = source.next(open + 1), end = source.next(close + 1);
    if (!at(source, open).is("(") || !at(source, close).is(")") || !at(source, end).is(";")) return {};
    if (!at(source, left).is(";") && !at(source, left).is("}") && left != kernel.body_open) return {};
    barriers.push_back({i, end});
    i = end;
  }
  if (barriers.empty()) return {};
  int others = 0;
  for (int i = kernel.body_open; i < kernel.body_close; ++i)
    if (at(source, i).is_name() && waits_at(source, code, i)) ++others;
  if (others != static_cast<int>(barriers.size())) return {};
  if (!can_be_copied_over(source, kernel.body_open + 1, barriers.back().first)) return {};
  return barriers;
}

}  // namespace warplab::translator
