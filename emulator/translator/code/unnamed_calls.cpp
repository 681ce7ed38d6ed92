#include "emulator/translator/code/unnamed_calls.hpp"

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"

namespace warplab::translator {
namespace {

/// Words before a name that does not declare anything.
bool is_before_expression(const Token& token) {
  return token.is_one_of(
      " return else do case goto new delete throw sizeof co_return co_await using namespace typename class "
      "struct union enum template operator ");
}

/// What parentheses may follow without a call: `float(x)`, `decltype(f)`.
bool is_word(const Token& token) {
  return token.is_one_of(
      " if for while switch return else do case sizeof alignof alignas decltype typeof __typeof__ noexcept "
      "requires explicit operator __attribute__ __align__ __launch_bounds__ catch defined void bool char "
      "short int long signed unsigned float double auto const ");
}

bool is_scope(const Source& source, int colon) {
  return colon > 0 && source.at(colon).is(":") && source.at(colon - 1).is(":");
}

}  // namespace

UnnamedCalls::UnnamedCalls(const Source& source) : TokenReader(source) {
  for (int i = source_.next(0); i >= 0; i = next(i)) {
    if (at(i).system || !at(i).is_name()) continue;
    if (at(i).is_one_of(" struct class union enum typename "))
      types_.insert(at(next(i)).text);
    else if (at(i).is("using") || at(i).is("typedef"))
      note_alias(i);
  }
  for (int i = source_.next(0); i >= 0; i = next(i))
    if (!at(i).system && at(i).is_name()) note_declared(i);
}

/// `using F = R (*)(A);` and `typedef R (*F)(A);`, `typedef R F(A);`
void UnnamedCalls::note_alias(int keyword) {
  const int name = next(keyword);
  if (at(keyword).is("using") && (!at(name).is_name() || !at(next(name)).is("="))) return;
  int last = -1;
  bool is_function = false;
  for (int i = name; i >= 0 && !at(i).is(";") && !at(i).is("}"); i = next(i)) {
    if (at(i).is("{")) i = at(i).partner;
    const int inner = next(i), named = next(inner);
    if (at(i).is("(") && (at(inner).is("*") || at(inner).is("&")) && at(named).is_name()) last = named;
    is_function |= at(i).is("(");
    if (at(i).is("(")) i = at(i).partner;
    if (at(i).is_name() && at(next(i)).is_one_of(" ( ; [ ")) last = i;
  }
  const int alias = at(keyword).is("using") ? name : last;
  if (alias < 0) return;
  types_.insert(at(alias).text);
  if (is_function) pointers_.insert(at(alias).text);
}

/// Whether what is before token i may be the end of a type, so that the token is a declared name.
bool UnnamedCalls::follows_type(int i) const {
  int left = previous(i);
  while (left >= 0 && at(left).is_one_of(" * & . const volatile __restrict__ "))
    left = previous(left);  // `int* const f`, `T&&... f`, but not `<const T>`
  if (left < 0) return false;
  if (at(left).is(">")) return !at(left - 1).is("-");
  if (at(left).is(")")) return at(previous(at(left).partner)).is_one_of(" decltype typeof __typeof__ ");
  return at(left).is_name() && !is_before_expression(at(left));
}

void UnnamedCalls::note_declared(int i) {
  const int right = next(i);
  int left = previous(i);
  while (left >= 0 && at(left).is("const")) left = previous(left);
  if (left < 0 || right < 0) return;
  const int before = previous(left);
  const bool in_parentheses = at(left).is_one_of(" * & ") && before >= 0 &&
                              (at(before).is("(") || at(before).is(":")) && at(right).is_one_of(" ) [ ");
  if (in_parentheses) {  // `R (*f)(A)`, `R (C::*f[2])(A)`
    const int close = at(right).is("[") ? next(at(right).partner) : right;
    if (close >= 0 && at(close).is(")") && at(next(close)).is("(")) {
      variables_.insert(at(i).text);
      pointers_.insert(at(i).text);
    }
    return;
  }
  if (!at(right).is_one_of(" ; , = ) [ { > : ") || (at(right).is(":") && at(right + 1).is(":"))) return;
  if (!follows_type(i) && !at(left).is(",")) return;
  if (at(left).is(",") && !at(right).is_one_of(" ; , = ")) return;
  variables_.insert(at(i).text);
  if (at(left).is_name() && pointers_.contains(at(left).text)) pointers_.insert(at(i).text);
  if (at(left).is("*") && pointers_.contains(at(previous(left)).text)) pointers_.insert(at(i).text);
  bool is_extern = false, is_device = false;
  for (int j = declaration_start(source_, i); j >= 0 && j < i; j = next(j)) {
    is_extern |= at(j).is("extern");
    is_device |= at(j).is("__device__") || at(j).is("__constant__") || at(j).is("__managed__");
  }
  if (is_extern && is_device) extern_.insert(at(i).text);
}

bool UnnamedCalls::is_address(int i) const {
  if (types_.contains(at(i).text)) return false;
  int right = next(i);
  if (const int end = end_of_template_arguments(source_, right); end >= 0) right = next(end);
  if (right < 0 || at(right).is("(") || (at(right).is(":") && at(right + 1).is(":"))) return false;
  const int left = previous(i);
  if (left < 0 || at(left).is(".") || at(left).is("~") || (at(left).is(">") && at(left - 1).is("-")))
    return false;
  if (!is_scope(source_, left)) {
    if (follows_type(i)) return false;
    return local_declaration(source_, i, at(i).text) < 0;
  }
  return !at(declaration_start(source_, i)).is("using");  // using a::f;
}

/// Whether a name that some declaration uses for a type is that of a type at token i.
bool UnnamedCalls::is_type_here(int i) const {
  if (!types_.contains(at(i).text)) return false;
  if (local_declaration(source_, i, at(i).text) >= 0) return false;
  int left = parameter_of_template(source_, i, at(i).text);
  if (left < 0) return true;
  do left = previous(left);
  while (at(left).is("."));
  return at(left).is("typename") || at(left).is("class");
}

/// Whether the name at a token before a parenthesis is that of a variable, which is not known to be an
/// object of a class whose operator() is looked at.
bool UnnamedCalls::is_variable(int name) const {
  if (!variables_.contains(at(name).text) || is_word(at(name)) || is_type_here(name)) return false;
  const int left = previous(name);
  if (left >= 0 && at(left).is_name() && !is_before_expression(at(left))) return false;  // `T f(x)`
  if (left >= 0 && (at(left).is(".") || at(left).is(">"))) return true;
  const int declared = local_declaration(source_, name, at(name).text);
  if (declared < 0) return true;
  const int equals = next(declared), lambda = next(equals);
  if (at(equals).is("=") && at(lambda).is("[")) return false;
  int type = previous(declared);
  while (type >= 0 && at(type).is_one_of(" & const ")) type = previous(type);
  const int word = type < 0 ? -1 : previous(type);
  return word < 0 || !at(word).is_one_of(" struct class ");
}

/// Whether `( ... )` before another parenthesis is a value that is called: `(*f)(x)`, `(c ? f : g)(x)`,
/// `f(x)(y)`; not a cast.
bool UnnamedCalls::is_value_in_parentheses(int close) const {
  const int open = at(close).partner, before = previous(open), last = previous(close);
  if (open < 0 || last <= open || ends_head(source_, close)) return false;
  if (before >= 0 && (at(before).is_name() || at(before).is(")") || at(before).is("]"))) {
    if (at(before).is_one_of(" return else do case ")) return !is_word(at(last));
    return !is_word(at(before)) && !types_.contains(at(before).text);  // not `float (*f)(int)`
  }
  if (at(last).is_one_of(" * & > ") || is_word(at(last))) return false;
  for (int i = next(open); i >= 0 && i < close; i = next(i))
    if (!at(i).is_name() && !at(i).is(":")) return true;
  return variables_.contains(at(last).text) && !is_type_here(last);
}

bool UnnamedCalls::begins_at(int i) const {
  const int left = at(i).is("(") ? previous(i) : -1;
  if (left < 0) return false;
  if (at(left).is(")")) return is_value_in_parentheses(left);
  if (at(left).is("]")) {
    const int before = previous(at(left).partner);  // else a lambda's
    return before >= 0 && (at(before).is(")") || at(before).is("]") ||
                           (at(before).is_name() && !at(before).is_one_of(" return delete new operator ")));
  }
  if (!at(left).is_name()) return false;
  return is_variable(left) || at(left).is("invoke") || at(left).is("apply");
}

bool UnnamedCalls::is_by(int open, const std::set<std::string_view>& names) const {
  const int left = previous(open);
  const int first = left >= 0 && at(left).partner >= 0 ? previous(at(left).partner) : left;
  for (int i = first; i >= 0 && i <= left; i = next(i))
    if (names.contains(at(i).text)) return begins_at(open);
  return false;
}

}  // namespace warplab::translator
