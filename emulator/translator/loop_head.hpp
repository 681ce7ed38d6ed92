#pragma once

#include <optional>
#include <string_view>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Tokens from `begin` to before `end`.
struct TokenRange {
  int begin = 0, end = 0;
  bool is_empty() const { return begin >= end; }
};

/// The head of `for (int i = from; i < to; i += step)`, or what another loop has instead.
struct LoopHead {
  int name;                    ///< token of the variable, where it gets its first value
  std::string_view variable;   ///< its name
  int body;                    ///< its first token
  TokenRange type;             ///< empty if the loop does not declare it
  TokenRange from, to;         ///< `from` is empty where the loop begins with the value that the variable has
  TokenRange step;             ///< empty for `++i` and the like
  bool reaches_end = false;    ///< `i <= to`
  bool is_unequal = false;     ///< `i != to`
  bool goes_down = false;      ///< `--i`, `i -= step`
  bool counts_beside = false;  ///< a second variable begins at a number: `int i = first, k = 0`

  // Of loops that begin with the value that the variable has:
  int changed = -1;                 ///< token of the variable where it is changed
  int steps_ahead = 0;              ///< of what the first test compares: 1 in `while (++i < n)`
  bool starts_at_constant = false;  ///< the variable has just been set to one
  bool is_pointer = false;
};

/// Of the loop whose `for` that token is; nothing if its head has another form.
std::optional<LoopHead> read_loop_head(const Source& source, int keyword);

/// Reads the `< to` of `i < to`. @param sign where `<` is. @param end after the last token
/// @return whether it has one of the forms above
bool read_condition(const Source& source, int sign, int end, LoopHead& head);

/// Whether the name at token i gets another value there: `i = 1`, `i += 2`, `++i`.
bool is_changed(const Source& source, int i);

}  // namespace warplab::translator
