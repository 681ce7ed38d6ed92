#include "regions.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace warplab::translator {
namespace {

const Token& at(const Source& source, int i) { return source.at(i); }

bool is_operand_end(const Token& token) {
  return token.is_name() || token.kind == Token::Kind::number || token.is(")") || token.is("]");
}

// Words after which a name is part of an expression, so that `return x[i]` is not taken for a declaration.
bool starts_expression(std::string_view word) {
  static constexpr std::array words{"return", "else", "do",     "case", "throw",
                                    "sizeof", "new",  "delete", "goto"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Words that are before a type, or instead of a part of it.
bool is_qualifier(std::string_view word) {
  static constexpr std::array words{"const",        "volatile",   "constexpr", "extern",
                                    "__restrict__", "__restrict", "typename",  "__grid_constant__"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Types whose objects hold no address of themselves and turn into no pointer:
// "unsigned", "int64_t", "float4".
bool is_plain_type(std::string_view word) {
  static constexpr std::array words{
      "auto",          "void",         "bool",          "char",     "short",     "int",       "long",
      "signed",        "unsigned",     "float",         "double",   "size_t",    "int8_t",    "uint8_t",
      "int16_t",       "uint16_t",     "int32_t",       "uint32_t", "int64_t",   "uint64_t",  "uchar",
      "ushort",        "uint",         "ulong",         "half",     "__half",    "half2",     "__half2",
      "longlong",      "ulonglong",    "dim3",          "intptr_t", "uintptr_t", "ptrdiff_t", "nv_bfloat16",
      "__nv_bfloat16", "nv_bfloat162", "__nv_bfloat162"};
  if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  return word.size() > 1 && word.back() >= '1' && word.back() <= '4' &&
         is_plain_type(word.substr(0, word.size() - 1));
}

// The parameters of the kernel's template that are types.
std::set<std::string_view> type_parameters(const Source& source, int parameters) {
  std::set<std::string_view> names;
  for (int i = declaration_start(source, parameters); i >= 0 && i < parameters; i = source.next(i + 1))
    if (at(source, i).is("typename") || at(source, i).is("class"))
      if (const int name = source.next(i + 1); at(source, name).is_name())
        names.insert(at(source, name).text);
  return names;
}

// Whether token `i` ends the type of a variable, declared after it, that is more than a value or a pointer:
// an object may hold its own address, or an array.
bool declares_object(const Source& source, const std::set<std::string_view>& type_parameters, int i) {
  const Token& token = at(source, i);
  if (token.is(">")) {  // Pair<int> p, but not a > b
    for (int j = source.previous(i - 1), depth = 1; j >= 0; j = source.previous(j - 1)) {
      const Token& before = at(source, j);
      if (before.is(";") || before.is("{") || before.is("}") || before.is("&") || before.is("|"))
        return false;
      if (before.is(")")) j = before.partner;
      depth += before.is(">") ? 1 : before.is("<") ? -1 : 0;
      if (depth == 0) return true;
    }
    return false;
  }
  return token.is_name() && !is_qualifier(token.text) && !starts_expression(token.text) &&
         !is_plain_type(token.text) && !type_parameters.contains(token.text);
}

// Whether what is from token `i` to the statement's end calls a function with arguments, who may be given
// a local variable and return its address: `auto m = make(x)`, `int* p = address_of(x)`.
bool calls_with_arguments(const Source& source, int i, int last) {
  for (; i >= 0 && i < last && !at(source, i).is(";"); i = source.next(i + 1)) {
    const int open = source.next(i + 1);
    if (at(source, i).is_name() && !is_plain_type(at(source, i).text) && at(source, open).is("(") &&
        source.next(open + 1) != at(source, open).partner)
      return true;
  }
  return false;
}

// Whether the tokens up to `last` leave something behind that a copy would not carry over.
bool can_be_copied_over(const Source& source, const std::set<std::string_view>& type_parameters, int first,
                        int last) {
  bool shared = false;  // inside a __shared__ declaration, whose variables are not the thread's own
  for (int i = source.next(first); i >= 0 && i < last; i = source.next(i + 1)) {
    const Token& token = at(source, i);
    if (token.is(";")) shared = false;
    if (token.is("__shared__")) shared = true;
    if (token.is("decltype")) return false;
    if (token.is("return") || token.is("goto") || token.is("static") || token.is("operator")) return false;
    const int left = source.previous(i - 1), right = source.next(i + 1);
    if (!shared && at(source, right).is_name() && declares_object(source, type_parameters, i)) return false;
    const bool is_pointer = token.is("*") && at(source, left).is_name();
    if (!shared && (token.is("auto") || is_pointer) && at(source, right).is_name() &&
        at(source, source.next(right + 1)).is("=") && calls_with_arguments(source, right, last))
      return false;
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
        if (is_plain_type(at(source, left).text)) return false;      // a reference to what is moved
        if (at(source, right).is("&") && i + 1 == right) i = right;  // logical and
        continue;
      }
      const int after = source.next(right + 1);
      const bool binary = is_operand_end(at(source, left));
      const bool reference =
          at(source, right).is_name() &&
          ((at(source, after).is("=") && !at(source, after + 1).is("=")) || at(source, after).is(":") ||
           at(source, after).is("(") || at(source, after).is("{"));
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
  if (barriers.empty()) return {};
  const int close = source.previous(kernel.body_open - 1);
  if (!at(source, close).is(")")) return {};
  const int open = at(source, close).partner;
  const std::set<std::string_view> types = type_parameters(source, open);
  if (!can_be_copied_over(source, types, open + 1, close) ||
      !can_be_copied_over(source, types, kernel.body_open + 1, barriers.back().first))
    return {};
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
