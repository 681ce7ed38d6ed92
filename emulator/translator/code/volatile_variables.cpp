#include "emulator/translator/code/volatile_variables.hpp"

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/scope.hpp"

namespace warplab::translator {
namespace {

/// Whether token i is in the parentheses of a function's parameters, or of another list.
bool is_in_parentheses(const Source& source, int i) {
  for (int j = source.previous(i - 1); j >= 0; j = source.previous(j - 1)) {
    const Token& token = source.at(j);
    if (token.is(";") || token.is("{") || token.is("}")) return false;
    if (token.is("(")) return true;
    if (token.is(")") || token.is("]")) j = token.partner;
  }
  return false;
}

/// Whether a name may be declared at token i: it is not a type's, and what follows may follow a declared one.
bool may_be_declared(const Source& source, int i) {
  const int next = source.next(i + 1);
  return source.at(i).is_name() && next >= 0 && source.at(next).is_one_of(" , ; ) = [ { ( ") &&
         !source.at(i).is_one_of(" bool char short int unsigned long float double const ");
}

}  // namespace

VolatileVariables::VolatileVariables(const Source& source) : TokenReader(source) {
  for (int i = source_.next(0); i >= 0; i = next(i)) {
    if (at(i).system || !at(i).is_name() || !is_marker(i)) continue;
    const int start = declaration_start(source_, i);
    int alias = -1;
    for (int j = start; j < i && alias < 0; j = next(j))
      if (at(j).is("using")) alias = next(j);
    if (alias >= 0)
      aliases_.insert(at(alias).text);
    else
      take_declaration(i);
  }
}

bool VolatileVariables::names(int i) const {
  if (!names_.contains(at(i).text)) return false;
  if (declarations_.contains(i)) return true;
  const int left = previous(i);
  const bool is_member = left > 0 && (at(left).is(".") || (at(left).is(">") && at(left - 1).is("-")));
  const int declaration = is_member ? -1 : local_declaration(source_, i, at(i).text);
  return declaration < 0 || declarations_.contains(declaration);
}

/// Whether token i begins the name of such a type, or says that a type is one.
bool VolatileVariables::is_marker(int i) const {
  const Token& token = at(i);
  if (token.is("volatile")) {
    const int left = previous(i);
    return left < 0 || !at(left).is_one_of(" asm __asm __asm__ ");
  }
  const int right = next(i);
  if (token.is("atomic") || token.is("atomic_ref")) return right >= 0 && at(right).is("<");
  return token.is("atomic_flag") || aliases_.contains(token.text);
}

/// The names that a declaration gives after `marker`, and perhaps some beside them.
void VolatileVariables::take_declaration(int marker) {
  const bool is_typedef = at(declaration_start(source_, marker)).is("typedef");
  const bool is_one = is_in_parentheses(source_, marker);
  bool in_value = false;
  for (int j = next(marker); j >= 0; j = next(j)) {
    const Token& token = at(j);
    if (!in_value && may_be_declared(source_, j)) {
      (is_typedef ? aliases_ : names_).insert(token.text);
      if (!is_typedef) declarations_.insert(j);
    }
    if (token.is(";") || token.is("{") || token.is("(") || token.is(")") || (is_one && token.is(","))) return;
    if (token.is("=")) in_value = true;
    if (token.is(",")) in_value = false;
    if (token.is("[") && token.partner > j) j = token.partner;
    if (const int end = end_of_template_arguments(source_, j); end >= 0) j = end;
  }
}

}  // namespace warplab::translator
