#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator::strict {

/// Whether the bytes lie in an exception that guarded code makes and has not thrown yet.
bool is_exception(std::uintptr_t address, std::size_t bytes) noexcept;

}  // namespace warplab::emulator::strict
