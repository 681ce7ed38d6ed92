#pragma once

#include <optional>
#include <vector>

#include "emulator/translator/code/token.hpp"
#include "emulator/translator/regions/warp_calls.hpp"

namespace warplab::translator {

/// A statement of a kernel's body, as far as barriers make it necessary to look into it.
struct Statement {
  enum class Kind {
    plain,     ///< with no barrier in it, nor a warp's function
    exchange,  ///< an expression or a declaration that calls a warp's functions
    barrier,
    jump,  ///< `break;` or `continue;` of a loop with barriers
    block,
    for_loop,
    while_loop,
    do_loop,
    branch
  };
  Kind kind = Kind::plain;
  int first = -1, last = -1;         ///< tokens
  int open = -1;                     ///< of a loop or branch: the parenthesis of its head
  std::vector<WarpCall> calls;       ///< of an exchange
  std::vector<Statement> body;       ///< of all kinds from `block` on
  std::vector<Statement> otherwise;  ///< after `else`
};

/// The statements between tokens first and last. Those with barriers or a warp's functions in them are taken
/// apart, and so are branches that leave a loop with such.
/// @return nothing for what is not understood: labels, `goto`, a switch with barriers, a warp's function in a
/// condition
std::optional<std::vector<Statement>> read_statements(const Source& source, const WarpCalls& calls, int first,
                                                      int last);

}  // namespace warplab::translator
