#include "emulator/translator/regions/variables.hpp"

#include <algorithm>
#include <array>

#include "emulator/translator/regions/words.hpp"

namespace warplab::translator {
namespace {

bool begins_other_declaration(std::string_view word) {
  static constexpr std::array<std::string_view, 14> words{
      "static",        "using",    "typedef", "enum",   "union", "alignas",      "__align__",
      "__attribute__", "decltype", "extern",  "struct", "class", "thread_local", "register"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

class VariableReader : private TokenReader {
 public:
  VariableReader(const Source& source, int first, int last) : TokenReader(source), at_(first), last_(last) {}

  Reading read(std::vector<Variable>& variables) {
    if (at(at_).is("[") && at(at_ + 1).is("[")) step_to(at(at_).partner + 1);  // [[maybe_unused]]
    if (begins_other_declaration(at(at_).text)) return Reading::unclear;
    if (!at(at_).is_name() || starts_expression(at(at_).text)) return Reading::none;
    const bool begins_type = is_plain_type(at(at_).text) || is_qualifier(at(at_).text);
    if (!read_type()) return begins_type ? Reading::unclear : Reading::none;
    for (bool is_first = true;; is_first = false) {
      const int mark = at_;
      Variable variable = type_;
      if (!read_declarator(variable)) {
        const bool is_call = is_first && !begins_type && mark == at_;
        return is_call ? Reading::none : Reading::unclear;
      }
      variables.push_back(variable);
      if (at(at_).is(";")) return at_ == last_ ? Reading::read : Reading::unclear;
      step_to(at_ + 1);
    }
  }

  bool read_parameter(Variable& parameter) {
    if (!read_type()) return false;
    parameter = type_;
    return read_declarator(parameter) && at_ == last_;
  }

 private:
  void step_to(int i) { at_ = source_.next(i); }

  bool read_type() {
    bool found = false, of_one_word = false;
    type_.type_first = at_;
    for (; at_ >= 0 && at_ < last_; step_to(at_ + 1)) {
      const Token& token = at(at_);
      if (is_qualifier(token.text)) {
        type_.is_constexpr |= token.is("constexpr");
        if (token.is("volatile") || token.is("extern")) return false;
      } else if (is_plain_type(token.text) && !of_one_word) {
        if (at(source_.next(at_ + 1)).is(":")) return false;
        found = type_.is_plain = true;
        type_.is_auto |= token.is("auto");
      } else if (!found && token.is_name() && !begins_other_declaration(token.text)) {
        if (!read_name_of_type()) return false;
        found = of_one_word = true;
      } else {
        break;
      }
      type_.type_last = at_;
    }
    return found && at_ >= 0;
  }

  /// `a::Name<int>::type`, to its last token.
  bool read_name_of_type() {
    for (;;) {
      type_.is_plain = is_plain_type(at(at_).text);  // std::uint32_t
      int after = source_.next(at_ + 1);
      if (at(after).is("<")) {
        int depth = 0;
        for (; after >= 0 && after < last_; after = source_.next(after + 1)) {
          depth += at(after).is("<") ? 1 : at(after).is(">") ? -1 : 0;
          if (at(after).is(";") || at(after).is("{") || at(after).is("=")) return false;
          if (at(after).is("(")) after = at(after).partner;
          if (depth == 0) break;
        }
        if (depth != 0) return false;
        type_.is_plain = false;
        at_ = after;
        after = source_.next(after + 1);
      }
      if (!at(after).is(":") || !at(after + 1).is(":")) return true;
      step_to(after + 2);
      if (!at(at_).is_name()) return false;
    }
  }

  bool read_declarator(Variable& variable) {
    variable.first = at_;
    for (; at(at_).is("*") || at(at_).is("&") || is_qualifier(at(at_).text); step_to(at_ + 1)) {
      variable.is_pointer |= at(at_).is("*");
      variable.is_reference |= at(at_).is("&");
    }
    if (!at(at_).is_name()) {
      at_ = variable.first;
      return false;
    }
    variable.name = at_;
    variable.last = at_;
    step_to(at_ + 1);
    while (at(at_).is("[")) {
      variable.is_array = true;
      variable.last = at(at_).partner;
      step_to(variable.last + 1);
    }
    return read_value(variable);
  }

  bool read_value(Variable& variable) {
    if (ends_declarator()) return true;
    const bool bracket = at(at_).is("(") || at(at_).is("{");
    if (bracket) {
      variable.value_first = at_ + 1;
      variable.value_last = at(at_).partner - 1;
      variable.last = at(at_).partner;
      step_to(variable.last + 1);
      return ends_declarator();
    }
    if (!at(at_).is("=") || at(at_ + 1).is("=")) return false;
    variable.value_first = source_.next(at_ + 1);
    for (; !ends_declarator(); step_to(at_ + 1)) {
      if (at_ < 0 || at_ >= last_) return false;
      if (at(at_).is("(") || at(at_).is("{") || at(at_).is("["))
        at_ = at(at_).partner;
      else if (at(at_).is("<"))
        skip_template_arguments();
      variable.last = variable.value_last = at_;
    }
    return true;
  }

  /// In `f<a, b>(c)`, not in `a < b`.
  void skip_template_arguments() {
    for (int j = at_; j >= 0 && j < last_; j = source_.next(j + 1)) {
      if (at(j).is(";") || at(j).is("=") || at(j).is("&") || at(j).is("|")) return;
      if (at(j).is("(")) j = at(j).partner;
      if (at(j).is(">") && at(source_.next(j + 1)).is("(")) {
        at_ = j;
        return;
      }
    }
  }

  bool ends_declarator() const { return at_ == last_ || at(at_).is(",") || at(at_).is(";"); }

  int at_, last_;
  Variable type_;
};

}  // namespace

Reading read_variables(const Source& source, int first, int last, std::vector<Variable>& variables) {
  return VariableReader(source, first, last).read(variables);
}

bool read_parameters(const Source& source, int open, std::vector<Variable>& parameters) {
  const int close = source.at(open).partner;
  int first = source.next(open + 1), depth = 0;
  if (first == close || (source.at(first).is("void") && source.next(first + 1) == close)) return true;
  for (int i = first; i <= close; i = source.next(i + 1)) {
    depth += source.at(i).is("<") ? 1 : source.at(i).is(">") ? -1 : 0;
    if (i != close && (source.at(i).is("(") || source.at(i).is("["))) i = source.at(i).partner;
    if (i != close && (!source.at(i).is(",") || depth > 0)) continue;
    Variable parameter;
    // One without a name is used by nobody.
    if (VariableReader(source, first, i).read_parameter(parameter))
      parameters.push_back(parameter);
    else if (has_word(source, first, i - 1, "(") ||  // float (&rows)[4]
             (source.at(source.previous(i - 1)).is_name() && source.previous(i - 1) != first &&
              !is_plain_type(source.at(source.previous(i - 1)).text)))
      return false;
    if (i == close) break;
    first = source.next(i + 1);
  }
  return true;
}

std::string type_to_keep(const Source& source, const Variable& variable) {
  std::string type;
  for (int i = variable.type_first; i <= variable.type_last; i = source.next(i + 1)) {
    const Token& token = source.at(i);
    if (token.is("constexpr") || (token.is("const") && !variable.is_pointer)) continue;
    if (token.is("__grid_constant__") || token.is("__restrict__") || token.is("__restrict")) continue;
    if (token.is_name() && !type.empty()) type += ' ';
    type += token.text;
  }
  for (int i = variable.first; i < variable.name; i = source.next(i + 1))
    if (source.at(i).is("*")) type += '*';
  for (int i = source.next(variable.name + 1); source.at(i).is("[");
       i = source.next(source.at(i).partner + 1))
    type += source.text_of(i, source.at(i).partner);
  return type;
}

}  // namespace warplab::translator
