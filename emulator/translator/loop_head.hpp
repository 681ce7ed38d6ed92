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

/// The head of `for (int i = from; i < to; i += step)`.
struct LoopHead {
  int name;                   ///< token of the variable, where it gets its first value
  std::string_view variable;  ///< its name
  TokenRange type;            ///< empty if the loop does not declare it
  TokenRange from, to;
  TokenRange step;             ///< empty for `++i` and the like
  bool reaches_end = false;    ///< `i <= to`
  bool is_unequal = false;     ///< `i != to`
  bool goes_down = false;      ///< `--i`, `i -= step`
  bool counts_beside = false;  ///< a second variable begins at a number: `int i = first, k = 0`
};

/// Of the loop whose `for` that token is; nothing if its head has another form.
std::optional<LoopHead> read_loop_head(const Source& source, int keyword);

/// Whether the name at token i gets another value there: `i = 1`, `i += 2`, `++i`.
bool is_changed(const Source& source, int i);

}  // namespace warplab::translator
