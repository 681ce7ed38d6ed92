#include "emulator/translator/regions/region_writer.hpp"

#include <algorithm>

namespace warplab::translator {
namespace {

using Kind = Statement::Kind;

/// Writes a kernel's body once more: the block runs its loops and branches, and loops over its threads in
/// each region.
class RegionWriter : private TokenReader {
 public:
  RegionWriter(const Source& source, Edits& edits, const ThreadVariables& variables, int first)
      : TokenReader(source), edits_(edits), variables_(variables), at_(first) {}

  std::string write_kernel(const std::vector<Statement>& statements, int last) {
    out_ = std::string(runtime) + "ThreadRegions warplab_threads; ";
    const auto& regions = variables_.regions();
    if (std::any_of(regions.begin(), regions.end(), counts_returns)) out_ += "warplab_threads.may_return(); ";
    for (const Known& variable : variables_.variables())
      if (variable.is_parameter && variable.is_kept)
        out_ += "auto* const " + place_of_kept(variable) + " = warplab_threads.keep_copies(" +
                name(variable) + "); ";
    write_all(statements);
    render_to(last);
    return std::move(out_);
  }

  std::string write_function(const std::vector<Statement>& statements, int last) {
    is_function_ = true;
    write_all(statements);
    render_to(last);
    return std::move(out_);
  }

 private:
  using Known = ThreadVariables::Known;
  using Role = ThreadVariables::Role;

  std::string name(const Known& variable) const { return std::string(at(variable.name).text); }
  void render_to(int last) {
    edits_.render(at_, last, out_);
    at_ = last + 1;
  }
  void skip_to(int last) {
    for (; at_ <= last; ++at_)
      out_.append(static_cast<std::size_t>(std::count(at(at_).text.begin(), at(at_).text.end(), '\n')), '\n');
  }

  bool is_of_threads(const Statement& statement) const {
    return statement.kind == Kind::exchange ||
           (statement.kind == Kind::plain && variables_.role_of(statement) != Role::of_block);
  }

  void write_all(const std::vector<Statement>& statements) {
    for (std::size_t k = 0; k < statements.size();) {
      const Statement& statement = statements[k];
      render_to(statement.first - 1);
      if (is_of_threads(statement)) {
        k = write_regions(statements, k);
        continue;
      }
      if (statement.kind == Kind::plain)
        render_to(statement.last);
      else
        write_structure(statement);
      ++k;
    }
  }

  /// Writes what each thread runs from statement k on; calls of a warp's functions divide it.
  /// @return the statement after it
  std::size_t write_regions(const std::vector<Statement>& statements, std::size_t k) {
    std::vector<const Statement*> run;
    for (const std::size_t first = k; k < statements.size() && is_of_threads(statements[k]) &&
                                      (k == first || !variables_.begins_region(statements[k]));
         ++k) {
      if (statements[k].kind == Kind::exchange) {
        write_region(run, &statements[k]);
        write_exchange(statements[k]);
        run.clear();
      }
      run.push_back(&statements[k]);
    }
    write_region(run, nullptr);
    return k;
  }

  /// Whether a thread may return in the region while others go on.
  static bool counts_returns(const Region& region) { return region.returns && !region.is_last; }

  static std::string place_of_brought(const WarpCall& call) {
    return "warplab_brought_" + std::to_string(call.name);
  }
  /// Whether threads bring something, be it that they are here.
  static bool brings(const WarpCall& call) { return !call.arguments.empty() || call.kind == "active"; }

  static std::string place_of_argument(const WarpCall& call, std::size_t k) {
    return "warplab_argument_" + std::to_string(call.name) + "_" + std::to_string(k);
  }
  static std::string place_of_results(const WarpCall& call) {
    return "warplab_results_" + std::to_string(call.name);
  }

  void write_call(const WarpCall& call) {
    const std::string results = place_of_results(call);
    if (call.function->returns) out_ += "auto* const " + results + " = ";
    out_ += call.function->scope + name_in_regions(at(call.name).text) +
            text_of(call.name + 1, call.open - 1) + "(warplab_threads";
    for (std::size_t k = 0; k < call.arguments.size(); ++k) out_ += ", " + place_of_argument(call, k);
    out_ += "); ";
  }

  /// Between the region that brings what a warp's functions are called with and the one that uses their
  /// results.
  void write_exchange(const Statement& statement) {
    for (const WarpCall& call : statement.calls)
      if (call.function != nullptr)
        write_call(call);
      else if (brings(call))
        out_ += "warplab_threads.exchange<" + (runtime + ("Collective::" + call.kind)) + ">(" +
                place_of_brought(call) + ", {" + quote(at(call.name).text) + ", " +
                place_of(source_, call.name) + "}); ";
  }

  /// What the call's function returns, as a type.
  std::string type_of(const WarpCall& call) const {
    return "decltype(" + text_of(call.name, call.close) + ")";
  }

  std::string bring(const WarpCall& call) const {
    if (call.function != nullptr) {
      std::string text;
      for (std::size_t k = 0; k < call.arguments.size(); ++k)
        text += runtime + ("keep(" + place_of_argument(call, k)) + " + warplab_thread, " +
                "static_cast<::std::remove_reference_t<decltype(*" + place_of_argument(call, k) + ")>>(" +
                text_of(call.arguments[k].first, call.arguments[k].second) + ")); ";
      return text;
    }
    const std::string kind = runtime + ("Collective::" + call.kind);
    return place_of_brought(call) + "[warplab_thread] = " + runtime + "bring<" + kind + ", " + type_of(call) +
           ">(warplab_thread" + (call.arguments.empty() ? "" : ", ") +
           text_of(call.open + 1, call.close - 1) + "); ";
  }

  std::string brought(const WarpCall& call) const {
    if (call.function != nullptr && call.function->returns)
      return place_of_results(call) + "[warplab_thread]";
    if (call.function != nullptr || call.kind == "barrier") return "static_cast<void>(0)";
    return runtime + ("brought<" + type_of(call)) + ">(" + place_of_brought(call) + "[warplab_thread])";
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
        if (variables_.divides(statement)) {
          write_divided(statement);
          break;
        }
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

  /// A branch that some threads take: the block takes both ways, each with those that do.
  void write_divided(const Statement& branch) {
    const std::string name = "warplab_branch_" + std::to_string(branch.first);
    const int close = at(branch.open).partner;
    const Region& region = *region_of(branch, true);
    out_ += "const auto " + name + " = warplab_threads.divide(" + lambda_head() + prologue(region, -1) +
            "const bool warplab_taken = static_cast<bool>(" + text_of(branch.open + 1, close - 1) + "); " +
            epilogue(region) + "return warplab_taken; }); ";
    skip_to(close);
    out_ += "if (warplab_threads.take(" + name + ".taken))";
    write_body(branch.body);
    if (!branch.otherwise.empty()) {
      skip_to(source_.previous(branch.otherwise.front().first - 1));
      out_ += "if (warplab_threads.take(" + name + ".other))";
      write_body(branch.otherwise);
    }
    skip_to(branch.last);
    out_ += "warplab_threads.join(" + name + "); ";
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
    const bool keeps = std::any_of(all.begin(), all.end(), [&](const Known& variable) {
      return variable.is_kept && loop.first <= variable.name && variable.name <= loop.last;
    });
    if (!keeps && !divides_or_exchanges(loop.body)) return "";
    const std::string mark = "warplab_mark_" + std::to_string(loop.first);
    out_ += "const " + (runtime + ("KeptMark " + mark)) + " = " + runtime + "kept_mark(); ";
    return runtime + ("release_kept(" + mark + "); ");
  }

  bool divides_or_exchanges(const std::vector<Statement>& statements) const {
    return std::any_of(statements.begin(), statements.end(), [&](const Statement& statement) {
      return statement.kind == Kind::exchange || variables_.divides(statement) ||
             divides_or_exchanges(statement.body) || divides_or_exchanges(statement.otherwise);
    });
  }

  /// The region that a statement, or what is computed before it, is part of; null if the block runs it.
  const Region* region_of(const Statement& statement, bool before) const {
    for (const Region& region : variables_.regions())
      for (const Part& part : region.parts)
        if (part.statement->first == statement.first && part.is_before == before) return &region;
    return nullptr;
  }

  /// @param next the statement after the region whose calls it brings the arguments of, or null
  void write_region(const std::vector<const Statement*>& statements, const Statement* next) {
    const Region* region = next != nullptr ? region_of(*next, true) : nullptr;
    for (const Statement* statement : statements) {
      if (region == nullptr) region = region_of(*statement, false);
      declare_for_block(*statement);
    }
    if (region == nullptr) return statements.empty() ? void() : skip_to(statements.back()->last);
    std::string arguments;
    for (std::size_t c = 0; next != nullptr && c < next->calls.size(); ++c)
      if (const WarpCall& call = next->calls[c]; brings(call)) {
        out_ += reserve_arguments(call, *region);
        arguments += bring(call);
      }
    if (statements.empty() && arguments.empty()) return;
    out_ += reserve(*region);
    const bool returns = counts_returns(*region);
    out_ += returns ? "if (!warplab_threads.run_returning(" : "warplab_threads.run(";
    out_ += lambda_head() + prologue(*region, -1) + "{ ";
    for (const Statement* statement : statements) write_statement(*statement, returns);
    out_ += arguments + epilogue(*region) + (returns ? "return true; } })) return; " : "} }); ");
  }

  /// Memory for what a call is given.
  std::string reserve_arguments(const WarpCall& call, const Region& region) const {
    if (call.function == nullptr)
      return "auto* const " + place_of_brought(call) + " = warplab_threads.keep<" + runtime + "Brought>(); ";
    std::string text;
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      const Variable& parameter = call.function->parameters[k];
      const auto [first, last] = call.arguments[k];
      const std::string place = place_of_argument(call, k);
      std::string type = type_to_keep(source_, parameter);
      if (!parameter.is_plain) {
        text += declare_type(place + "_type", region, first, text_of(first, last));
        type = "decltype(" + place + "_type(::uint3{}, 0))";
      }
      text += "auto* const " + place + " = warplab_threads.keep<" + type + ">(); ";
    }
    return text;
  }

  /// A function, never called, that returns a value of the type which `value` has at a token of the region.
  std::string declare_type(const std::string& function, const Region& region, int token,
                           const std::string& value) const {
    std::string text =
        "[[maybe_unused]] const auto " + function + " = " + lambda_head() + prologue(region, token) + "{ ";
    for (const Part& part : region.parts)
      if (const Statement& own = *part.statement;
          !part.is_before && own.first < token && declared_in(own) != nullptr)
        text += "[[maybe_unused]] " + text_of(own.first, own.last) + " ";
    return text + "return " + value + "; } }; ";
  }

  /// @param returns it is in a region that counts them
  void write_statement(const Statement& statement, bool returns) {
    if (variables_.role_of(statement) == Role::declares) return skip_to(statement.last);
    render_to(statement.first - 1);
    std::size_t call = 0;
    for (; at_ <= statement.last; ++at_) {
      if (call < statement.calls.size() && at_ == statement.calls[call].name) {
        out_ += brought(statement.calls[call]);
        skip_to(statement.calls[call++].close);
        --at_;
      } else if (returns && at(at_).is("return")) {
        out_ += "return false";
      } else if (is_function_ && at(at_).is("return")) {
        out_ += "warplab_results[warplab_thread] =";
      } else if (is_own_index(at_)) {
        out_ += at(at_).text;
      } else {
        edits_.render(at_, at_, out_);
      }
    }
  }

  /// A function's threadIdx, which is that of the loop over threads.
  bool is_own_index(int i) const { return is_function_ && at(i).is("threadIdx") && !is_member(source_, i); }

  /// Tokens as they are edited, on one line.
  std::string text_of(int first, int last) const {
    std::string text;
    for (int i = first; i <= last; ++i)
      if (is_own_index(i))
        text += "threadIdx";
      else if (at(i).kind != Token::Kind::directive)
        text += edits_.before(i) + std::string(edits_.is_erased(i) ? "" : at(i).text) + edits_.after(i);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  /// One declaration of that variable only.
  std::string declaration_of(const Known& variable) const {
    return source_.text_of(variable.type_first, variable.type_last) + " " +
           text_of(variable.first, variable.last) + "; ";
  }

  /// The same of one that does not change, so that the compiler refuses a change which was not seen.
  std::string constant_of(const Known& variable) const {
    const Token& left = at(source_.previous(variable.name - 1));
    const bool is_const =
        variable.is_constexpr || left.is("const") ||
        (!variable.is_pointer &&
         source_.text_of(variable.type_first, variable.type_last).find("const") != std::string::npos);
    if (is_const) return declaration_of(variable);
    return source_.text_of(variable.type_first, variable.type_last) + " " +
           (variable.name > variable.first ? text_of(variable.first, variable.name - 1) : "") + " const " +
           text_of(variable.name, variable.last) + "; ";
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
        text += declare_type(function, region, variable.name, name(variable));
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
        text += constant_of(**variable);
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

  Edits& edits_;
  const ThreadVariables& variables_;
  int at_;
  bool is_function_ = false;
  std::string out_;
};

}  // namespace

std::string write_kernel(const Source& source, Edits& edits, const ThreadVariables& variables,
                         const std::vector<Statement>& statements, const Function& kernel) {
  return RegionWriter(source, edits, variables, kernel.body_open + 1)
      .write_kernel(statements, kernel.body_close - 1);
}

std::string write_function(const Source& source, Edits& edits, const ThreadVariables& variables,
                           const std::vector<Statement>& statements, const Function& function) {
  return RegionWriter(source, edits, variables, function.body_open + 1)
      .write_function(statements, function.body_close - 1);
}

std::string name_in_regions(std::string_view function) {
  return "warplab_in_regions_" + std::string(function);
}

std::string place_of_kept(const Variable& variable) {
  return "warplab_kept_" + std::to_string(variable.name);
}

}  // namespace warplab::translator
