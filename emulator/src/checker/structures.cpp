#include "emulator/src/checker/structures.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator {
namespace {

// The alignments of the structures of a size, by size; 1 to 16, or'ed together.
constexpr std::size_t largest_known = 1024;
std::array<std::atomic<unsigned char>, largest_known + 1> alignments{};

}  // namespace

LensStructure::LensStructure(std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes <= largest_known)
    alignments[bytes] |= static_cast<unsigned char>(std::min<std::size_t>(alignment, 16));
}

namespace lens {

unsigned range_width(std::size_t bytes, std::uint64_t address) noexcept {
  if (bytes <= largest_known) {
    // The compiler announces what has 16 bytes, and is aligned to 8 or more, as one access.
    const unsigned known = alignments[bytes].load(std::memory_order_relaxed) & (bytes == 16 ? 7u : 31u);
    if (known != 0) return known & -known;
  }
  const std::uint64_t ends = bytes | address;
  return ends % 4 == 0 ? 4 : ends % 2 == 0 ? 2 : 1;
}

unsigned width_of_16_bytes(std::uint64_t address) noexcept {
  const unsigned known = alignments[16].load(std::memory_order_relaxed);
  if ((known & 8) == 0) return 16;
  return (known & 16) != 0 && address % 16 == 0 ? 16 : 8;
}

}  // namespace lens
}  // namespace warplab::emulator
