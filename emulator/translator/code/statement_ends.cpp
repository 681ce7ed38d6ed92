#include "emulator/translator/code/statement_ends.hpp"

namespace warplab::translator {
namespace {

bool is_attribute(const Source& source, int i) {
  return source.at(i).is("[") && source.at(source.next(i + 1)).is("[");
}

int colon_of_label(const Source& source, int i) {
  while (i >= 0 && (!source.at(i).is(":") || source.at(i + 1).is(":") || source.at(i - 1).is(":")))
    i = source.next(i + 1);
  return i;
}

}  // namespace

bool has_head(const Token& token) {
  return token.is("if") || token.is("for") || token.is("while") || token.is("switch");
}

int head_of(const Source& source, int keyword) {
  int open = source.next(keyword + 1);
  if (open >= 0 && source.at(open).is("constexpr")) open = source.next(open + 1);
  return open >= 0 && source.at(open).is("(") ? open : -1;
}

bool ends_head(const Source& source, int i) {
  if (!source.at(i).is(")")) return false;
  const int word = source.previous(source.at(i).partner - 1);
  return word >= 0 && source.at(word).is_one_of(" if constexpr while for switch ");
}

bool is_label(const Source& source, int i) {
  const Token& token = source.at(i);
  const int second = source.next(i + 1);
  return token.is("case") || token.is("default") ||
         (token.is_name() && source.at(second).is(":") && !source.at(second + 1).is(":"));
}

int last_of_statement(const Source& source, int first) {
  const Token& token = source.at(first);
  const auto of_next = [&](int i) {
    const int next = i < 0 ? -1 : source.next(i + 1);
    return next < 0 ? -1 : last_of_statement(source, next);
  };
  if (token.is("{")) return token.partner;
  if (is_attribute(source, first)) return of_next(token.partner);
  if (is_label(source, first)) return of_next(colon_of_label(source, first));
  if (has_head(token)) {
    const int open = head_of(source, first);
    const int end = open < 0 ? -1 : of_next(source.at(open).partner);
    const int after = end < 0 ? -1 : source.next(end + 1);
    return token.is("if") && after >= 0 && source.at(after).is("else") ? of_next(after) : end;
  }
  if (token.is("do")) {
    const int end = of_next(first), word = end < 0 ? -1 : source.next(end + 1);
    const int open = word < 0 ? -1 : head_of(source, word);
    return open < 0 ? -1 : source.next(source.at(open).partner + 1);
  }
  for (int i = first; i < static_cast<int>(source.tokens.size()); ++i) {
    const Token& part = source.at(i);
    if (part.is(";")) return i;
    if (part.is("}") || part.is(")") || part.is("]")) return -1;
    if (part.is("{") || part.is("(") || part.is("[")) i = part.partner;
  }
  return -1;
}

}  // namespace warplab::translator
