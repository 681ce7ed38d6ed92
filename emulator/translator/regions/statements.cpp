#include "emulator/translator/regions/statements.hpp"

#include <utility>

#include "emulator/translator/code/statement_ends.hpp"

namespace warplab::translator {
namespace {

/// Whether a `break` or `continue` among the tokens belongs to a loop around them. A `break` of a switch is
/// its own.
bool leaves_loop(const Source& source, int first, int last) {
  int end_of_switch = -1;
  for (int i = first; i <= last; ++i) {
    const Token& token = source.at(i);
    if (token.is("continue") || (token.is("break") && i > end_of_switch)) return true;
    if (!token.is_one_of(" for while do switch ")) continue;
    const int end = last_of_statement(source, i);
    if (end < 0) return true;
    if (!token.is("switch"))
      i = end;
    else if (end > end_of_switch)
      end_of_switch = end;
  }
  return false;
}

class StatementReader : private TokenReader {
 public:
  StatementReader(const Source& source, const WarpCalls& calls) : TokenReader(source), calls_(calls) {}

  bool read(int first, int last, bool in_loop, std::vector<Statement>& statements) const {
    for (int i = source_.next(first); i >= 0 && i <= last; i = source_.next(i + 1)) {
      const Token& token = at(i);
      if (is_label(source_, i) || token.is("goto") || token.is("try")) return false;
      const int end = last_of_statement(source_, i);
      if (end < 0 || end > last) return false;
      Statement statement;
      statement.first = i;
      statement.last = end;
      if (!take_apart(statement, in_loop)) return false;
      statements.push_back(std::move(statement));
      i = end;
    }
    return true;
  }

 private:
  bool waits(int first, int last) const {
    for (int i = first; i <= last; ++i)
      if (at(i).is("__syncthreads") || calls_.call_at(i)) return true;
    return false;
  }

  bool take_apart(Statement& statement, bool in_loop) const {
    const int first = statement.first;
    if (at(first).is("__syncthreads")) {
      statement.kind = Statement::Kind::barrier;
      return true;
    }
    if (at(first).is("break") || at(first).is("continue")) {
      statement.kind = Statement::Kind::jump;
      return in_loop;
    }
    const bool leaves = in_loop && leaves_loop(source_, first, statement.last);
    if (!leaves && !waits(first, statement.last)) return true;
    if (at(first).is("{")) {
      statement.kind = Statement::Kind::block;
      return read(first + 1, statement.last - 1, in_loop, statement.body);
    }
    if (at(first).is("do")) return take_do_loop(statement);
    if (!has_head(at(first))) return take_calls(statement);
    statement.open = head_of(source_, first);
    if (statement.open < 0 || waits(statement.open, at(statement.open).partner)) return false;
    const int body = source_.next(at(statement.open).partner + 1);
    if (at(first).is("for") || at(first).is("while")) {
      statement.kind = at(first).is("for") ? Statement::Kind::for_loop : Statement::Kind::while_loop;
      return read(body, statement.last, true, statement.body);
    }
    return at(first).is("if") && take_branch(statement, body, in_loop);
  }

  bool take_calls(Statement& statement) const {
    const auto [first, last] = std::pair(statement.first, statement.last);
    statement.kind = Statement::Kind::exchange;
    statement.calls = calls_.among(first, last);
    return calls_.are_always_made(first, last, statement.calls);
  }

  bool take_branch(Statement& statement, int body, bool in_loop) const {
    statement.kind = Statement::Kind::branch;
    const int end = last_of_statement(source_, body);
    if (!read(body, end, in_loop, statement.body)) return false;
    if (end == statement.last) return true;
    const int otherwise = source_.next(source_.next(end + 1) + 1);
    return read(otherwise, statement.last, in_loop, statement.otherwise);
  }

  bool take_do_loop(Statement& statement) const {
    statement.kind = Statement::Kind::do_loop;
    const int body = source_.next(statement.first + 1), end = last_of_statement(source_, body);
    statement.open = head_of(source_, source_.next(end + 1));
    if (statement.open < 0 || waits(statement.open, statement.last)) return false;
    return read(body, end, true, statement.body);
  }

  const WarpCalls& calls_;
};

}  // namespace

std::optional<std::vector<Statement>> read_statements(const Source& source, const WarpCalls& calls, int first,
                                                      int last) {
  std::vector<Statement> statements;
  if (!StatementReader(source, calls).read(first, last, false, statements)) return std::nullopt;
  return statements;
}

}  // namespace warplab::translator
