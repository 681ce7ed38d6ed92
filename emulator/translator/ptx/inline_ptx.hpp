#pragma once

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Whether token `i` begins an asm statement.
bool is_asm(const Source& source, int i);

/// Turns the asm statement at token `i`, inline PTX in device code, into C++.
/// @throws std::runtime_error for what is not PTX of the emulator's subset
void rewrite_inline_ptx(const Source& source, int i, Edits& edits);

}  // namespace warplab::translator
