#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator::lens {

/// The width of the accesses, 1 to 16 bytes, by which a GPU copies a structure of `bytes` that lies at
/// `address`: its alignment, as the instrumented build announced it, else a good guess.
/// @param least what the compiler knows its alignment to be, at least
unsigned copy_width(std::size_t bytes, std::uint64_t address, unsigned least = 1) noexcept;

}  // namespace warplab::emulator::lens
