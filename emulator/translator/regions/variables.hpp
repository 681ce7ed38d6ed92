#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// A local variable or a parameter, as its declaration has it.
struct Variable {
  int name = -1;                          ///< token
  int type_first = -1, type_last = -1;    ///< tokens of the type, without `*`
  int first = -1, last = -1;              ///< tokens of the declarator: `*p = x + 1`
  int value_first = -1, value_last = -1;  ///< of its initial value, or -1
  bool is_pointer = false, is_reference = false, is_array = false, is_constexpr = false;
  bool is_auto = false;
  bool is_plain = false;  ///< a number, a vector of numbers
};

/// Whether a declaration was understood, or is none.
enum class Reading { none, read, unclear };

/// Reads a declaration of variables at tokens first to last, its semicolon.
/// @return none if it is a statement of another kind; unclear if that can't be told
Reading read_variables(const Source& source, int first, int last, std::vector<Variable>& variables);

/// The parameters of a function, between the parentheses of which `open` is the first.
/// @return false if one is not understood
bool read_parameters(const Source& source, int open, std::vector<Variable>& parameters);

/// The type of what is kept of a variable: no `const` of its own, no `constexpr`.
std::string type_to_keep(const Source& source, const Variable& variable);

}  // namespace warplab::translator
