#include "lens/structures.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "warplab_emulator/lens_markers.hpp"

namespace warplab::emulator {
namespace {

// The least alignment among the structures of a size, by size; 0 where none is known.
constexpr std::size_t largest_known = 1024;
std::array<std::atomic<unsigned char>, largest_known + 1> alignments{};

}  // namespace

LensStructure::LensStructure(std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes > largest_known) return;
  const auto wanted = static_cast<unsigned char>(std::min<std::size_t>(alignment, 16));
  unsigned char known = alignments[bytes].load();
  while ((known == 0 || wanted < known) && !alignments[bytes].compare_exchange_weak(known, wanted)) {
  }
}

namespace lens {

unsigned copy_width(std::size_t bytes, std::uint64_t address) noexcept {
  if (bytes <= largest_known)
    if (const unsigned known = alignments[bytes].load(std::memory_order_relaxed); known != 0) return known;
  if (bytes == 16) return 16;  // a vector type
  const std::uint64_t ends = bytes | address;
  return ends % 4 == 0 ? 4 : ends % 2 == 0 ? 2 : 1;
}

}  // namespace lens
}  // namespace warplab::emulator
