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

std::vector<BarrierStatement> coroutine_barriers(const Source& source, const DeviceCode& code,
                                                 const Function& kernel) {
  std::vector<BarrierStatement> barriers;
  if (kernel.launches) return barriers;
  for (int i = source.next(kernel.body_open + 1); i >= 0 && i < kernel.body_close; i = source.next(i + 1)) {
    const Token& token = at(source, i);
    const int left = source.previous(i - 1);
    if (token.is("[") && !is_operand_end(at(source, left))) return {};  // a lambda: its `return` is its own
    if (token.is("struct") || token.is("class") || token.is("try")) return {};
    if (token.is("__syncthreads")) {
      const int open = source.next(i + 1), close = source.next(open + 1), end = source.next(close + 1);
      const Token& before = at(source, left);
      const bool statement = before.is(";") || before.is("{") || before.is("}") || before.is(")") ||
                             before.is("else") || before.is("do") || before.is(":");
      if (!statement || !at(source, open).is("(") || !at(source, close).is(")") || !at(source, end).is(";"))
        return {};
      barriers.push_back({i, end});
      i = end;
    } else if (token.is_name() && waits_at(source, code, i)) {
      return {};
    }
  }
  return barriers;
}

std::vector<BarrierStatement> region_barriers(const Source& source, const DeviceCode& code,
                                              const Function& kernel) {
  std::vector<BarrierStatement> barriers = coroutine_barriers(source, code, kernel);
  for (const BarrierStatement& barrier : barriers) {
    const Token& before = at(source, source.previous(barrier.first - 1));
    if (!before.is(";") && !before.is("{") && !before.is("}")) return {};
    if (!is_outermost(source, barrier.first, kernel.body_open)) return {};
  }
  if (barriers.empty() || !can_be_copied_over(source, kernel.body_open + 1, barriers.back().first)) return {};
  return barriers;
}

bool is_outermost(const Source& source, int i, int open) {
  for (int j = i - 1; j > open; --j) {
    if (at(source, j).is("{") || at(source, j).is("(")) return false;
    if (at(source, j).is("}") || at(source, j).is(")")) j = at(source, j).partner;
  }
  return true;
}

}  // namespace warplab::translator
