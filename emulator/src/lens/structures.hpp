#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator::lens {

/// The width of the accesses, 1 to 16 bytes, by which a GPU copies a structure of `bytes` that lies at
/// `address`: its alignment, if the twin has told it, else a good guess.
unsigned copy_width(std::size_t bytes, std::uint64_t address) noexcept;

}  // namespace warplab::emulator::lens
