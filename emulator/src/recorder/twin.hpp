#pragma once

#include <optional>
#include <string>

#include "emulator/src/recorder/launch_recorder.hpp"

namespace warplab::emulator::lens {

/// The twin of the kernel whose code is `code`: in the module `<module>.lens.so` beside the one that holds
/// it, which is loaded at the first use, the function of the same name. @return nothing, and why in
/// `*reason`, if there is none.
std::optional<Twin> find_twin(const void* code, std::string* reason);

/// The kernel whose twin is `code`; `code` itself if it is in no twin. A twin launches twins.
const void* original_of(const void* code);

}  // namespace warplab::emulator::lens
