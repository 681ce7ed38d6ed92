#pragma once

#include <optional>

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/known_names.hpp"
#include "emulator/translator/loop_head.hpp"

namespace warplab::translator {

/// What `while (n > 12) { ...; n -= 12; }`, `do ... while (--n)` and `for (; i < n; ++i)` have for a head:
/// they begin with the value that a local variable has before them.
/// @return nothing if another loop is around it, or if not every iteration changes the variable by one step
std::optional<LoopHead> read_counting_loop(const Source& source, const Function& function,
                                           const DeviceCode& code, const KnownNames& known, int keyword);

}  // namespace warplab::translator
