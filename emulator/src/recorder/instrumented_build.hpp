#pragma once

#include <optional>
#include <string>

#include "emulator/src/recorder/launch_recorder.hpp"

namespace warplab::emulator::lens {

/// The instrumented build of the kernel whose code is `code`: in the module `<module>.lens.so` beside the one
/// that holds it, which is loaded at the first use, the function of the same name.
/// @return nothing, and why in `*reason`, if there is none
std::optional<InstrumentedKernel> find_instrumented(const void* code, std::string* reason);

/// The kernel whose instrumented code is `code`; `code` itself if it is not instrumented. Instrumented code
/// launches instrumented kernels.
const void* original_of(const void* code);

}  // namespace warplab::emulator::lens
