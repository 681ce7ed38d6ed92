#include "emulator/translator/regions/thread_variables.hpp"

#include <algorithm>

#include "emulator/translator/code/statement_ends.hpp"
#include "emulator/translator/regions/words.hpp"

namespace warplab::translator {
namespace {

using Kind = Statement::Kind;

// The parameters of the kernel's template that are types.
std::set<std::string_view> types_of_template(const Source& source, int parameters) {
  std::set<std::string_view> names;
  for (int i = declaration_start(source, parameters); i >= 0 && i < parameters; i = source.next(i + 1))
    if (source.at(i).is("typename") || source.at(i).is("class"))
      if (const int name = source.next(i + 1); source.at(name).is_name()) names.insert(source.at(name).text);
  return names;
}

}  // namespace

ThreadVariables::ThreadVariables(const Source& source, const FileNames& names, const Function& kernel,
                                 const std::vector<Statement>& statements)
    : TokenReader(source), names_(names), kernel_(kernel) {
  const int close = source.previous(kernel.body_open - 1);
  std::vector<Variable> parameters;
  understood_ = at(close).is(")") && read_parameters(source, at(close).partner, parameters) && is_simple();
  if (!understood_) return;
  type_parameters_ = types_of_template(source, at(close).partner);
  add(parameters, kernel.body_close, false);
  for (Known& parameter : variables_) {
    parameter.is_parameter = true;
    understood_ = understood_ && has_known_type(parameter);
  }
  collect(statements, kernel.body_close);
  if (!understood_ || hides_another()) {
    understood_ = false;
    return;
  }
  note_branches(statements);
  find_uniform();
  check_heads(statements);
  for (const int first : shared_)
    understood_ = understood_ && is_fit_for_block(first, last_of_statement(source_, first));
  for (const Known& variable : variables_)
    if (variable.is_constexpr) understood_ = understood_ && is_fit_for_block(variable.first, variable.last);
  find_regions(statements, false);
  for (std::size_t k = 0; k < regions_.size(); ++k)
    for (const Part& part : regions_[k].parts)
      for (Known& variable : variables_)
        if (!part.is_before && part.statement->first <= variable.name &&
            variable.name <= part.statement->last && !variable.is_parameter)
          variable.region = static_cast<int>(k);
  find_repeatable();
  find_kept();
}

bool ThreadVariables::is_simple() const {
  for (int i = kernel_.body_open; i < kernel_.body_close; ++i) {
    if (at(i).is("goto") || at(i).is("decltype") || at(i).is("operator")) return false;
    if (at(i).is("static") && !at(source_.next(i + 1)).is("__shared__")) return false;
    if (kernel_.is_kernel && at(i).is("return") && !at(source_.next(i + 1)).is(";")) return false;
  }
  return true;
}

bool ThreadVariables::is_declared(std::string_view name) const {
  return std::any_of(variables_.begin(), variables_.end(),
                     [&](const Known& variable) { return at(variable.name).is(name); });
}

// A variable with the name of another around it, or of an index.
bool ThreadVariables::hides_another() const {
  for (const Known& variable : variables_)
    if (is_block_index(at(variable.name).text) || at(variable.name).is("threadIdx")) return true;
  for (const Known& outer : variables_)
    for (const Known& inner : variables_)
      if (&inner != &outer && at(inner.name).text == at(outer.name).text && outer.name <= inner.name &&
          inner.name < outer.scope_end)
        return true;
  return false;
}

bool ThreadVariables::is_uniform_value(int first, int last) const {
  return is_pure(source_, names_, first, last, [&](std::string_view name) {
    return name != "threadIdx" && (!is_declared(name) || uniform_.contains(name));
  });
}

bool ThreadVariables::is_valid(const std::vector<Change>& changes) const {
  return std::all_of(changes.begin(), changes.end(), [&](const Change& change) {
    return uniform_.contains(at(change.name).text) &&
           (change.value_first < 0 || is_uniform_value(change.value_first, change.value_last));
  });
}

bool ThreadVariables::is_changed_by_block(int name) const {
  for (const auto* all : {&changing_statements_, &changing_heads_})
    for (const auto& [first, changes] : *all)
      if (std::any_of(changes.begin(), changes.end(), [&](const Change& c) { return c.name == name; }))
        return is_valid(changes);
  return false;
}

bool ThreadVariables::stays_uniform(std::string_view name) const {
  bool is_pointer = false;
  for (const Known& variable : variables_) {
    if (!at(variable.name).is(name)) continue;
    if (is_constant(variable)) return true;
    if (variable.is_parameter && !kernel_.is_kernel) return false;
    if (variable.is_constexpr) continue;
    if (variable.is_reference || variable.is_array) return false;
    if (!variable.is_parameter && !variable.is_pointer && !variable.is_plain) return false;
    if (variable.value_first >= 0 && !variable.is_parameter &&
        !is_uniform_value(variable.value_first, variable.value_last))
      return false;
    is_pointer |= variable.is_pointer;
  }
  for (int i = kernel_.body_open + 1; i < kernel_.body_close; ++i)
    if (at(i).is(name) && may_change(source_, names_, i, is_pointer) &&
        !std::any_of(variables_.begin(), variables_.end(), [&](const Known& v) { return v.name == i; }) &&
        (!is_changed_by_block(i) || is_in_one_way(i)))
      return false;
  return true;
}

// Takes out names until all that are left hold: whether one does may depend on others.
void ThreadVariables::keep_while(std::set<std::string_view>& names,
                                 const std::function<bool(const Known&)>& holds) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Known& variable : variables_)
      if (const std::string_view name = at(variable.name).text; names.contains(name) && !holds(variable)) {
        names.erase(name);
        changed = true;
      }
  }
}

void ThreadVariables::find_uniform() {
  for (const Known& variable : variables_) uniform_.insert(at(variable.name).text);
  keep_while(uniform_, [&](const Known& variable) { return stays_uniform(at(variable.name).text); });
}

bool ThreadVariables::is_head_uniform(const Statement& statement) const {
  const int close = at(statement.open).partner;
  if (statement.kind != Kind::for_loop) {
    for (int i = statement.open; i < close; ++i)
      if (at(i).is(";")) return false;  // if (int x = f(); x > 0)
    return is_uniform_value(statement.open + 1, close - 1);
  }
  const int end = last_of_statement(source_, source_.next(statement.open + 1));
  const int second = last_of_statement(source_, source_.next(end + 1));
  for (const Known& variable : variables_)
    if (statement.open < variable.name && variable.name < close && !uniform_.contains(at(variable.name).text))
      return false;
  return is_uniform_value(end + 1, second - 1) && is_valid(changing_heads_.at(statement.first));
}

void ThreadVariables::check_heads(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    if (statement.open >= 0 && statement.kind != Kind::plain)
      if (!is_head_uniform(statement)) {
        divides_ = true;
        understood_ = understood_ && can_divide(statement);
      }
    check_heads(statement.body);
    check_heads(statement.otherwise);
  }
}

ThreadVariables::Role ThreadVariables::role_of(const Statement& statement) const {
  if (shared_.contains(statement.first)) return Role::declares;
  if (declaring_.contains(statement.first)) {
    const bool all = std::all_of(variables_.begin(), variables_.end(), [&](const Known& variable) {
      return variable.name < statement.first || variable.name > statement.last ||
             uniform_.contains(at(variable.name).text);
    });
    return all ? Role::declares : Role::of_threads;
  }
  const auto changes = changing_statements_.find(statement.first);
  if (changes == changing_statements_.end()) return Role::of_threads;
  const bool is_uniform = std::any_of(changes->second.begin(), changes->second.end(),
                                      [&](const Change& c) { return uniform_.contains(at(c.name).text); });
  return is_uniform ? Role::of_block : Role::of_threads;
}

// Whether the block computes a value that the statement gives a uniform variable.
bool ThreadVariables::computes_for_block(const Statement& statement, bool divides_only) const {
  for (const Known& variable : variables_) {
    if (variable.name < statement.first || variable.name > statement.last || variable.value_first < 0)
      continue;
    if (!uniform_.contains(at(variable.name).text) || variable.is_constexpr) continue;
    if (!divides_only) return true;
    for (int i = variable.value_first; i <= variable.value_last; ++i)
      if ((at(i).is("/") || at(i).is("%")) && at(source_.next(i + 1)).kind != Token::Kind::number)
        return true;
  }
  return false;
}

// Whether what is declared outside of a region names no variable that threads have one each of.
bool ThreadVariables::is_fit_for_block(int first, int last) const {
  for (int i = first; i <= last; ++i)
    if (at(i).is_name() && !is_member(source_, i) && is_declared(at(i).text) &&
        !uniform_.contains(at(i).text))
      return false;
  return true;
}

Region& ThreadVariables::begin_region(bool in_loop) {
  for (Region& region : regions_) region.is_last = false;
  regions_.emplace_back().is_last = !in_loop;
  return regions_.back();
}

void ThreadVariables::find_regions(const std::vector<Statement>& statements, bool in_loop) {
  bool open = false;
  for (const Statement& statement : statements) {
    const bool exchanges = statement.kind == Kind::exchange, is_plain = statement.kind == Kind::plain;
    if (open && is_plain && computes_for_block(statement, !regions_.back().returns)) {
      beginning_.insert(statement.first);
      open = false;
    }
    if (exchanges) {
      if (!open) begin_region(in_loop);
      Part& before = regions_.back().parts.emplace_back(Part{&statement, true, {}});
      for (const WarpCall& call : statement.calls) {
        divides_ |= call.function != nullptr && call.function->divides;
        before.tokens.push_back({call.open + 1, call.close - 1});
        for (std::size_t k = 0; call.function != nullptr && k < call.arguments.size(); ++k)
          passes_pointers_ |=
              call.function->parameters[k].is_pointer || !call.function->parameters[k].is_plain;
      }
      for (const Known& variable : variables_)
        if (statement.first <= variable.name && variable.name <= statement.last && is_named(variable, before))
          understood_ = false;
    }
    if (exchanges || (is_plain && role_of(statement) == Role::of_threads)) {
      Region& region = open && is_plain ? regions_.back() : begin_region(in_loop);
      open = true;
      region.parts.push_back({&statement, false, {{statement.first, statement.last}}});
      region.returns |= kernel_.is_kernel && has_word(source_, statement.first, statement.last, "return");
    } else if (!is_plain || role_of(statement) == Role::of_block) {
      open = false;
      if (statement.kind == Kind::barrier)
        for (Region& region : regions_) region.is_last = false;
      if (divides(statement))
        begin_region(in_loop).parts.push_back(
            {&statement, true, {{statement.open + 1, at(statement.open).partner - 1}}});
      const bool loop = statement.kind == Kind::for_loop || statement.kind == Kind::while_loop ||
                        statement.kind == Kind::do_loop;
      find_regions(statement.body, in_loop || loop);
      find_regions(statement.otherwise, in_loop || loop);
    }
  }
}

}  // namespace warplab::translator
