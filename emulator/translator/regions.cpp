#include "regions.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace warplab::translator {
namespace {

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
    if (source.at(i).is("typename") || source.at(i).is("class"))
      if (const int name = source.next(i + 1); source.at(name).is_name()) names.insert(source.at(name).text);
  return names;
}

// Whether token `i` ends the type of a variable, declared after it, that is more than a value or a pointer:
// an object may hold its own address, or an array.
bool declares_object(const Source& source, const std::set<std::string_view>& type_parameters, int i) {
  const Token& token = source.at(i);
  if (token.is(">")) {  // Pair<int> p, but not a > b
    for (int j = source.previous(i - 1), depth = 1; j >= 0; j = source.previous(j - 1)) {
      const Token& before = source.at(j);
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
  for (; i >= 0 && i < last && !source.at(i).is(";"); i = source.next(i + 1)) {
    const int open = source.next(i + 1);
    if (source.at(i).is_name() && !is_plain_type(source.at(i).text) && source.at(open).is("(") &&
        source.next(open + 1) != source.at(open).partner)
      return true;
  }
  return false;
}

// Whether the tokens up to `last` leave something behind that a copy would not carry over.
bool can_be_copied_over(const Source& source, const std::set<std::string_view>& type_parameters, int first,
                        int last) {
  bool shared = false;  // inside a __shared__ declaration, whose variables are not the thread's own
  for (int i = source.next(first); i >= 0 && i < last; i = source.next(i + 1)) {
    const Token& token = source.at(i);
    if (token.is(";")) shared = false;
    if (token.is("__shared__")) shared = true;
    if (token.is("decltype")) return false;
    if (token.is("return") || token.is("goto") || token.is("static") || token.is("operator")) return false;
    const int left = source.previous(i - 1), right = source.next(i + 1);
    if (!shared && source.at(right).is_name() && declares_object(source, type_parameters, i)) return false;
    const bool is_pointer = token.is("*") && source.at(left).is_name();
    if (!shared && (token.is("auto") || is_pointer) && source.at(right).is_name() &&
        source.at(source.next(right + 1)).is("=") && calls_with_arguments(source, right, last))
      return false;
    if (token.is("[") && !shared) {
      const bool subscript = is_operand_end(source.at(left));
      if (!subscript && !source.at(left).is("[")) return false;  // a lambda, a structured binding
      const int before = source.previous(left - 1);
      if (source.at(left).is_name() &&
          (source.at(before).is(">") ||
           (source.at(before).is_name() && !starts_expression(source.at(before).text))))
        return false;  // an array
    }
    if (token.is("&")) {
      if (source.at(right).is("&") || source.at(left).is("&")) {
        if (is_plain_type(source.at(left).text)) return false;      // a reference to what is moved
        if (source.at(right).is("&") && i + 1 == right) i = right;  // logical and
        continue;
      }
      const int after = source.next(right + 1);
      const bool binary = is_operand_end(source.at(left));
      const bool reference =
          source.at(right).is_name() &&
          ((source.at(after).is("=") && !source.at(after + 1).is("=")) || source.at(after).is(":") ||
           source.at(after).is("(") || source.at(after).is("{"));
      if (reference && !source.at(right).is("=")) return false;
      if (!binary && !source.at(after).is("[") && !source.at(after).is("-"))
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
    const Token& token = source.at(i);
    const int left = source.previous(i - 1);
    if (token.is("[") && !is_operand_end(source.at(left))) return {};  // a lambda: its `return` is its own
    if (token.is("struct") || token.is("class") || token.is("try")) return {};
    if (token.is("__syncthreads")) {
      const int open = source.next(i + 1), close = source.next(open + 1), end = source.next(close + 1);
      const Token& before = source.at(left);
      const bool statement = before.is(";") || before.is("{") || before.is("}") || before.is(")") ||
                             before.is("else") || before.is("do") || before.is(":");
      if (!statement || !source.at(open).is("(") || !source.at(close).is(")") || !source.at(end).is(";"))
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
    const Token& before = source.at(source.previous(barrier.first - 1));
    if (!before.is(";") && !before.is("{") && !before.is("}")) return {};
    if (!is_outermost(source, barrier.first, kernel.body_open)) return {};
  }
  if (barriers.empty()) return {};
  const int close = source.previous(kernel.body_open - 1);
  if (!source.at(close).is(")")) return {};
  const int open = source.at(close).partner;
  const std::set<std::string_view> types = type_parameters(source, open);
  if (!can_be_copied_over(source, types, open + 1, close) ||
      !can_be_copied_over(source, types, kernel.body_open + 1, barriers.back().first))
    return {};
  return barriers;
}

bool is_outermost(const Source& source, int i, int open) {
  for (int j = i - 1; j > open; --j) {
    if (source.at(j).is("{") || source.at(j).is("(")) return false;
    if (source.at(j).is("}") || source.at(j).is(")")) j = source.at(j).partner;
  }
  return true;
}

}  // namespace warplab::translator
