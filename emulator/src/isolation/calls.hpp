#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator::isolation {

/// Whether the bytes lie in an exception of guarded code, which may touch them now.
bool is_exception(std::uintptr_t address, std::size_t bytes, bool write) noexcept;

}  // namespace warplab::emulator::isolation
