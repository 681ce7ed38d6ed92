// Which variables there are, and where they change.
#include <algorithm>

#include "emulator/translator/code/statement_ends.hpp"
#include "emulator/translator/regions/thread_variables.hpp"
#include "emulator/translator/regions/words.hpp"

namespace warplab::translator {
namespace {

using Kind = Statement::Kind;

}  // namespace

void ThreadVariables::add(const std::vector<Variable>& variables, int scope_end, bool is_in_head) {
  for (const Variable& variable : variables) {
    Known known{variable};
    known.scope_end = scope_end;
    known.is_in_head = is_in_head;
    variables_.push_back(known);
  }
}

void ThreadVariables::collect(const std::vector<Statement>& statements, int scope_end) {
  for (const Statement& statement : statements) {
    switch (statement.kind) {
      case Kind::plain:
      case Kind::exchange:
        collect_plain(statement, scope_end);
        break;
      case Kind::barrier:
      case Kind::jump:
        break;
      case Kind::for_loop:
        collect_head(statement);
        [[fallthrough]];
      default:
        collect(statement.body, statement.last);
        collect(statement.otherwise, statement.last);
    }
  }
}

void ThreadVariables::collect_plain(const Statement& statement, int scope_end) {
  const auto [first, last] = std::pair(statement.first, statement.last);
  if (at(first).is("{") || at(first).is("if") || at(first).is("for") || at(first).is("while") ||
      at(first).is("do") || at(first).is("switch") || at(first).is("return") || at(first).is(";") ||
      at(first).is("static_assert"))
    return;
  if (has_word(source_, first, last, "__shared__")) {
    shared_.insert(first);
    return;
  }
  std::vector<Variable> variables;
  const Reading reading = read_variables(source_, first, last, variables);
  if (reading == Reading::unclear) understood_ = false;
  if (reading == Reading::read) {
    declaring_.insert(first);
    add(variables, scope_end, false);
  }
  std::vector<Change> changes;
  if (reading == Reading::none && read_changes(first, last - 1, changes))
    changing_statements_[first] = std::move(changes);
}

void ThreadVariables::collect_head(const Statement& loop) {
  const int close = at(loop.open).partner, first = source_.next(loop.open + 1);
  const int end = last_of_statement(source_, first);
  if (end < 0 || end > close) {
    understood_ = false;
    return;
  }
  std::vector<Variable> variables;
  const Reading reading = end == first ? Reading::none : read_variables(source_, first, end, variables);
  if (reading == Reading::unclear) understood_ = false;
  add(variables, loop.last, true);
  std::vector<Change> changes;
  if (reading == Reading::none && end != first && !read_changes(first, end - 1, changes)) understood_ = false;
  const int second = last_of_statement(source_, source_.next(end + 1));
  if (second < 0 || second > close) {
    understood_ = false;
    return;
  }
  if (source_.next(second + 1) != close && !read_changes(second + 1, close - 1, changes)) understood_ = false;
  changing_heads_[loop.first] = std::move(changes);
}

bool ThreadVariables::read_changes(int first, int last, std::vector<Change>& changes) const {
  int part = source_.next(first);
  for (int i = part; i >= 0; i = source_.next(i + 1)) {
    if (i <= last && (at(i).is("(") || at(i).is("[") || at(i).is("{"))) i = at(i).partner;
    if (i <= last && !at(i).is(",") && source_.next(i + 1) <= last) continue;
    Change change{};
    if (!read_change(part, at(i).is(",") ? i - 1 : i, change)) return false;
    changes.push_back(change);
    if (source_.next(i + 1) > last) return true;
    part = source_.next(i + 1);
  }
  return false;
}

// `name = value`, `name += value`, `name <<= value`, `++name`, `name--`
bool ThreadVariables::read_change(int first, int last, Change& change) const {
  last = source_.previous(last);
  const auto is_step = [&](int i) { return (at(i).is("+") || at(i).is("-")) && at(i + 1).is(at(i).text); };
  change.value_first = -1;
  if (is_step(first)) {
    change.name = source_.next(first + 2);
    return change.name == last && at(last).is_name();
  }
  change.name = first;
  if (!at(first).is_name()) return false;
  int i = source_.next(first + 1);
  if (is_step(i)) return i + 1 == last;
  static constexpr std::string_view operators = "+-*/%&|^";
  if ((at(i).is("<") || at(i).is(">")) && at(i + 1).is(at(i).text))
    i += 2;
  else if (operators.find(at(i).text) != std::string_view::npos)
    i += 1;
  if (i >= last || !at(i).is("=") || at(i + 1).is("=")) return false;
  change.value_first = source_.next(i + 1);
  change.value_last = last;
  return true;
}

}  // namespace warplab::translator
