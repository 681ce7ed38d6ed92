#include "emulator/translator/known_names.hpp"

#include <cstddef>
#include <utility>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/statement_ends.hpp"

namespace warplab::translator {

KnownNames::KnownNames(const Source& source, const Function& function, NamesOfFile& of_file)
    : TokenReader(source), function_(function), of_file_(of_file) {
  if (!std::exchange(of_file_.are_found, true)) {
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
  if (at(after).is(":") && at(after + 1).is(":")) return true;  // only a scope
  const int before = source_.previous(name - 1);
  if (before > 0 && at(before).is(":") &&
      at(before - 1).is(":"))  // of a class or a namespace, perhaps a local one
    return of_file_.constants.contains(at(name).text) || of_file_.local_constants.contains(at(name).text);
  const Loop* innermost = nullptr;
  for (const Loop& loop : loops_)
    if (loop.begin < name && name < loop.end && at(loop.variable).text == at(name).text) innermost = &loop;
  return innermost ? innermost->unrolling == Unrolling::whole : is_constant_at(name, at(name).text);
}

bool KnownNames::is_constant_at(int use, std::string_view name) const {
  static const std::set<std::string_view> words{"int",         "unsigned",  "size_t",  "sizeof",
                                                "static_cast", "constexpr", "warpSize"};
  if (words.contains(name) || variables_.contains(name)) return true;
  const auto local = of_file_.local_constants.find(name);
  const bool is_outside = of_file_.constants.contains(name);
  if (!is_outside && local == of_file_.local_constants.end()) return false;
  const int declaration = local_declaration(source_, use, name);
  if (declaration < 0) return is_outside;
  return local != of_file_.local_constants.end() && local->second.contains(declaration);
}

bool KnownNames::is_placed_array(int name) const {
  const auto arrays = of_file_.placed_arrays.find(at(name).text);
  if (arrays == of_file_.placed_arrays.end()) return false;
  if (!function_.is_kernel) return true;
  const int declaration = local_declaration(source_, name, at(name).text);
  return declaration < 0 || arrays->second.contains(declaration);
}

Unrolling KnownNames::unrolling(int keyword) const {
  for (const Loop& loop : loops_)
    if (loop.keyword == keyword) return loop.unrolling;
  return Unrolling::none;
}

// Names of compile-time constants anywhere in the file.
void KnownNames::find_constants() {
  for (int i = source_.next(0); i >= 0; i = next(i)) {
    if (at(i).system) continue;
    if (at(i).is("constexpr") || at(i).is("enum")) {
      bool initialised = false;  // else a bracket is a function's
      for (int j = next(i); j >= 0 && !at(j).is(";") && (initialised || !at(j).is("(")); j = next(j)) {
        const int after = next(j);
        initialised |= at(j).is("=");
        if (at(j).is_name() && after >= 0 && (at(after).is("=") || at(after).is(",") || at(after).is("}")))
          add_constant(j);
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
      find_constant(i);
    }
  }
}

void KnownNames::find_placed_arrays() {
  for (int i = source_.next(0); i >= 0; i = next(i)) {
    if (at(i).system || (!at(i).is("__shared__") && !at(i).is("__constant__"))) continue;
    int j = next(i);
    while (j >= 0 && !at(j).is("[") && !at(j).is(";")) j = next(j);
    if (j < 0 || !at(j).is("[")) continue;
    const int name = source_.previous(j - 1);
    of_file_.placed_arrays[at(name).text].insert(name);
  }
}

// Variables of this function's loops that a compiler can unroll: `for (int j = 0; j < 4; ++j)`.
void KnownNames::find_loops() {
  for (int i = next(function_.body_open); i >= 0 && i < function_.body_close; i = next(i)) {
    if (at(i).is("const") && at(next(i)).is_name())
      find_constant(i);  // in a loop it may depend on the loop's variable
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
  // Outside the loop the same name is most likely a lambda's parameter, to which the variable is given.
  if (unrolling == Unrolling::whole) variables_.insert(at(variable).text);
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
    const auto is_and = [&](int i) { return at(i).is("&") && at(i + 1).is("&"); };
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
void KnownNames::find_constant(int i) const {
  for (int name = next(next(i)); name >= 0;) {
    const int equals = next(name);
    if (!at(name).is_name() || !at(equals).is("=")) return;
    int end = equals;
    while (end >= 0 && !at(end).is(";") && !at(end).is(","))
      end = at(end).is("(") || at(end).is("{") ? next(at(end).partner) : next(end);
    if (end < 0) return;
    if (is_known(equals + 1, end)) add_constant(name);
    if (!at(end).is(",")) return;
    name = next(end);
  }
}

void KnownNames::add_constant(int name) const {
  const std::string_view text = at(name).text;
  if (local_declaration(source_, next(name), text) == name)
    of_file_.local_constants[text].insert(name);
  else
    of_file_.constants.insert(text);
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
    return std::string(is_number || is_constant_at(keyword, by) ? by
                                                                : "");  // a macro's name means nothing here
  }
  return std::nullopt;
}

}  // namespace warplab::translator
