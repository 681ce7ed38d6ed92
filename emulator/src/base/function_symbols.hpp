#pragma once

namespace warplab::emulator {

/// The linker's name of a function of the program, mangled where the language mangles it.
/// @return `otherwise` where the program was stripped of its names; both live as long as the program
const char* symbol_of(const void* function, const char* otherwise);

}  // namespace warplab::emulator
