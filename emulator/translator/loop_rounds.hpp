#pragma once

#include <string>

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/known_names.hpp"

namespace warplab::translator {

/// The parts in which nvcc goes through the loop of that keyword, as an expression for LensLoop, where
/// its iterations can be counted before it; "" where they can't.
/// @param end the last token of its body. @param edits so far: how names of the hardware are written
std::string rounds_expression(const Source& source, const Function& function, const DeviceCode& code,
                              const KnownNames& known, const Edits& edits, int keyword, int end);

/// The iterations of that loop as an expression for lens_unrolling(), which is 0 where only the kernel knows
/// them.
std::string known_iterations_expression(const Source& source, const KnownNames& known, const Edits& edits,
                                        int keyword, int end);

}  // namespace warplab::translator
