#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator::lens {

/// The width of the accesses, 1 to 16 bytes, by which a GPU copies a structure of `bytes` that lies at
/// `address`, and that the compiler announced as a range: its alignment, as the instrumented build announced
/// it, else a good guess.
unsigned range_width(std::size_t bytes, std::uint64_t address) noexcept;

/// The same of 16 bytes that the compiler announced as one access, as it does for all that is aligned to 8
/// bytes or more: 8 or 16. Where structures of both alignments are in use, it is what the address allows.
unsigned width_of_16_bytes(std::uint64_t address) noexcept;

}  // namespace warplab::emulator::lens
