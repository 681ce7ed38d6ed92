#pragma once

#include <cstddef>
#include <cstdint>

namespace warplab::emulator::lens {

/// The width of the accesses, 1 to 16 bytes, by which a GPU copies a structure of `bytes` that lies at
/// `address`, and that the compiler announced as a range: its alignment, as the instrumented build announced
/// it, else a good guess.
unsigned range_width(std::size_t bytes, std::uint64_t address) noexcept;

/// The same of 16 bytes that the compiler announced as one access, as it does for all that is aligned to 8
/// bytes or more: 8 or 16. Where structures of both alignments are in use, it is that of those at the
/// address, or what the address allows.
/// @param alignment of the structures at the address, 1 if unknown
unsigned width_of_16_bytes(std::uint64_t address, std::uint32_t alignment) noexcept;
/// Whether structures of both alignments are in use.
bool has_16_bytes_of_both_alignments() noexcept;

/// Which padding of a structure a GPU accesses with its members.
enum class Padding : std::uint8_t {
  all,         ///< from memory to memory, by whole words
  at_the_end,  ///< of a structure that is loaded: not what lies between members
  none         ///< of one that a thread made
};

/// Whether structures of this size and alignment have padding.
bool has_padding(std::size_t bytes, unsigned alignment) noexcept;

/// Bytes of a structure: from where, and how many.
struct Piece {
  std::size_t begin;
  unsigned bytes;
};
/// What a GPU accesses of one step of a structure's copy. A step of nothing but padding stays.
/// @param alignment of the structure, a multiple of the step
Piece without_padding(const Piece& step, std::size_t bytes, unsigned alignment, Padding padding) noexcept;

}  // namespace warplab::emulator::lens
