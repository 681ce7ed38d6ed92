#include "emulator/translator/known_names.hpp"

#include <cstddef>

#include "emulator/translator/regions/statements.hpp"

namespace warplab::translator {

KnownNames::KnownNames(const Source& source, const Function& function, NamesOfFile& of_file)
    : source_(source), function_(function), of_file_(of_file) {
  if (of_file_.constants.empty()) {
    find_constants();
    find_placed_arrays();
  }
  find_loops();
}

bool KnownNames::is_known(int first, int last) const {
  for (int i = source_.next(first); i >= 0 && i <= last; i = next(i))
    if (at(i).is_name() && !is_constant(i)) return false;
  return true;
}

bool KnownNames::is_constant(int name) const {
  const int after = next(name);
  if (at(after).is("::") || (at(after).is(":") && at(next(after)).is(":"))) return true;  // only a scope
  const Loop* innermost = nullptr;
  for (const Loop& loop : loops_)
    if (loop.begin < name && name < loop.end && at(loop.variable).text == at(name).text) innermost = &loop;
  return innermost ? innermost->unrolling == Unrolling::whole : is_in_file_or_function(at(name).text);
}

bool KnownNames::is_in_file_or_function(std::string_view name) const {
  return of_file_.constants.contains(name) || constants_.contains(name);
}

Unrolling KnownNames::unrolling(int keyword) const {
  for (const Loop& loop : loops_)
    if (loop.keyword == keyword) return loop.unrolling;
  return Unrolling::none;
}

// Names of compile-time constants anywhere in the file.
void KnownNames::find_constants() {
  of_file_.constants = {"int", "unsigned", "size_t", "sizeof", "static_cast", "constexpr", "warpSize"};
  for (int i = source_.next(0); i >= 0; i = next(i)) {
    if (at(i).system) continue;
    if (at(i).is("constexpr") || at(i).is("enum")) {
      bool initialised = false;  // else a bracket is a function's
      for (int j = next(i); j >= 0 && !at(j).is(";") && (initialised || !at(j).is("(")); j = next(j)) {
        const int after = next(j);
        initialised |= at(j).is("=");
        if (at(j).is_name() && after >= 0 && (at(after).is("=") || at(after).is(",") || at(after).is("}")))
          of_file_.constants.insert(at(j).text);
      }
    } else if (at(i).is("template") && at(next(i)).is("<")) {
      for (int j = next(next(i)); j >= 0 && !at(j).is("(") && !at(j).is("{") && !at(j).is(";"); j = next(j)) {
        const int after = next(j), left = source_.previous(j - 1);
        if (at(j).is_name() && !at(left).is("<") && !at(left).is(",") && !at(left).is("class") &&
            !at(left).is("typename") && (at(after).is(",") || at(after).is(">") || at(after).is("=")))
          of_file_.constants.insert(at(j).text);
        if (at(j).is(">")) break;
      }
    } else if (at(i).is("const") && at(next(i)).is_name()) {
      find_constant(i, of_file_.constants);
    }
  }
}

void KnownNames::find_placed_arrays() {
  for (int i = source_.next(0); i >= 0; i = next(i)) {
    if (at(i).system || (!at(i).is("__shared__") && !at(i).is("__constant__"))) continue;
    int j = next(i);
    while (j >= 0 && !at(j).is("[") && !at(j).is(";")) j = next(j);
    if (j >= 0 && at(j).is("[")) of_file_.placed_arrays.insert(at(source_.previous(j - 1)).text);
  }
}

// Variables of this function's loops that a compiler can unroll: `for (int j = 0; j < 4; ++j)`.
void KnownNames::find_loops() {
  for (int i = next(function_.body_open); i >= 0 && i < function_.body_close; i = next(i)) {
    if (at(i).is("const") && at(next(i)).is_name())
      find_constant(i, constants_);  // in a loop it may hang on its variable
    if (at(i).is("for") && !at(i).system) find_loop(i);
  }
}

void KnownNames::find_loop(int keyword) {
  const int open = next(keyword), close = at(open).partner;
  const auto first = [&](int j, std::string_view one, std::string_view other) {
    while (j < close && !at(j).is(one) && !at(j).is(other)) j = next(j);
    return j;
  };
  const int equals = first(next(open), "=", ";");
  if (!at(equals).is("=")) return;
  const int variable = source_.previous(equals - 1), semicolon = first(equals, ";", ";"),
            second = first(next(semicolon), ";", ";"), body = next(close);
  int end = last_of_statement(source_, body);
  if (end < 0) end = function_.body_close;
  const std::optional<std::string> asked = asked_unrolling(keyword);
  loops_.push_back({keyword, variable, open, end, Unrolling::whole});  // known in its own condition
  Unrolling& unrolling = loops_.back().unrolling;
  if (asked == "1" || !is_known(equals + 1, semicolon - 1) ||
      !steps_are_known(second, close, at(variable).text))
    unrolling = Unrolling::none;
  else if (!condition_is_known(semicolon, second, asked.has_value()))
    unrolling = is_left_early(body, end) ? Unrolling::none : Unrolling::by_four;
  // Elsewhere a name of the same kind is most likely a parameter that such a loop's variable is given to.
  if (unrolling == Unrolling::whole) constants_.insert(at(variable).text);
}

bool KnownNames::is_left_early(int first, int last) const {
  for (int i = first; i >= 0 && i < last; i = next(i))
    if (at(i).is("break") || at(i).is("return") || at(i).is("goto")) return true;
  return false;
}

// Of `i < 4 && i < n` one part is enough where unrolling is asked for: each iteration then asks for the
// others.
bool KnownNames::condition_is_known(int open, int close, bool one_is_enough) const {
  bool all = true, any = false;
  for (int begin = open; begin < close;) {
    int end = next(begin);
    const auto is_and = [&](int i) { return at(i).is("&&") || (at(i).is("&") && at(next(i)).is("&")); };
    while (end < close && !is_and(end)) end = at(end).is("(") ? next(at(end).partner) : next(end);
    if (end < close && at(end).is("&")) end = next(end);  // to its second sign
    const bool known = is_known(begin + 1, end - 1);
    all &= known, any |= known;
    begin = end;
  }
  return all || (one_is_enough && any);
}

// In `++i, to += width` only the part with the loop's own variable counts.
bool KnownNames::steps_are_known(int semicolon, int close, std::string_view variable) const {
  for (int begin = semicolon; begin < close;) {
    int end = next(begin);
    bool own = false;
    for (; end < close && !at(end).is(","); end = next(end)) own |= at(end).is(variable);
    if (own && !is_known(begin + 1, end - 1)) return false;
    begin = end;
  }
  return true;
}

// `const int n = 4, m = n + 1;`
void KnownNames::find_constant(int i, std::set<std::string_view>& constants) const {
  for (int name = next(next(i)); name >= 0;) {
    const int equals = next(name);
    if (!at(name).is_name() || !at(equals).is("=")) return;
    int end = equals;
    while (end >= 0 && !at(end).is(";") && !at(end).is(","))
      end = at(end).is("(") || at(end).is("{") ? next(at(end).partner) : next(end);
    if (end < 0) return;
    if (is_known(equals + 1, end)) constants.insert(at(name).text);
    if (!at(end).is(",")) return;
    name = next(end);
  }
}

std::optional<std::string> KnownNames::asked_unrolling(int keyword) const {
  for (int j = keyword - 1; j >= 0; --j) {
    if (at(j).kind == Token::Kind::space) continue;
    if (at(j).kind != Token::Kind::directive) return std::nullopt;
    const std::string_view text = at(j).text;
    if (text.find("nounroll") != std::string_view::npos) return "1";
    const std::size_t unroll = text.find("unroll");
    if (unroll == std::string_view::npos) continue;
    std::string_view by = text.substr(unroll + std::string_view("unroll").size());
    const std::size_t first = by.find_first_not_of(" \t(\n"), last = by.find_last_not_of(" \t)\n");
    by = first == std::string_view::npos ? "" : by.substr(first, last - first + 1);
    const bool is_number = by.find_first_not_of("0123456789") == std::string_view::npos;
    return std::string(is_number || is_in_file_or_function(by) ? by
                                                               : "");  // a macro's name means nothing here
  }
  return std::nullopt;
}

}  // namespace warplab::translator
