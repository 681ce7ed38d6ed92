#pragma once

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Tells the lens how the structures that device functions use are aligned, and, if `with_padding`, which of
/// their bytes are padding: it decides how they are copied.
void mark_structures(const Source& source, const DeviceCode& code, bool with_padding, Edits& edits);

}  // namespace warplab::translator
