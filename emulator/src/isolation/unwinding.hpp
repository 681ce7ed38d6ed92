#pragma once

namespace warplab::emulator::isolation {

/// Whether this is the address of what goes through a function's call sites when an exception passes: the C++
/// library's, or guarded code's.
bool is_personality(const void* code) noexcept;

}  // namespace warplab::emulator::isolation
