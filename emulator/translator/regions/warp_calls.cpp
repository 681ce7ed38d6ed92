#include "emulator/translator/regions/warp_calls.hpp"

#include <algorithm>
#include <array>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"
#include "emulator/translator/regions/expressions.hpp"
#include "emulator/translator/regions/variables.hpp"
#include "emulator/translator/regions/words.hpp"

namespace warplab::translator {
namespace {

std::string_view kind_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kinds{
      {{"__shfl_sync", "shuffle_index"},
       {"__shfl_up_sync", "shuffle_up"},
       {"__shfl_down_sync", "shuffle_down"},
       {"__shfl_xor_sync", "shuffle_exclusive_or"},
       {"__ballot_sync", "ballot"},
       {"__any_sync", "any"},
       {"__all_sync", "all"},
       {"__activemask", "active"},
       {"__syncwarp", "barrier"}}};
  const auto* const kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) { return known.first == name; });
  return kind == kinds.end() ? std::string_view{} : kind->second;
}

/// The parenthesis after a function's name and its template's arguments, or -1.
int parenthesis_after(const Source& source, int name) {
  int i = source.next(name + 1);
  if (i >= 0 && source.at(i).is("<")) {
    for (int depth = 0; i >= 0; i = source.next(i + 1)) {
      if (source.at(i).is(";") || source.at(i).is("{") || source.at(i).is("&")) return -1;
      depth += source.at(i).is("<") ? 1 : source.at(i).is(">") ? -1 : 0;
      if (depth == 0) break;
    }
    i = i < 0 ? -1 : source.next(i + 1);
  }
  return i >= 0 && source.at(i).is("(") ? i : -1;
}

}  // namespace

bool WarpCalls::complete(WarpCall& call) const {
  call.open = parenthesis_after(source_, call.name);
  if (call.open < 0) return false;
  call.close = source_.at(call.open).partner;
  int first = source_.next(call.open + 1);
  for (int i = first; first != call.close; i = source_.next(i + 1)) {
    const Token& token = source_.at(i);
    if (i != call.close && (token.is("(") || token.is("[") || token.is("{"))) i = token.partner;
    if (i != call.close && !source_.at(i).is(",")) continue;
    call.arguments.push_back({first, source_.previous(i - 1)});
    if (i == call.close) break;
    first = source_.next(i + 1);
  }
  if (call.function == nullptr) return source_.next(call.name + 1) == call.open;
  if (call.arguments.size() != call.function->parameters.size()) return false;
  const auto& parameters = call.function->parameters;
  const bool depends = std::any_of(parameters.begin(), parameters.end(),
                                   [](const Variable& parameter) { return !parameter.is_plain; });
  return !depends || source_.next(call.name + 1) == call.open;  // f<double>(1.0f)
}

// Whether a parameter of a function or a template, or a local variable, has the name at token i.
bool WarpCalls::is_hidden(int i) const {
  const std::string_view name = source_.at(i).text;
  return local_declaration(source_, i, name) >= 0 || parameter_of_template(source_, i, name) >= 0;
}

std::optional<WarpCall> WarpCalls::call_at(int i) const {
  const Token& token = source_.at(i);
  if (!token.is_name() || is_member(source_, i)) return std::nullopt;
  WarpCall call;
  call.name = i;
  call.kind = kind_of(token.text);
  if (call.kind.empty()) {
    const auto function = functions_.find(token.text);
    if (function == functions_.end() || i < function->second.last || is_hidden(i)) return std::nullopt;
    call.function = &function->second;
  }
  return complete(call) ? std::optional(std::move(call)) : std::nullopt;
}

std::vector<WarpCall> WarpCalls::among(int first, int last) const {
  std::vector<WarpCall> calls;
  for (int i = first; i <= last; ++i)
    if (std::optional<WarpCall> call = call_at(i)) calls.push_back(std::move(*call));
  return calls;
}

// Whether the comma at token i of a statement from token `first` on is an operator, whose right side sees
// what the left one has done: neither between arguments, nor between declared variables, nor in `{ }`.
bool WarpCalls::is_comma_operator(int i, int first) const {
  for (int j = source_.previous(i - 1); j >= first; j = source_.previous(j - 1)) {
    const Token& token = source_.at(j);
    if (token.is(")") || token.is("]") || token.is("}")) j = token.partner;
    if (token.is("[")) return true;
    if (token.is("{")) return false;
    if (!token.is("(")) continue;
    const Token& before = source_.at(source_.previous(j - 1));
    return !(is_operand_end(before) || before.is(">")) || starts_expression(before.text);
  }
  std::vector<Variable> variables;
  return read_variables(source_, first, last_of_statement(source_, first), variables) != Reading::read;
}

bool WarpCalls::are_always_made(int first, int last, const std::vector<WarpCall>& calls) const {
  std::size_t next = 0;
  for (int i = first; i <= last; ++i) {
    if (next < calls.size() && i == calls[next].name) {
      i = calls[next].close;
      ++next;
      continue;
    }
    const Token& token = source_.at(i);
    if (token.is("?")) return false;
    if (token.is(",") && next < calls.size() && is_comma_operator(i, first)) return false;
    if (token.is("[") && !is_operand_end(source_.at(source_.previous(i - 1)))) return false;  // a lambda
    if ((token.is("&") || token.is("|")) && source_.at(i + 1).is(token.text)) return false;
  }
  return next == calls.size();
}

}  // namespace warplab::translator
