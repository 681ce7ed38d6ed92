#pragma once

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/known_names.hpp"

namespace warplab::translator {

/// Marks what the lens must know of a device function and can't see in its memory accesses: where each
/// iteration of a loop begins and how nvcc unrolls it, which way a branch goes, which local arrays are
/// indexed by what is known only when the kernel runs, which copies the compiler would do out of sight, and
/// whether a kernel's parameters may overlap. @param names of the file: found once
void mark_for_lens(const Source& source, const Function& function, const DeviceCode& code, NamesOfFile& names,
                   Edits& edits);

/// Has device functions inlined, as nvcc does with all it can: g++ hides from its hooks a
/// structure that is handed to a function or comes from it by value. Functions that must not be
/// inlined, or can't be, are left alone.
void inline_for_lens(const Source& source, const DeviceCode& code, Edits& edits);

}  // namespace warplab::translator
