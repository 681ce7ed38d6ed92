#include "regions/regions.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "regions/statements.hpp"
#include "regions/thread_variables.hpp"
#include "regions/words.hpp"

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
    if (token.is("__shared__")) shared = true;
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

using Kind = Statement::Kind;

/// Writes a kernel's body once more: the block runs its loops and branches, and loops over its threads in
/// each region.
class RegionWriter {
 public:
  RegionWriter(const Source& source, Edits& edits, const ThreadVariables& variables, int first)
      : source_(source), edits_(edits), variables_(variables), at_(first) {}

  std::string write(const std::vector<Statement>& statements, int last) {
    out_ = std::string(runtime) + "ThreadRegions warplab_threads; ";
    for (const Known& variable : variables_.variables())
      if (variable.is_parameter && variable.is_kept)
        out_ += "auto* const " + place_of_kept(variable) + " = warplab_threads.keep_copies(" +
                name(variable) + "); ";
    write_all(statements);
    render_to(last);
    return std::move(out_);
  }

 private:
  using Known = ThreadVariables::Known;
  using Role = ThreadVariables::Role;

  const Token& at(int i) const { return source_.at(i); }
  std::string name(const Known& variable) const { return std::string(at(variable.name).text); }
  static std::string place_of_kept(const Known& variable) {
    return "warplab_kept_" + std::to_string(variable.name);
  }
  void render_to(int last) {
    edits_.render(at_, last, out_);
    at_ = last + 1;
  }
  void skip_to(int last) {
    for (; at_ <= last; ++at_)
      out_.append(static_cast<std::size_t>(std::count(at(at_).text.begin(), at(at_).text.end(), '\n')), '\n');
  }

  void write_all(const std::vector<Statement>& statements) {
    for (std::size_t k = 0; k < statements.size(); ++k) {
      const Statement& statement = statements[k];
      render_to(statement.first - 1);
      if (statement.kind != Kind::plain) {
        write_structure(statement);
      } else if (variables_.role_of(statement) == Role::of_block) {
        render_to(statement.last);
      } else {
        std::size_t end = k + 1;
        while (end < statements.size() && statements[end].kind == Kind::plain &&
               variables_.role_of(statements[end]) != Role::of_block &&
               !variables_.begins_region(statements[end]))
          ++end;
        write_region({statements.begin() + static_cast<std::ptrdiff_t>(k),
                      statements.begin() + static_cast<std::ptrdiff_t>(end)});
        k = end - 1;
      }
    }
  }

  void write_structure(const Statement& statement) {
    switch (statement.kind) {
      case Kind::barrier:
        out_ += "warplab_threads.barrier(); ";
        return skip_to(statement.last);
      case Kind::block:
        render_to(statement.first);
        write_all(statement.body);
        break;
      case Kind::do_loop: {
        const std::string begin = mark_memory(statement);
        render_to(statement.first);
        write_body(statement.body, begin);
        break;
      }
      case Kind::for_loop:
      case Kind::while_loop: {
        const std::string begin = mark_memory(statement);
        render_to(at(statement.open).partner);
        write_body(statement.body, begin);
        break;
      }
      case Kind::branch:
        render_to(at(statement.open).partner);
        write_body(statement.body);
        if (statement.otherwise.empty()) break;
        render_to(source_.previous(statement.otherwise.front().first - 1));
        write_body(statement.otherwise);
        break;
      default:
        break;
    }
    render_to(statement.last);
  }

  void write_body(const std::vector<Statement>& body, const std::string& begin = "") {
    out_ += " { " + begin;
    write_all(body);
    out_ += " } ";
  }

  /// Before a loop whose rounds keep variables: what they keep ends with the round.
  /// @return what a round begins with
  std::string mark_memory(const Statement& loop) {
    const auto& all = variables_.variables();
    if (std::none_of(all.begin(), all.end(), [&](const Known& variable) {
          return variable.is_kept && loop.first <= variable.name && variable.name <= loop.last;
        }))
      return "";
    const std::string mark = "warplab_mark_" + std::to_string(loop.first);
    out_ += "const " + (runtime + ("KeptMark " + mark)) + " = " + runtime + "kept_mark(); ";
    return runtime + ("release_kept(" + mark + "); ");
  }

  void write_region(const std::vector<Statement>& statements) {
    const Region* region = nullptr;
    for (const Statement& statement : statements) {
      for (const Region& known : variables_.regions())
        for (const Statement* part : known.statements)
          if (part->first == statement.first) region = &known;
      declare_for_block(statement);
    }
    if (region == nullptr) return skip_to(statements.back().last);
    const std::string reserved = reserve(*region);
    out_ += reserved;
    const bool counts_returns = region->returns && !region->is_last;
    out_ += counts_returns ? "if (!warplab_threads.run_returning(" : "warplab_threads.run(";
    out_ += lambda_head() + prologue(*region, -1) + "{ ";
    for (const Statement& statement : statements) {
      if (variables_.role_of(statement) == Role::declares) {
        skip_to(statement.last);
        continue;
      }
      for (int i = at_; i <= statement.last; ++i)
        if (counts_returns && at(i).is("return"))
          out_ += "return false";
        else
          edits_.render(i, i, out_);
      at_ = statement.last + 1;
    }
    out_ += epilogue(*region) + (counts_returns ? "return true; } })) return; " : "} }); ");
  }

  /// Tokens as they are edited, on one line.
  std::string text_of(int first, int last) const {
    std::string text;
    for (int i = first; i <= last; ++i)
      if (at(i).kind != Token::Kind::directive)
        text += edits_.before(i) + std::string(edits_.is_erased(i) ? "" : at(i).text) + edits_.after(i);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  /// One declaration of that variable only.
  std::string declaration_of(const Known& variable) const {
    return source_.text_of(variable.type_first, variable.type_last) + " " +
           text_of(variable.first, variable.last) + "; ";
  }

  static std::string lambda_head() {
    return "[&]([[maybe_unused]] const ::uint3 threadIdx, [[maybe_unused]] const int warplab_thread) "
           "WARPLAB_KERNEL_BODY { ";
  }

  /// What the block declares of a statement: variables that are shared or uniform.
  void declare_for_block(const Statement& statement) {
    bool is_variable = false;
    for (const Known& variable : variables_.variables()) {
      if (variable.name < statement.first || variable.name > statement.last) continue;
      is_variable = true;
      if (variables_.is_uniform(at(variable.name).text))
        out_ += "[[maybe_unused]] " + declaration_of(variable);
    }
    if (!is_variable && variables_.role_of(statement) == Role::declares)
      out_ += edits_.before(statement.first);
  }

  const Known* declared_in(const Statement& statement) const {
    for (const Known& variable : variables_.variables())
      if (!variable.is_parameter && statement.first <= variable.name && variable.name <= statement.last)
        return &variable;
    return nullptr;
  }

  /// Memory for what a region leaves to others.
  std::string reserve(const Region& region) const {
    std::string text;
    for (const Known& variable : variables_.variables()) {
      if (!variable.is_kept || !is_in(variable, region)) continue;
      std::string type = type_to_keep(source_, variable);
      if (variable.is_auto) {
        const std::string function = "warplab_type_" + std::to_string(variable.name);
        text += "[[maybe_unused]] const auto " + function + " = " + lambda_head() +
                prologue(region, variable.name) + "{ ";
        for (const Statement* statement : region.statements)
          if (statement->first < variable.name && declared_in(*statement) != nullptr)
            text += "[[maybe_unused]] " + text_of(statement->first, statement->last) + " ";
        text += "return " + name(variable) + "; } }; ";
        type = "decltype(" + function + "(::uint3{}, 0))";
      }
      text += "auto* const " + place_of_kept(variable) + " = warplab_threads.keep<" + type + ">(); ";
    }
    return text;
  }

  bool is_in(const Known& variable, const Region& region) const {
    return variable.region >= 0 &&
           &variables_.regions()[static_cast<std::size_t>(variable.region)] == &region;
  }

  /// What a region begins with: copies of what is kept, and what is computed again.
  /// @param before only variables declared before this token; -1: all
  std::string prologue(const Region& region, int before) const {
    std::string text;
    std::vector<const Known*> needed;
    const auto& all = variables_.variables();
    for (auto variable = all.rbegin(); variable != all.rend(); ++variable) {
      if (before >= 0 && variable->name > before && !variable->is_parameter) continue;
      if (!variable->is_parameter && (variable->region < 0 || is_in(*variable, region))) continue;
      if (variables_.is_uniform(at(variable->name).text)) continue;
      const bool for_another = std::any_of(needed.begin(), needed.end(), [&](const Known* user) {
        return user->is_repeatable && variables_.is_named(*variable, user->first, user->last);
      });
      if (for_another || variables_.is_used(*variable, region)) needed.push_back(&*variable);
    }
    for (auto variable = needed.rbegin(); variable != needed.rend(); ++variable) {
      text += "[[maybe_unused]] ";
      if ((*variable)->is_repeatable)
        text += declaration_of(**variable);
      else if (variables_.is_set_first(**variable, region))
        text += type_to_keep(source_, **variable) + " " + name(**variable) + "; ";
      else
        text += ((*variable)->is_array ? "auto& " : "auto ") + name(**variable) + " = " +
                place_of_kept(**variable) + "[warplab_thread]; ";
    }
    return text;
  }

  /// What a region ends with: what has changed, or is new, is kept.
  std::string epilogue(const Region& region) const {
    std::string text;
    for (const Known& variable : variables_.variables()) {
      const bool is_own = is_in(variable, region);
      const bool is_changed = is_own || (!variable.is_array && variables_.is_used(variable, region) &&
                                         variables_.may_change_in(variable, region));
      if (variable.is_kept && is_changed && !region.is_last)
        text +=
            runtime + ("keep(" + place_of_kept(variable)) + " + warplab_thread, " + name(variable) + "); ";
      else if (is_own)
        text += "static_cast<void>(" + name(variable) + "); ";
    }
    return text;
  }

  const Source& source_;
  Edits& edits_;
  const ThreadVariables& variables_;
  int at_;
  std::string out_;
};

}  // namespace

std::vector<BarrierStatement> coroutine_barriers(const Source& source, const DeviceCode& code,
                                                 const Function& kernel) {
  std::vector<BarrierStatement> barriers;
  if (kernel.launches) return barriers;
  for (int i = source.next(kernel.body_open + 1); i >= 0 && i < kernel.body_close; i = source.next(i + 1)) {
    const Token& token = source.at(i);
    const int left = source.previous(i - 1);
    if (token.is("[") && !is_operand_end(source.at(left))) return {};  // a lambda: its `return` is its own
    if (token.is("struct") || token.is("class") || token.is("try")) return {};
    if (token.is("__syncthreads")) {
      const int open = source.next(i + 1), close = source.next(open + 1), end = source.next(close + 1);
      const Token& before = source.at(left);
      const bool statement = before.is(";") || before.is("{") || before.is("}") || before.is(")") ||
                             before.is("else") || before.is("do") || before.is(":");
      if (!statement || !source.at(open).is("(") || !source.at(close).is(")") || !source.at(end).is(";"))
        return {};
      barriers.push_back({i, end});
      i = end;
    } else if (token.is_name() && waits_at(source, code, i)) {
      return {};
    }
  }
  return barriers;
}

std::optional<RegionBody> in_regions(const Source& source, const DeviceCode& code, const FileNames& names,
                                     const Function& kernel, Edits& edits) {
  if (coroutine_barriers(source, code, kernel).empty()) return std::nullopt;
  const std::optional<std::vector<Statement>> statements =
      read_statements(source, kernel.body_open + 1, kernel.body_close - 1);
  if (!statements) return std::nullopt;
  const ThreadVariables variables(source, names, kernel, *statements);
  if (!variables.is_understood()) return std::nullopt;
  if (variables.keeps_addresses()) {
    const Region& last = variables.regions().back();
    const int end = last.is_last ? last.statements.front()->first : kernel.body_close;
    if (!takes_no_addresses(source, variables.type_parameters(), kernel.body_open + 1, end))
      return std::nullopt;
  }
  return RegionBody{
      variables.condition(),
      RegionWriter(source, edits, variables, kernel.body_open + 1).write(*statements, kernel.body_close - 1)};
}

}  // namespace warplab::translator
