#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Calls that do not name the function which runs: by way of a pointer, a reference, a pointer to a member, a
/// template's parameter or an object. It reads tokens: in doubt a call is one.
class UnnamedCalls : private TokenReader {
 public:
  explicit UnnamedCalls(const Source& source);

  /// Whether a function's name, at token i, is where no call is: its address is taken, or it is an argument.
  bool is_address(int i) const;

  /// Whether the parenthesis at token i begins such a call.
  bool begins_at(int i) const;

  /// Whether it does by way of a pointer that may come from another file: one that is declared `extern`, or
  /// that is declared as a pointer to a function.
  bool is_by_extern(int i) const { return is_by(i, extern_); }
  bool is_by_pointer(int i) const { return is_by(i, pointers_); }

 private:
  void note_alias(int keyword);
  void note_declared(int i);
  bool follows_type(int i) const;
  bool is_by(int open, const std::set<std::string_view>& names) const;
  bool is_type_here(int i) const;
  bool is_variable(int name) const;
  bool is_value_in_parentheses(int close) const;

  std::set<std::string_view> types_;      ///< classes, aliases, types that are parameters of templates
  std::set<std::string_view> variables_;  ///< also members, and parameters of functions and templates
  std::set<std::string_view> pointers_;   ///< to functions: of variables, and of types
  std::set<std::string_view> extern_;     ///< `extern __device__` variables
};

}  // namespace warplab::translator
