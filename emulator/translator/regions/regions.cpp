#include "emulator/translator/regions/regions.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/regions/region_writer.hpp"
#include "emulator/translator/regions/statements.hpp"
#include "emulator/translator/regions/thread_variables.hpp"
#include "emulator/translator/regions/words.hpp"

namespace warplab::translator {
namespace {

// Whether token `i` ends the type of a variable, declared after it, that is more than a value or a pointer:
// an object may hold its own address, or an array.
bool declares_object(const Source& source, const std::set<std::string_view>& type_parameters, int i) {
  const Token& token = source.at(i);
  if (token.is(">")) {  // Pair<int> p, but not a > b
    for (int j = source.previous(i - 1), depth = 1; j >= 0; j = source.previous(j - 1)) {
      const Token& before = source.at(j);
      if (before.is(";") || before.is("{") || before.is("}") || before.is("&") || before.is("|"))
        return false;
      if (before.is(")")) j = before.partner;
      depth += before.is(">") ? 1 : before.is("<") ? -1 : 0;
      if (depth == 0) return true;
    }
    return false;
  }
  return token.is_name() && !is_qualifier(token.text) && !starts_expression(token.text) &&
         !is_plain_type(token.text) && !type_parameters.contains(token.text);
}

// Whether what is from token `i` to the statement's end calls a function with arguments, who may be given
// a local variable and return its address: `auto m = make(x)`, `int* p = address_of(x)`.
bool calls_with_arguments(const Source& source, int i, int last) {
  for (; i >= 0 && i < last && !source.at(i).is(";"); i = source.next(i + 1)) {
    const int open = source.next(i + 1);
    if (source.at(i).is_name() && !is_plain_type(source.at(i).text) && source.at(open).is("(") &&
        source.next(open + 1) != source.at(open).partner)
      return true;
  }
  return false;
}

// Whether no variable among the tokens can be the address of another of the thread.
bool takes_no_addresses(const Source& source, const std::set<std::string_view>& type_parameters, int first,
                        int last) {
  bool shared = false;  // inside a __shared__ declaration, whose variables are not the thread's own
  for (int i = source.next(first); i >= 0 && i < last; i = source.next(i + 1)) {
    const Token& token = source.at(i);
    if (token.is(";")) shared = false;
    if (token.is("__shared__") || token.is("static")) shared = true;  // static __shared__
    const int left = source.previous(i - 1), right = source.next(i + 1);
    if (!shared && source.at(right).is_name() && declares_object(source, type_parameters, i)) return false;
    const bool is_pointer = token.is("*") && source.at(left).is_name();
    if (!shared && (token.is("auto") || is_pointer) && source.at(right).is_name() &&
        source.at(source.next(right + 1)).is("=") && calls_with_arguments(source, right, last))
      return false;
    if (token.is("[") && !shared) {
      const bool subscript = is_operand_end(source.at(left));
      if (!subscript && !source.at(left).is("[")) return false;  // a lambda, a structured binding
      const int before = source.previous(left - 1);
      if (source.at(left).is_name() &&
          (source.at(before).is(">") ||
           (source.at(before).is_name() && !starts_expression(source.at(before).text))))
        return false;  // an array
    }
    if (token.is("&")) {
      if (source.at(right).is("&") || source.at(left).is("&")) {
        if (is_plain_type(source.at(left).text)) return false;      // a reference to what is moved
        if (source.at(right).is("&") && i + 1 == right) i = right;  // logical and
        continue;
      }
      const int after = source.next(right + 1);
      const bool binary = !is_prefix(source, i);
      const bool reference =
          source.at(right).is_name() &&
          ((source.at(after).is("=") && !source.at(after + 1).is("=")) || source.at(after).is(":") ||
           source.at(after).is("(") || source.at(after).is("{"));
      if (reference && !source.at(right).is("=")) return false;
      if (!binary && !source.at(after).is("[") && !source.at(after).is("-"))
        return false;  // the address of a variable
    }
  }
  return true;
}

/// The tokens at which a body waits, if it does so only at barriers that are statements and where `is_known`.
template <class IsKnown>
std::optional<std::vector<int>> waits_of(const Source& source, const DeviceCode& code,
                                         const Function& function, const IsKnown& is_known) {
  std::vector<int> waits;
  if (function.launches || code.waiting_operator) return std::nullopt;
  for (int i = source.next(function.body_open + 1); i >= 0 && i < function.body_close;
       i = source.next(i + 1)) {
    const Token& token = source.at(i);
    const int left = source.previous(i - 1);
    if (token.is("[") && !is_operand_end(source.at(left)))
      return std::nullopt;  // a lambda: its `return` is its own
    if (token.is("struct") || token.is("class") || token.is("try")) return std::nullopt;
    if (token.is("__syncthreads")) {
      const int open = source.next(i + 1), close = source.next(open + 1), end = source.next(close + 1);
      const Token& before = source.at(left);
      const bool statement = before.is(";") || before.is("{") || before.is("}") || before.is(")") ||
                             before.is("else") || before.is("do") || before.is(":");
      if (!statement || !source.at(open).is("(") || !source.at(close).is(")") || !source.at(end).is(";"))
        return std::nullopt;
      waits.push_back(i);
      i = end;
    } else if (token.is_name() && is_known(i)) {
      waits.push_back(i);
    } else if ((token.is_name() || token.is("(")) && waits_at(source, code, i)) {
      return std::nullopt;
    }
  }
  return waits;
}

/// Whether what regions leave to each other can't be the address of a variable that only one region has.
bool leaves_no_addresses(const Source& source, const ThreadVariables& variables, const Function& function) {
  if (!variables.keeps_addresses() || variables.regions().empty()) return true;
  const Region& last = variables.regions().back();
  const Statement& first = *last.parts.front().statement;
  const bool exchanges = first.kind == Statement::Kind::exchange;
  const int end = !last.is_last ? function.body_close : exchanges ? first.last + 1 : first.first;
  return takes_no_addresses(source, variables.type_parameters(), function.body_open + 1, end);
}

/// What a function returns, as far as regions can keep it: numbers, and types of its template.
/// @return "" for void, nothing for what they can't keep
std::optional<std::string> returned_type(const Source& source, const std::set<std::string_view>& parameters,
                                         int first, int name) {
  static constexpr std::array specifiers{"__device__",   "__host__",  "__forceinline__",
                                         "__noinline__", "inline",    "__inline__",
                                         "static",       "constexpr", "const"};
  std::string type;
  for (int i = source.next(first); i < name; i = source.next(i + 1)) {
    const Token& token = source.at(i);
    if (std::find(specifiers.begin(), specifiers.end(), token.text) != specifiers.end()) continue;
    const bool is_type = is_plain_type(token.text) || (parameters.contains(token.text) && type.empty());
    if (!is_type || token.is("auto")) return std::nullopt;
    type += (type.empty() ? "" : " ") + std::string(token.text);
  }
  return type == "void" ? "" : type;
}

/// Whether a function returns where it ends and nowhere else, or nothing.
bool returns_at_end(const Source& source, const Function& function, const std::vector<Statement>& statements,
                    bool has_result) {
  int last = -1;
  for (int i = function.body_open; i < function.body_close; ++i)
    if (source.at(i).is("return")) {
      if (last >= 0) return false;
      last = i;
    }
  if (!has_result) return last < 0;
  return !statements.empty() && statements.back().first == last && last >= 0;
}

bool is_only_one(const DeviceCode& code, const Function& function) {
  return std::count_if(code.functions.begin(), code.functions.end(),
                       [&](const Function& other) { return other.name == function.name; }) == 1;
}

/// The first token after `template <...>`, if a declaration begins so.
int after_template(const Source& source, int first) {
  if (!source.at(first).is("template")) return first;
  int depth = 0;
  for (int i = source.next(first + 1);; i = source.next(i + 1)) {
    depth += source.at(i).is("<") ? 1 : source.at(i).is(">") ? -1 : 0;
    if (depth == 0) return source.next(i + 1);
  }
}

/// A parameter that regions can pass.
bool can_be_passed(const Variable& parameter, const std::set<std::string_view>& type_parameters,
                   const Source& source) {
  if (parameter.is_reference || parameter.is_array || parameter.is_auto || parameter.value_first >= 0)
    return false;
  return parameter.is_plain || (parameter.type_first == parameter.type_last &&
                                type_parameters.contains(source.at(parameter.type_first).text));
}

}  // namespace

bool can_be_coroutines(const Source& source, const DeviceCode& code, const Function& kernel) {
  const auto waits = waits_of(source, code, kernel, [](int) { return false; });
  return waits && !waits->empty();
}

std::optional<RegionBody> in_regions(const Source& source, const DeviceCode& code, const FileNames& names,
                                     const WarpCalls& calls, const Function& kernel, Edits& edits) {
  const auto waits = waits_of(source, code, kernel, [&](int i) { return calls.call_at(i).has_value(); });
  if (!waits || waits->empty()) return std::nullopt;
  const std::optional<std::vector<Statement>> statements =
      read_statements(source, calls, kernel.body_open + 1, kernel.body_close - 1);
  if (!statements) return std::nullopt;
  const ThreadVariables variables(source, names, kernel, *statements);
  if (!variables.is_understood() || !leaves_no_addresses(source, variables, kernel)) return std::nullopt;
  return RegionBody{variables.condition(), variables.divides_warps(),
                    write_kernel(source, edits, variables, *statements, kernel)};
}

std::optional<RegionFunction> function_in_regions(const Source& source, const DeviceCode& code,
                                                  const FileNames& names, const WarpCalls& calls,
                                                  const Function& function, Edits& edits) {
  const int close = source.previous(function.body_open - 1);
  if (!function.waits || function.prints || function.name.empty() || !source.at(close).is(")") ||
      !is_only_one(code, function))
    return std::nullopt;
  const int name = source.previous(source.at(close).partner - 1);
  if (!source.at(name).is(function.name) || !is_at_namespace_scope(source, name)) return std::nullopt;
  const auto waits = waits_of(source, code, function, [&](int i) { return calls.call_at(i).has_value(); });
  if (!waits) return std::nullopt;
  const std::optional<std::vector<Statement>> statements =
      read_statements(source, calls, function.body_open + 1, function.body_close - 1);
  if (!statements) return std::nullopt;
  const ThreadVariables variables(source, names, function, *statements);
  const int first = declaration_start(source, name), after = after_template(source, first);
  const auto type = returned_type(source, variables.type_parameters(), after, name);
  if (!variables.is_understood() || !leaves_no_addresses(source, variables, function) ||
      !variables.condition().empty() || !type ||
      !returns_at_end(source, function, *statements, !type->empty()))
    return std::nullopt;

  RegionFunction written;
  written.call.type_parameters = variables.type_parameters();
  written.call.returns = !type->empty();
  written.call.last = function.body_close;
  written.call.scope = "::";
  for (const std::string& space : namespaces_around(source, name)) written.call.scope += space + "::";
  written.call.divides = variables.divides_warps();
  for (const int wait : *waits) {
    const auto call = calls.call_at(wait);
    written.call.has_barrier |= !call || (call->function != nullptr && call->function->has_barrier);
  }
  written.head = (after == first ? "" : source.text_of(first, after - 1) + " ") + "[[maybe_unused]] inline " +
                 (type->empty() ? "void" : *type + "*") + " " + name_in_regions(function.name) +
                 "([[maybe_unused]] " + runtime + "ThreadRegions& warplab_threads";
  if (!read_parameters(source, source.at(close).partner, written.call.parameters)) return std::nullopt;
  for (const Variable& parameter : written.call.parameters) {
    if (!can_be_passed(parameter, variables.type_parameters(), source)) return std::nullopt;
    written.head +=
        ", [[maybe_unused]] " + type_to_keep(source, parameter) + "* const " + place_of_kept(parameter);
  }
  written.head += ") ";
  if (!type->empty()) written.begin = "auto* const warplab_results = warplab_threads.keep<" + *type + ">(); ";
  written.body = write_function(source, edits, variables, *statements, function);
  written.end = type->empty() ? "" : "return warplab_results; ";
  return written;
}

}  // namespace warplab::translator
