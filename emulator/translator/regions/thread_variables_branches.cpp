// Which branches warps may take one by one.
#include <algorithm>
#include <cstdlib>

#include "emulator/translator/regions/thread_variables.hpp"
#include "emulator/translator/regions/words.hpp"

namespace warplab::translator {
namespace {

using Kind = Statement::Kind;

// Whether the statement calls a function with a barrier of the block.
bool has_barrier(const Statement& statement) {
  return std::any_of(statement.calls.begin(), statement.calls.end(), [](const WarpCall& call) {
    return call.function != nullptr && call.function->has_barrier;
  });
}

}  // namespace

void ThreadVariables::note_branches(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    if (statement.kind == Kind::branch) branches_.push_back(&statement);
    note_branches(statement.body);
    note_branches(statement.otherwise);
  }
}

// Whether a name at that token belongs to a variable from outside of a branch that not all threads take.
bool ThreadVariables::is_in_one_way(int name) const {
  return std::any_of(branches_.begin(), branches_.end(), [&](const Statement* branch) {
    if (name < branch->first || branch->last < name || !divides(*branch)) return false;
    return std::none_of(variables_.begin(), variables_.end(), [&](const Known& variable) {
      return at(variable.name).is(at(name).text) && branch->first <= variable.name &&
             variable.name <= branch->last;
    });
  });
}

// Whether the variable that token i names never changes and was declared with a value that `holds` says yes
// to.
bool ThreadVariables::is_fixed_as(int i, const std::function<bool(int, int)>& holds) const {
  const std::string_view name = at(i).text;
  bool found = false;
  for (const Known& variable : variables_) {
    if (!at(variable.name).is(name)) continue;
    if (found || variable.value_last >= i || !variable.is_plain || variable.is_pointer ||
        variable.is_reference || variable.is_array || variable.value_first < 0)
      return false;
    found = holds(source_.next(variable.value_first), variable.value_last);
    if (!found) return false;
  }
  return found && !changes_somewhere(name, false);
}

// Whether a variable's type can hold each thread's number, and divides it as integers.
bool ThreadVariables::is_integer(const Known& variable) const {
  for (int i = source_.next(variable.type_first); i >= 0 && i <= variable.type_last; i = source_.next(i + 1))
    if (!at(i).is_one_of(
            " const constexpr auto signed unsigned short int long size_t int16_t uint16_t int32_t "
            "uint32_t int64_t uint64_t uint ulong ushort ptrdiff_t std : "))
      return false;
  return true;
}

// The last token of `threadIdx.x`, or of a variable that is the same, which begins at token i; or -1.
int ThreadVariables::end_of_thread_number(int i) const {
  if (is_member(source_, i)) return -1;
  const auto end_of_index = [&](int first) {
    const int dot = source_.next(first + 1), x = source_.next(dot + 1);
    return at(first).is("threadIdx") && at(dot).is(".") && at(x).is("x") ? x : -1;
  };
  if (at(i).is("threadIdx")) return end_of_index(i);
  const bool is_whole = std::all_of(variables_.begin(), variables_.end(), [&](const Known& variable) {
    return !at(variable.name).is(at(i).text) || is_integer(variable);
  });
  const bool same =
      is_whole && is_fixed_as(i, [&](int first, int last) { return end_of_index(first) == last; });
  return same ? i : -1;
}

// Whether what begins at token i has one value in each warp, where warps lie in rows of the block: the
// thread's number divided by 32, or compared with a multiple of it.
bool ThreadVariables::is_number_of_warp(int i, int first, int last) const {
  const auto ends_operand = [&](int token) {
    static constexpr std::string_view ends = ")&|=!<>";
    return token < 0 || token > last || (!at(token).text.empty() && ends.find(at(token).text) < ends.size());
  };
  const int left = source_.previous(i - 1);
  if (left >= first && !at(left).is("(") && !at(left).is("&") && !at(left).is("|") && !at(left).is("="))
    return false;
  const int end = end_of_thread_number(i);
  if (end < 0) return false;
  const int sign = source_.next(end + 1);
  if (sign > last) return false;
  const bool divides = at(sign).is("/"), shifts = at(sign).is(">") && at(sign + 1).is(">");
  const bool compares = !shifts && (at(sign).is("<") || at(sign).is(">"));
  if (!divides && !shifts && !compares) return false;
  if (compares && at(sign).is(at(sign + 1).text)) return false;
  const bool or_equal = compares && at(sign + 1).is("=");
  if (compares && at(sign).is("<") == or_equal) return false;  // t < 32 and t >= 32
  const int operand = source_.next(sign + 1 + (shifts || or_equal));
  if (operand < 0 || operand > last || (!divides && !ends_operand(source_.next(operand + 1)))) return false;
  if (at(operand).is("warpSize")) return !shifts;
  const std::string text(at(operand).text);
  if (at(operand).kind != Token::Kind::number || text.find_first_of(".'") != std::string::npos) return false;
  const long number = std::strtol(text.c_str(), nullptr, 0);
  return shifts ? number == 5 : compares ? number % 32 == 0 : number == 32;
}

bool ThreadVariables::is_same_in_warp(int first, int last) const {
  for (int i = source_.next(first); i >= 0 && i <= last; i = source_.next(i + 1)) {
    const Token& token = at(i);
    const bool differs = token.is("threadIdx") || (token.is_name() && !is_member(source_, i) &&
                                                   is_declared(token.text) && !uniform_.contains(token.text));
    if (differs && !is_number_of_warp(i, first, last) &&
        !is_fixed_as(i, [&](int from, int to) { return is_same_in_warp(from, to); }))
      return false;
  }
  return is_pure(source_, names_, first, last, [](std::string_view) { return true; });
}

// A branch that whole warps take: no barrier of the block in it, and no way out of a loop around it.
bool ThreadVariables::can_divide(const Statement& branch) const {
  if (branch.kind != Kind::branch) return false;
  const int first = source_.next(branch.open + 1);
  if (source_.previous(branch.open - 1) != branch.first) return false;  // if constexpr
  const bool declares =
      is_qualifier(at(first).text) || (at(first).is_name() && at(source_.next(first + 1)).is_name());
  const int close = at(branch.open).partner;
  if (declares || has_word(source_, branch.open, close, ";")) return false;
  if (!is_same_in_warp(branch.open + 1, close - 1)) return false;
  const std::function<bool(const std::vector<Statement>&, bool)> stays =
      [&](const std::vector<Statement>& statements, bool in_loop) {
        return std::all_of(statements.begin(), statements.end(), [&](const Statement& statement) {
          if (statement.kind == Kind::barrier || has_barrier(statement)) return false;
          if (statement.kind == Kind::jump) return in_loop;
          const bool loop = statement.kind == Kind::for_loop || statement.kind == Kind::while_loop ||
                            statement.kind == Kind::do_loop;
          return stays(statement.body, in_loop || loop) && stays(statement.otherwise, in_loop || loop);
        });
      };
  return stays(branch.body, false) && stays(branch.otherwise, false);
}

}  // namespace warplab::translator
