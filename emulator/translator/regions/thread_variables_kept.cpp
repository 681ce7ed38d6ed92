// Which variables each region computes again, and which are kept for each thread.
#include <algorithm>

#include "emulator/translator/regions/thread_variables.hpp"
#include "emulator/translator/regions/words.hpp"

namespace warplab::translator {

// Whether a loop's head, whose keyword is token `loop`, declares the variable.
bool ThreadVariables::is_declared_in_head(int loop, std::string_view name) const {
  const int open = source_.next(loop + 1);
  return std::any_of(variables_.begin(), variables_.end(), [&](const Known& variable) {
    return at(variable.name).is(name) && open < variable.name && variable.name < at(open).partner;
  });
}

// Whether a variable changes, be it in the head of the loop that declares it, or only elsewhere.
bool ThreadVariables::changes_somewhere(std::string_view name, bool but_for_heads) const {
  bool is_pointer = false;
  for (const Known& variable : variables_) is_pointer |= at(variable.name).is(name) && variable.is_pointer;
  for (int i = kernel_.body_open + 1; i < kernel_.body_close; ++i) {
    if (!at(i).is(name) || !may_change(source_, names_, i, is_pointer)) continue;
    if (std::any_of(variables_.begin(), variables_.end(), [&](const Known& v) { return v.name == i; }))
      continue;  // where it is declared
    const bool in_head = std::any_of(changing_heads_.begin(), changing_heads_.end(), [&](const auto& head) {
      return is_declared_in_head(head.first, name) &&
             std::any_of(head.second.begin(), head.second.end(),
                         [&](const Change& c) { return c.name == i; });
    });
    if (!in_head || !but_for_heads) return true;
  }
  return false;
}

// Whether a uniform variable is the same as long as a variable lives that is computed from it.
bool ThreadVariables::is_steady(std::string_view name) const {
  bool in_heads = true;
  for (const Known& variable : variables_)
    if (at(variable.name).is(name)) in_heads &= variable.is_in_head;
  return !changes_somewhere(name, in_heads);
}

bool ThreadVariables::has_repeatable_value(const Known& variable) const {
  return variable.value_first >= 0 &&
         is_pure(source_, names_, variable.value_first, variable.value_last, [&](std::string_view name) {
           if (!is_declared(name) || repeatable_.contains(name)) return true;
           return uniform_.contains(name) && is_steady(name);
         });
}

void ThreadVariables::find_repeatable() {
  for (const Known& variable : variables_) {
    const std::string_view name = at(variable.name).text;
    if (variable.region >= 0 && !uniform_.contains(name) && !variable.is_reference && !variable.is_array &&
        (variable.is_plain || variable.is_pointer) && !changes_somewhere(name, false))
      repeatable_.insert(name);
  }
  keep_while(repeatable_, [&](const Known& variable) { return has_repeatable_value(variable); });
  for (Known& variable : variables_) variable.is_repeatable = repeatable_.contains(at(variable.name).text);
}

bool ThreadVariables::is_used(const Known& variable, const Region& region) const {
  return std::any_of(region.parts.begin(), region.parts.end(), [&](const Part& part) {
    const int first = part.statement->first, last = part.is_before ? first : part.statement->last;
    const bool in_scope = last >= variable.name && first <= variable.scope_end;
    return (variable.is_parameter || in_scope) && is_named(variable, part);
  });
}

bool ThreadVariables::is_named(const Known& variable, const Part& part) const {
  return std::any_of(part.tokens.begin(), part.tokens.end(), [&](const std::pair<int, int>& tokens) {
    return is_named(variable, tokens.first, tokens.second);
  });
}

bool ThreadVariables::is_named(const Known& variable, int first, int last) const {
  for (int i = first; i <= last; ++i)
    if (at(i).is(at(variable.name).text) && !is_member(source_, i)) return true;
  return false;
}

bool ThreadVariables::may_change_in(const Known& variable, const Region& region) const {
  for (const Part& part : region.parts)
    for (const auto& [first, last] : part.tokens)
      for (int i = first; i <= last; ++i)
        if (at(i).is(at(variable.name).text) && may_change(source_, names_, i, variable.is_pointer))
          return true;
  return false;
}

bool ThreadVariables::is_set_first(const Known& variable, const Region& region) const {
  if (variable.is_auto || variable.is_reference || variable.is_array || !has_known_type(variable))
    return false;
  for (const Part& part : region.parts) {
    if (!is_named(variable, part)) continue;
    const Statement* const statement = part.statement;
    const auto changes = changing_statements_.find(statement->first);
    if (part.is_before) return false;
    if (changes == changing_statements_.end() || changes->second.size() != 1) return false;
    const Change& change = changes->second.front();
    return change.name == statement->first && at(change.name).is(at(variable.name).text) &&
           at(source_.next(change.name + 1)).is("=") &&
           !is_named(variable, change.value_first, change.value_last);
  }
  return false;
}

void ThreadVariables::find_kept() {
  for (Known& variable : variables_) {
    if (uniform_.contains(at(variable.name).text) || variable.is_repeatable) continue;
    for (std::size_t k = 0; k < regions_.size(); ++k)
      variable.is_kept |= static_cast<int>(k) != variable.region && is_used(variable, regions_[k]) &&
                          !is_set_first(variable, regions_[k]);
    if (variable.is_kept && !can_be_kept(variable)) understood_ = false;
  }
}

// An object may hold its own address, or an array. One that is const can't be written by way of either.
bool ThreadVariables::has_known_type(const Known& variable) const {
  return variable.is_plain || variable.is_pointer ||
         (variable.type_first == variable.type_last &&
          type_parameters_.contains(at(variable.type_first).text)) ||
         is_constant(variable);
}

bool ThreadVariables::is_constant(const Known& variable) const {
  return variable.is_parameter && kernel_.is_kernel && !variable.is_pointer && !variable.is_reference &&
         has_word(source_, variable.type_first, variable.type_last, "const");
}

bool ThreadVariables::can_be_kept(const Known& variable) const {
  if (variable.is_array && (variable.is_pointer || variable.is_auto || variable.is_parameter ||
                            at(source_.next(source_.next(variable.name + 1) + 1)).is("]")))
    return false;
  if (variable.is_array &&
      !is_fit_for_block(variable.name + 1,
                        variable.value_first < 0 ? variable.last : variable.value_first - 1))
    return false;
  if (variable.is_reference || (!variable.is_parameter && variable.region < 0)) return false;
  if (has_known_type(variable)) return true;
  bool is_dependent = false;  // then the compiler decides by condition()
  for (int i = variable.type_first; i <= variable.type_last; ++i)
    is_dependent |= type_parameters_.contains(at(i).text);
  return is_dependent && kernel_.is_template && !variable.is_parameter;
}

std::string ThreadVariables::condition() const {
  std::string condition;
  for (const Known& variable : variables_)
    if (variable.is_kept && !has_known_type(variable))
      condition += std::string(condition.empty() ? "" : " && ") + "::std::is_arithmetic_v<" +
                   source_.text_of(variable.type_first, variable.type_last) + ">";
  return condition;
}

bool ThreadVariables::keeps_addresses() const {
  // A function that is given a pointer may be given a variable's address.
  if (!kernel_.is_kernel) return true;
  return passes_pointers_ || std::any_of(variables_.begin(), variables_.end(), [&](const Known& variable) {
           return variable.is_kept && (variable.is_pointer || variable.is_auto ||
                                       (!variable.is_plain && has_known_type(variable)));
         });
}

}  // namespace warplab::translator
