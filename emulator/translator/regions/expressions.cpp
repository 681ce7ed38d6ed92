#include "emulator/translator/regions/expressions.hpp"

#include <algorithm>
#include <array>

#include "emulator/translator/regions/words.hpp"

namespace warplab::translator {
namespace {

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether tokens i and i + 1 are the two characters of one operator: `++`, but not `+ +`.
bool is_pair(const Source& source, int i, char both) {
  const std::string_view one(&both, 1);
  return source.at(i).is(one) && source.at(i + 1).is(one);
}

/// Whether an assignment or an increment is at token i: `=`, `+=`, `<<=`, `++`.
bool begins_assignment(const Source& source, int i) {
  const Token& token = source.at(i);
  if (token.is("=")) return !source.at(i + 1).is("=");
  if (is_pair(source, i, '+') || is_pair(source, i, '-')) return true;
  if (is_pair(source, i, '<') || is_pair(source, i, '>')) return source.at(i + 2).is("=");
  static constexpr std::array<std::string_view, 8> operators{"+", "-", "*", "/", "%", "&", "|", "^"};
  return is_one_of(token.text, operators) && source.at(i + 1).is("=");
}

/// The name whose template arguments end with the `>` at token i, or -2.
int name_of_template(const Source& source, int i) {
  int depth = 0;
  for (; i >= 0; i = source.previous(i - 1)) {
    depth += source.at(i).is(">") ? 1 : source.at(i).is("<") ? -1 : 0;
    if (source.at(i).is(";") || source.at(i).is("{") || source.at(i).is("}")) return -2;
    if (depth == 0) break;
  }
  i = i < 0 ? -1 : source.previous(i - 1);
  return i >= 0 && source.at(i).is_name() ? i : -2;
}

/// The name of what is called with the parenthesis at token `open`, -1 for a parenthesis of another kind, or
/// -2 for something that is called and has no name.
int callee_of(const Source& source, int open) {
  const int i = source.previous(open - 1);
  if (i < 0) return -2;
  if (source.at(i).is(">")) return name_of_template(source, i);
  if (source.at(i).is("]") || source.at(i).is(")") || source.at(i).is("}")) return -2;
  return source.at(i).is_name() ? i : -1;
}

/// The type of the variable whose name is token i, where it is declared there: `Type name(`, `T<int> name{`.
/// @return the name's token, or -1
int type_of_declared(const Source& source, int i) {
  const int left = source.previous(i - 1);
  if (left < 0) return -1;
  if (source.at(left).is(">") && !source.at(left - 1).is("-"))
    return std::max(name_of_template(source, left), -1);
  return source.at(left).is_name() && !starts_expression(source.at(left).text) ? left : -1;
}

/// The type whose objects the list in braces at token `open` makes: `Type{`, `Type name{`, `Type name = {`.
/// @return the name's token, or -1
int type_of_list(const Source& source, int open) {
  int i = source.previous(open - 1);
  if (i >= 0 && source.at(i).is("=")) i = source.previous(i - 1);
  if (i >= 0 && source.at(i).is(">")) return std::max(name_of_template(source, i), -1);
  if (i < 0 || !source.at(i).is_name()) return -1;
  const int type = type_of_declared(source, i);
  return type >= 0 ? type : i;
}

/// Whether a type among the tokens between two is a reference.
bool names_reference(const Source& source, const FileNames& names, int first, int last) {
  for (int i = first; i < last; ++i)
    if (source.at(i).is("&") || names.references.contains(source.at(i).text)) return true;
  return false;
}

/// Whether an argument may be changed by what is called with the parenthesis at token `open`, or by what the
/// list in braces there makes.
bool changes_arguments(const Source& source, const FileNames& names, int open) {
  if (source.at(open).is("{")) {
    const int type = type_of_list(source, open);
    return type >= 0 && names.by_reference.contains(source.at(type).text);
  }
  const int callee = callee_of(source, open);
  if (callee == -2) {  // a cast `(int)(x)`, or a call by way of an object
    const int close = source.previous(open - 1);
    return !source.at(close).is(")") || !is_plain_type(source.at(source.previous(close - 1)).text);
  }
  if (callee < 0) return begins_assignment(source, source.next(source.at(open).partner + 1));
  const std::string_view name = source.at(callee).text;
  if (names_reference(source, names, callee + 1, open)) return true;  // const_cast<T&>(x), f<T&>(x)
  if (const int type = type_of_declared(source, callee);
      type >= 0 && names.by_reference.contains(source.at(type).text))
    return true;
  static constexpr std::array<std::string_view, 12> harmless{
      "if",          "while",  "for",     "switch", "return",           "sizeof",
      "static_cast", "assert", "alignof", "else",   "reinterpret_cast", "constexpr"};
  return !is_one_of(name, harmless) && !is_plain_type(name) &&
         (names.by_reference.contains(name) || names.by_reference.contains("operator()"));
}

/// Whether the declaration that token i is part of declares a reference: `T& r = x`, `for (auto& v : x)`.
bool binds_reference(const Source& source, int i) {
  for (int j = source.previous(i - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is(";") || token.is("{") || token.is("}")) {
      if (!token.is("{")) return false;
      const Token& before = source.at(source.previous(j - 1));
      if (!before.is_name() || source.at(j).partner < i) return false;
      continue;  // `T& r{x}`
    }
    if (token.is(")") || token.is("]")) {
      j = token.partner;
      continue;
    }
    if (!token.is("&")) continue;
    const int name = source.next(j + 1), after = source.next(name + 1);
    const Token& left = source.at(source.previous(j - 1));
    if (!source.at(name).is_name() || !(left.is_name() || left.is(">") || left.is("&"))) continue;
    const Token& right = source.at(after);
    if ((right.is("=") && !source.at(after + 1).is("=")) || right.is(":") || right.is("(") || right.is("{"))
      return true;
  }
  return false;
}

/// The parenthesis or brace of the list that a comma at token i is in, or -1.
int list_around(const Source& source, int i) {
  for (int j = source.previous(i - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is("(")) return j;
    if (token.is("{")) return type_of_list(source, j) >= 0 ? j : -1;
    if (token.is(";") || token.is("[")) return -1;
    if (token.is(")") || token.is("]") || token.is("}")) j = token.partner;
  }
  return -1;
}

/// Whether the token, of an expression, may do more than compute with values.
bool has_effect(const Source& source, int i) {
  const Token& token = source.at(i);
  if (token.is("[") || token.kind == Token::Kind::literal) return true;
  if (token.is("-") && source.at(i + 1).is(">")) return true;
  if (token.is("=")) {
    const Token &left = source.at(i - 1), &right = source.at(i + 1);
    return !(right.is("=") || left.is("=") || left.is("<") || left.is(">") || left.is("!"));
  }
  if (is_pair(source, i, '+') || is_pair(source, i, '-')) return true;
  if (token.is("*") || (token.is("&") && !source.at(i - 1).is("&"))) return is_prefix(source, i);
  return false;
}

/// The variables that are declared after the word at token i, if it is not a function with a body that is.
void note_variables(const Source& source, int i, FileNames& names) {
  for (int j = source.next(i + 1); j >= 0 && !source.at(j).is(";"); j = source.next(j + 1)) {
    const Token& token = source.at(j);
    if (token.is("(")) {
      const Token& before = source.at(source.previous(j - 1));
      const Token& after = source.at(source.next(token.partner + 1));
      for (int k = j; source.at(source.next(j + 1)).is_one_of(" * & ") && k < token.partner; ++k)
        if (source.at(k).is_name()) names.in_memory.insert(source.at(k).text);  // float (*rows)[4]
      if (before.is_name() && after.is_one_of(" , ; ")) names.in_memory.insert(before.text);  // int x(5)
      const bool is_attribute = before.text.starts_with("__a") || before.is("alignas");
      if (!is_attribute && !after.is_one_of(" , ; = [ ( ")) return;
    }
    if (token.is("(") || token.is("{") || token.is("[")) j = token.partner;
    if (source.next(j + 1) < 0) return;  // `extern "C" { ... }` is the last in the file
    const Token& right = source.at(source.next(j + 1));
    if (token.is_name() && (right.is_one_of(" = ; , { ") || right.text.starts_with("__a")))
      names.in_memory.insert(token.text);
  }
}

/// Whether a token is in the declaration of a type's other name.
bool is_alias(const Source& source, int i) {
  for (int j = source.previous(i - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is("using") || token.is("typedef")) return true;
    if (token.is(";") || token.is("{") || token.is("}") || token.is("(")) return false;
    if (token.is(")") || token.is("]")) j = token.partner;
  }
  return false;
}

/// Whether the parenthesis at token `open` may be around parameters, not around arguments: what can be before
/// a function's name in its declaration is before the name, or what follows a lambda's parameters after them.
bool begins_parameters(const Source& source, int open, int name) {
  if (!source.at(name).is_name()) {
    const int inner = source.at(name).is(")") ? source.next(source.at(name).partner + 1) : name;
    const Token& after = source.at(source.next(source.at(open).partner + 1));
    return source.at(inner).is("*") || source.at(inner).is("&") ||  // `void (*f)(int&)`
           after.is_one_of(" { - const mutable noexcept ");
  }
  const int left = source.previous(name - 1);
  return left < 0 || source.at(left).is_one_of(" > * & ) : ; { } ") ||
         (source.at(left).is_name() && !starts_expression(source.at(left).text));
}

/// Whether `name (` is a function's type, with a parameter that is a reference: `void(int&)`.
bool is_function_type(const Source& source, int open, int name) {
  if (name < 0 || !is_plain_type(source.at(name).text)) return false;
  for (int j = open; j < source.at(open).partner; j = source.next(j + 1))
    if (source.at(j).is("&") && source.at(source.next(j + 1)).is_one_of(" , ) ")) return true;
  return false;
}

/// Notes a function that may change what it is given.
void note_parameters(const Source& source, int open, FileNames& names) {
  const int name = source.previous(open - 1);
  // `typedef void F(int&)`, `function<void(int&)>`: what is called by such a type has any name.
  const bool is_type = is_alias(source, open) || is_function_type(source, open, name);
  const bool has_no_name = is_type || (name >= 0 && source.at(name).is_one_of(" ) ] __device__ __host__ "));
  if (name < 0 || (!has_no_name && !source.at(name).is_name()) ||
      (!is_type && !begins_parameters(source, open, name)))
    return;
  bool is_const = false;
  for (int j = source.next(open + 1); j < source.at(open).partner; j = source.next(j + 1)) {
    const Token& token = source.at(j);
    if (token.is(",") || token.is("*")) is_const = false;  // `const T*& p` may change p
    if (token.is("const")) is_const = true;
    if (names.references.contains(token.text) || (token.is("&") && !is_const))
      names.by_reference.insert(has_no_name ? "operator()" : source.at(name).text);
  }
}

/// Notes `using R = T&;` and `typedef T& R;`.
void note_alias(const Source& source, int keyword, FileNames& names) {
  const int name = source.next(keyword + 1);
  const bool is_using = source.at(keyword).is("using");
  if (is_using && !source.at(source.next(name + 1)).is("=")) return;
  bool refers = false;
  int last = name;
  for (int j = name; j >= 0 && !source.at(j).is(";"); last = j, j = source.next(j + 1)) {
    if (source.at(j).is("(") || source.at(j).is("{")) return;
    refers |= source.at(j).is("&") || names.references.contains(source.at(j).text);
  }
  if (refers) names.references.insert(source.at(is_using ? name : last).text);
}

/// Notes a class with a member that is a reference, which its objects are made with.
void note_class(const Source& source, int keyword, FileNames& names) {
  const int name = source.next(keyword + 1);
  int open = name;
  while (open >= 0 && !source.at(open).is("{")) {
    if (source.at(open).is(";") || source.at(open).is("(") || source.at(open).is(")")) return;
    open = source.next(open + 1);
  }
  if (open < 0 || !source.at(name).is_name()) return;
  for (int j = source.next(open + 1); j >= 0 && j < source.at(open).partner; j = source.next(j + 1)) {
    if (source.at(j).is("(") || source.at(j).is("{") || source.at(j).is("[")) j = source.at(j).partner;
    if (j < 0) return;
    const int member = source.next(j + 1);
    if (source.at(j).is("&") && source.at(member).is_name() && source.at(source.next(member + 1)).is(";"))
      names.by_reference.insert(source.at(name).text);
  }
}

/// Whether the `:` at a token is that of `c ? x : y`.
bool follows_question(const Source& source, int colon) {
  if (source.at(colon - 1).is(":") || source.at(colon + 1).is(":")) return false;
  for (int i = source.previous(colon - 1); i >= 0; i = source.previous(i - 1)) {
    const Token& token = source.at(i);
    if (token.is("?")) return true;
    if (token.is_one_of(" ; { ( [ case default ")) return false;
    if (token.is(")") || token.is("]") || token.is("}")) i = token.partner;
  }
  return false;
}

/// The first token of the expression between commas, assignments and brackets that token i is in.
int start_of_operand(const Source& source, int i) {
  int first = i;
  for (int j = source.previous(i - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is_one_of(" ; { ( [ , } ") || starts_expression(token.text)) break;
    if (token.is("=") && !source.at(j - 1).is_one_of(" = < > ! ") && !source.at(j + 1).is("=")) break;
    if (token.is(")") || token.is("]")) j = token.partner;
    first = j;
  }
  return first;
}

bool ends_operand(const Source& source, int i) {
  return i < 0 || source.at(i).is_one_of(" ; , ) ] } ") || begins_assignment(source, i);
}

/// Whether an operator or a cast before or after the object between two tokens may change it.
bool is_changed_object(const Source& source, int first, int last, bool is_pointer) {
  const int left = source.previous(first - 1);
  int right = source.next(last + 1);
  if (is_pointer && (source.at(right).is("[") || (source.at(right).is("-") && source.at(right + 1).is(">"))))
    return false;
  if (source.at(left).is(source.at(left - 1).text) && (source.at(left).is("+") || source.at(left).is("-")))
    return true;
  if (source.at(left).is("&") && !source.at(left - 1).is("&") && is_prefix(source, left)) return true;
  if (source.at(left).is(")") && source.at(source.previous(left - 1)).is("&")) return true;  // `(T&)x`
  if (source.at(left).is(":") && !source.at(left - 1).is(":") && source.at(right).is(")") &&
      !follows_question(source, left))
    return true;  // `for (auto& v : x)`
  while (source.at(right).is(".") || source.at(right).is("[")) {
    right = source.next((source.at(right).is("[") ? source.at(right).partner : source.next(right + 1)) + 1);
    if (source.at(right).is("(")) return true;
  }
  return begins_assignment(source, right);
}

/// From an object to the expression around it that is the same object: `(x)`, `c ? x : y`, `(a, x)`.
/// @return false if there is none
bool widen(const Source& source, int& first, int& last) {
  const int left = source.previous(first - 1), right = source.next(last + 1);
  if (left < 0 || right < 0) return false;
  const bool is_second = source.at(left).is("?") && source.at(right).is(":");
  if (is_second ||
      (source.at(left).is(":") && ends_operand(source, right) && follows_question(source, left))) {
    first = start_of_operand(source, left);
    while (!ends_operand(source, source.next(last + 1))) {
      last = source.next(last + 1);
      if (source.at(last).partner > last) last = source.at(last).partner;
    }
    return true;
  }
  if (!source.at(right).is(")")) return false;
  const int open = source.at(right).partner;
  if (!source.at(left).is(",") && left != open) return false;
  const int callee = callee_of(source, open);
  if (callee != -1 && !(callee >= 0 && starts_expression(source.at(callee).text))) return false;
  first = open;
  last = right;
  return true;
}

}  // namespace

FileNames find_names(const Source& source) {
  // Those of the standard library; CUDA's own functions take numbers and pointers.
  FileNames names{
      {"swap", "exchange", "move", "forward", "tie", "ref", "addressof", "invoke", "apply"}, {}, {}};
  for (int i = 0; i < static_cast<int>(source.tokens.size()); ++i)
    if (!source.at(i).system && source.at(i).is_one_of(" using typedef ")) note_alias(source, i, names);
  for (int i = 0; i < static_cast<int>(source.tokens.size()); ++i) {
    const Token& token = source.at(i);
    if (token.system) continue;
    if (token.is("__device__") || token.is("__managed__") || token.is("__shared__") || token.is("extern"))
      note_variables(source, i, names);
    if (token.is("struct") || token.is("class")) note_class(source, i, names);
    if (token.is("(") && token.partner >= 0) note_parameters(source, i, names);
  }
  return names;
}

bool is_member(const Source& source, int i) {
  const int left = source.previous(i - 1);
  if (left < 0) return false;
  const Token& before = source.at(left);
  return before.is(".") || (before.is(">") && source.at(left - 1).is("-")) ||
         (before.is(":") && source.at(left - 1).is(":"));
}

bool may_change(const Source& source, const FileNames& names, int i, bool is_pointer) {
  if (is_member(source, i)) return false;
  const int after = source.next(i + 1);
  if (is_pointer && (source.at(after).is("[") || (source.at(after).is("-") && source.at(after + 1).is(">"))))
    return false;
  if (binds_reference(source, i)) return true;
  int first = i, last = i;
  do {
    if (is_changed_object(source, first, last, is_pointer)) return true;
    const int left = source.previous(first - 1), right = source.next(last + 1);
    const bool begins = source.at(left).is("(") || source.at(left).is("{") || source.at(left).is(",");
    const bool ends = source.at(right).is(")") || source.at(right).is("}") || source.at(right).is(",");
    if (!begins || !ends) continue;
    const int open = source.at(left).is(",") ? list_around(source, left) : left;
    if (open >= 0 && changes_arguments(source, names, open)) return true;
  } while (widen(source, first, last));
  return false;
}

bool is_pure(const Source& source, const FileNames& names, int first, int last,
             const std::function<bool(std::string_view)>& is_fixed) {
  static constexpr std::array<std::string_view, 10> functions{
      "min",    "max",   "abs",   "sizeof", "static_cast", "reinterpret_cast",
      "__popc", "__clz", "__ffs", "__mul24"};
  static constexpr std::array<std::string_view, 7> never{"new",      "delete",   "throw", "this",
                                                         "co_await", "decltype", "typeid"};
  for (int i = source.next(first); i >= 0 && i <= last; i = source.next(i + 1)) {
    const Token& token = source.at(i);
    if (has_effect(source, i)) return false;
    if (token.is("(") && callee_of(source, i) == -2) {
      const int close = source.previous(i - 1);  // `(float)(x)` is a cast
      if (!source.at(close).is(")") || !is_plain_type(source.at(source.previous(close - 1)).text))
        return false;
    } else if (token.is("(")) {
      const int callee = callee_of(source, i);
      if (callee >= first && !is_plain_type(source.at(callee).text) &&
          !is_one_of(source.at(callee).text, functions))
        return false;
    }
    if (!token.is_name() || is_plain_type(token.text) || is_one_of(token.text, functions)) continue;
    if (is_one_of(token.text, never)) return false;
    const int left = source.previous(i - 1);
    if (source.at(left).is(".")) continue;  // a member of what has been looked at
    if (is_block_index(token.text) || token.is("const")) continue;
    if (names.in_memory.contains(token.text) || !is_fixed(token.text)) return false;
  }
  return true;
}

}  // namespace warplab::translator
