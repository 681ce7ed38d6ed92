#include "emulator/src/checker/structures.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "warplab_emulator/lens_markers.hpp"

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

unsigned copy_width(std::size_t bytes, std::uint64_t address, unsigned least) noexcept {
  if (bytes <= largest_known) {
    const unsigned known = alignments[bytes].load(std::memory_order_relaxed) & ~(least - 1);
    if (known != 0) return known & -known;
  }
  if (least > 1) return static_cast<unsigned>(bytes);
  const std::uint64_t ends = bytes | address;
  return ends % 4 == 0 ? 4 : ends % 2 == 0 ? 2 : 1;
}

}  // namespace lens
}  // namespace warplab::emulator
