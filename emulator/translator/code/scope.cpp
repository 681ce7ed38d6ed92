#include "emulator/translator/code/scope.hpp"

#include <algorithm>
#include <array>

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/statement_ends.hpp"

namespace warplab::translator {
namespace {

bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }
bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }

bool begins_expression(const Token& token) {
  static constexpr std::array words{"return", "throw",  "delete",    "case",     "goto",  "else",
                                    "do",     "sizeof", "co_return", "co_await", "using", "new"};
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

/// The first token of the statement, or of the parameter, that token i is in.
int statement_start(const Source& source, int i) {
  int first = i;
  for (int j = source.previous(i - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is(";") || token.is("}") || opens(token)) break;
    if (closes(token)) j = token.partner;
    first = j;
  }
  return first;
}

/// Whether the name at token i is declared there: after a type, or after a comma in a declaration.
bool declares(const Source& source, int i) {
  const int left = source.previous(i - 1), right = source.next(i + 1);
  if (left < 0 || right < 0) return false;
  const Token& before = source.at(left);
  static constexpr std::array ends{"=", ";", ",", "[", "{", "(", ":", ")"};
  if (std::find(ends.begin(), ends.end(), source.at(right).text) == ends.end()) return false;
  if (source.at(right).is(":") && source.at(right + 1).is(":")) return false;  // `name::`
  const bool after_type = (before.is_name() && !begins_expression(before)) || before.is("*") ||
                          before.is("&") || before.is(">") || before.is("]");
  if (!after_type && !before.is(",")) return false;
  if (before.is(">") && source.at(left - 1).is("-")) return false;  // `object->name`
  int star = left;
  while (star >= 0 && source.at(star).is("*")) star = source.previous(star - 1);
  if (star >= 0 && ends_head(source, star)) return false;  // `if (condition) *name = 1`
  const int first = statement_start(source, i);
  if (first == i || begins_expression(source.at(first)) || !source.at(first).is_name()) return false;
  // `float a = 1, name`, but neither `x = a * name` nor `call(a, name)` nor `int a = b<c, name>`
  int comma = -1, angles = 0;
  for (int j = first; j < i; j = source.next(j + 1)) {
    if (opens(source.at(j)) && source.at(j).partner >= 0) {
      if (source.at(j).partner > i) return false;
      j = source.at(j).partner;
    } else if (source.at(j).is(",")) {
      comma = j;
    } else if (source.at(j).is("<")) {
      ++angles;
    } else if (source.at(j).is(">") && angles > 0) {
      --angles;
    }
  }
  if (angles > 0) return false;
  for (int j = std::max(first, comma); j < i; j = source.next(j + 1)) {
    if (opens(source.at(j)) && source.at(j).partner >= 0) j = source.at(j).partner;
    static constexpr std::array never{"=", "+", "-", "/", "%", "|", "^", "!", "?", "."};
    if (std::find(never.begin(), never.end(), source.at(j).text) != never.end()) return false;
  }
  return !before.is(",") || source.at(source.next(first + 1)).is_name() ||
         source.at(source.next(first + 1)).is("*");
}

/// The name as a parameter, or as a part of a capture, between two brackets.
int declared_in_parentheses(const Source& source, int open, std::string_view name) {
  const bool captures = source.at(open).is("[");
  for (int j = source.next(open + 1); j >= 0 && j < source.at(open).partner; j = source.next(j + 1)) {
    const int star = source.next(j + 1), pointer = source.next(star + 1);
    if (source.at(j).is("(") && (source.at(star).is("*") || source.at(star).is("&")) &&
        source.at(pointer).is(name) && source.next(pointer + 1) == source.at(j).partner)
      return pointer;  // `void (*name)(int)`
    if (opens(source.at(j)) && source.at(j).partner >= 0) j = source.at(j).partner;
    const Token& before = source.at(source.previous(j - 1));
    if (!source.at(j).is(name)) continue;
    const bool first_of_capture = before.is("[") || before.is(",") || before.is("&");
    const bool after_type = (before.is_name() && !begins_expression(before)) || before.is("*") ||
                            before.is("&") || before.is(">") || before.is(".");
    const Token& right = source.at(source.next(j + 1));
    const bool ends = right.is(",") || right.is(")") || right.is("=") || right.is("[") || right.is("]") ||
                      right.is(";") || right.is(":") || right.is("{") || right.is("(");
    if (ends && (captures ? first_of_capture : after_type)) return j;
  }
  return -1;
}

/// What the head of the block with the brace `open` declares: parameters, captures, `for (int i = 0; ...)`.
/// @param first becomes the head's first token
int declared_in_head(const Source& source, int open, std::string_view name, int& first) {
  int found = -1;
  first = open;
  for (int j = source.previous(open - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is(";") || token.is("}") || opens(token)) break;
    if (token.is(")") || token.is("]")) {
      const int head = token.partner;
      if (found < 0) found = declared_in_parentheses(source, head, name);
      j = head;
    }
    first = j;
  }
  return found;
}

/// Whether the brace opens a function's body or a block in it, not a namespace or a class.
bool is_block(const Source& source, int open) {
  for (int j = source.previous(open - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is(";") || token.is("{") || token.is("}") || token.is("(")) return true;
    if (token.is(")") || token.is("]")) return true;
    if (token.is("namespace") || token.is("struct") || token.is("class") || token.is("union") ||
        token.is("extern"))
      return false;
  }
  return true;
}

/// The `[` of the lambda whose body the brace at token `open` begins, or -1.
int introducer_of(const Source& source, int open) {
  int j = source.previous(open - 1);
  while (j >= 0 && (source.at(j).is_name() || source.at(j).is_one_of(" > < : * & - ")))
    j = source.previous(j - 1);  // mutable, -> T
  if (j >= 0 && source.at(j).is(")")) j = source.previous(source.at(j).partner - 1);
  if (j < 0 || !source.at(j).is("]")) return -1;
  const int introducer = source.at(j).partner, left = source.previous(introducer - 1);
  const bool is_array = left >= 0 && ((source.at(left).is_name() && !source.at(left).is("return")) ||
                                      source.at(left).is(")") || source.at(left).is("]"));
  return is_array ? -1 : introducer;
}

/// Whether the name at token i comes after a type, as that of a parameter or of a member does.
bool is_declared_at(const Source& source, int i) {
  int left = source.previous(i - 1);
  const int right = source.next(i + 1);
  while (left >= 0 && (source.at(left).is("*") || source.at(left).is("&"))) left = source.previous(left - 1);
  if (left < 0 || right < 0 || begins_expression(source.at(left))) return false;
  const bool after_type =
      source.at(left).is_name() || (source.at(left).is(">") && !source.at(left - 1).is("-"));
  return after_type && source.at(right).is_one_of(" ; , ) = [ { ");
}

/// Whether the brace at token `open` is around the declaration of a member of that name.
bool has_member(const Source& source, int open, std::string_view name) {
  for (int j = source.next(open + 1); j >= 0 && j < source.at(open).partner; j = source.next(j + 1)) {
    if (opens(source.at(j)) && source.at(j).partner >= 0) j = source.at(j).partner;
    if (!source.at(j).is(name)) continue;
    const Token &left = source.at(source.previous(j - 1)), &right = source.at(source.next(j + 1));
    if (is_declared_at(source, j) || (left.is(",") && right.is_one_of(" ; , = [ { "))) return true;
  }
  return false;
}

/// Whether a lambda says `=` or `&` for all that it does not name.
bool captures_all(const Source& source, int introducer) {
  const int first = source.next(introducer + 1), second = source.next(first + 1);
  return (source.at(first).is("=") || source.at(first).is("&")) &&
         (source.at(second).is("]") || source.at(second).is(","));
}

}  // namespace

int parameter_of_template(const Source& source, int i, std::string_view name) {
  for (int open = source.previous(i - 1); open >= 0; open = source.previous(open - 1)) {
    if (source.at(open).partner >= 0 && source.at(open).partner < open) open = source.at(open).partner;
    if (!source.at(open).is("{") || source.at(open).partner < i) continue;
    const int first = declaration_start(source, open);
    for (int k = first; source.at(first).is("template") && k < open; k = source.next(k + 1))
      if (source.at(k).is(name)) return k;
  }
  return -1;
}

bool is_users_own(const Source& source, int i) {
  const std::string_view name = source.at(i).text;
  if (is_declared_at(source, i) || local_declaration(source, i, name) >= 0) return true;
  for (int j = source.previous(i - 1); j >= 0; j = source.previous(j - 1)) {
    if (closes(source.at(j)) && source.at(j).partner >= 0)
      j = source.at(j).partner;
    else if (source.at(j).is("{") && !is_block(source, j) && has_member(source, j, name))
      return true;
  }
  return false;
}

bool sees_no_locals(const Source& source, int body, int i) {
  for (int j = body + 1; j < i; ++j) {
    const Token& token = source.at(j);
    if (!token.is("{")) continue;
    if (token.partner < i) {
      j = std::max(token.partner, j);
      continue;
    }
    if (!is_block(source, j)) return true;
    const int introducer = introducer_of(source, j);
    if (introducer >= 0 && !captures_all(source, introducer)) return true;
  }
  return false;
}

int declaration_around(const Source& source, int open, std::string_view name) {
  int first = open;
  const int found = declared_in_head(source, open, name, first);
  return found >= 0 ? found : local_declaration(source, first, name);
}

int local_declaration(const Source& source, int use, std::string_view name) {
  int found = -1;
  for (int j = source.previous(use - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is("{"))
      return !is_block(source, j) ? -1 : found >= 0 ? found : declaration_around(source, j, name);
    if (closes(token) && token.partner >= 0) {
      j = token.partner;  // what is declared in there has ended
      const int word = token.is(")") ? source.previous(j - 1) : -1;
      const bool is_head = word >= 0 && (source.at(word).is("for") || source.at(word).is("if") ||
                                         source.at(word).is("while") || source.at(word).is("switch"));
      if (found < 0 && is_head && statement_start(source, use) <= word)
        found = declared_in_parentheses(source, j, name);
    } else if (found < 0 && token.is(name) && declares(source, j)) {
      found = j;
    }
  }
  return -1;
}

std::vector<std::string> all_namespaces_around(const Source& source, int i) {
  std::vector<std::string> found;
  for (int j = source.previous(i - 1); j >= 0; j = source.previous(j - 1)) {
    if (closes(source.at(j)) && source.at(j).partner >= 0)
      j = source.at(j).partner;
    else if (source.at(j).is("{")) {
      std::vector<std::string> names;  // of `namespace a::b {`, from the last
      int word = source.previous(j - 1);
      for (; word >= 0 && (source.at(word).is_name() || source.at(word).is(":"));
           word = source.previous(word - 1)) {
        if (source.at(word).is("namespace")) break;
        if (source.at(word).is_name()) names.emplace_back(source.at(word).text);
      }
      if (word < 0 || !source.at(word).is("namespace")) continue;
      if (names.empty()) names.emplace_back();
      found.insert(found.end(), names.begin(), names.end());
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<std::string> namespaces_around(const Source& source, int i) {
  std::vector<std::string> found = all_namespaces_around(source, i);
  std::erase(found, "");
  return found;
}

std::optional<QualifiedName> qualified_name(const Source& source, int i) {
  if (!source.at(i).is_name()) return std::nullopt;
  QualifiedName name{i, false, {}};
  for (;;) {
    const int colon = source.previous(name.first - 1);
    if (colon < 1 || !source.at(colon).is(":") || !source.at(colon - 1).is(":")) break;
    name.first = colon - 1;
    const int owner = source.previous(colon - 2);
    name.is_global = owner < 0 || !source.at(owner).is_name() || begins_expression(source.at(owner));
    if (name.is_global) {
      if (owner >= 0 && source.at(owner).is(">")) return std::nullopt;  // of a template's instance
      break;
    }
    name.namespaces.insert(name.namespaces.begin(), std::string(source.at(owner).text));
    name.first = owner;
  }
  if (name.first == i) return std::nullopt;
  return name;
}

int statement_end(const Source& source, int first) {
  for (int i = first; i < static_cast<int>(source.tokens.size()) && !closes(source.at(i)); ++i) {
    if (source.at(i).is(";")) return i;
    if (opens(source.at(i))) i = source.at(i).partner;
  }
  source.fail(first, "this declaration does not end in a semicolon");
}

int end_of_template_arguments(const Source& source, int i) {
  if (!source.at(i).is("<") || !source.at(source.previous(i - 1)).is_name()) return -1;
  for (int depth = 0; i >= 0; i = source.next(i + 1)) {
    const Token& token = source.at(i);
    if (token.is(";") || token.is("{") || closes(token)) return -1;
    if (opens(token)) i = token.partner;
    if (token.is("<")) ++depth;
    if (token.is(">") && !source.at(i - 1).is("-") && --depth == 0) return i;
  }
  return -1;
}

bool is_at_namespace_scope(const Source& source, int i) {
  for (int j = i; j >= 0; --j) {
    if (closes(source.at(j))) {
      j = source.at(j).partner;
      continue;
    }
    if (source.at(j).is("(")) return false;
    if (!source.at(j).is("{")) continue;
    const int start = declaration_start(source, j);
    bool is_namespace = false;
    for (int k = start; k < j; ++k)
      is_namespace |= source.at(k).is("namespace") || (source.at(k).is("extern") && !is_namespace);
    if (!is_namespace) return false;
  }
  return true;
}

bool is_constexpr(const Source& source, int i) {
  for (int j = statement_start(source, i); j < i; j = source.next(j + 1))
    if (source.at(j).is("constexpr")) return true;
  return false;
}

}  // namespace warplab::translator
