#include "emulator/src/checker/structures.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator {
namespace {

constexpr std::size_t largest_known = LensStructure::largest;
constexpr unsigned widest = 16;

/// Of all structures of a size and an alignment: a bit for each unit that one of them has members in.
struct Members {
  std::atomic<std::uint64_t> made;
  std::atomic<std::uint64_t> loaded;  ///< with the padding that goes along when they are loaded
};

/// The structures of a size.
struct Structures {
  std::atomic<unsigned char> alignments;  ///< 1 to 16, or'ed together
  std::array<Members, std::bit_width(widest)> members;
};

std::array<Structures, largest_known + 1> structures{};

Members& members_of(std::size_t bytes, unsigned alignment) {
  return structures[bytes].members[static_cast<std::size_t>(std::countr_zero(alignment))];
}

std::uint64_t with_end(std::uint64_t members) {
  return members == 0 ? ~std::uint64_t{0} : members | ~(std::bit_floor(members) - 1);
}

}  // namespace

LensStructure::LensStructure(std::size_t bytes, std::size_t alignment, unsigned long long members,
                             bool nested) noexcept {
  if (bytes > largest_known || !std::has_single_bit(alignment)) return;
  const auto width = static_cast<unsigned>(std::min<std::size_t>(alignment, widest));
  structures[bytes].alignments |= static_cast<unsigned char>(width);
  members_of(bytes, width).made |= members;
  // Within a structure, padding at the end of a member goes along as well.
  members_of(bytes, width).loaded |= nested ? ~std::uint64_t{0} : with_end(members);
}

namespace lens {

unsigned range_width(std::size_t bytes, std::uint64_t address) noexcept {
  if (bytes <= largest_known) {
    // The compiler announces what has 16 bytes, and is aligned to 8 or more, as one access.
    const unsigned known =
        structures[bytes].alignments.load(std::memory_order_relaxed) & (bytes == 16 ? 7u : 31u);
    if (known != 0) return known & -known;
  }
  const std::uint64_t ends = bytes | address;
  return ends % 4 == 0 ? 4 : ends % 2 == 0 ? 2 : 1;
}

unsigned width_of_16_bytes(std::uint64_t address, std::uint32_t alignment) noexcept {
  const unsigned known = structures[16].alignments.load(std::memory_order_relaxed);
  if ((known & 8) == 0) return 16;
  return (known & 16) != 0 && address % 16 == 0 && alignment != 8 ? 16 : 8;
}

bool has_16_bytes_of_both_alignments() noexcept {
  return (structures[16].alignments.load(std::memory_order_relaxed) & 24) == 24;
}

bool has_padding(std::size_t bytes, unsigned alignment) noexcept {
  if (bytes > largest_known) return false;
  const std::uint64_t members = members_of(bytes, alignment).made.load(std::memory_order_relaxed);
  const std::size_t units = bytes / LensStructure::unit(bytes);
  return members != 0 && std::countr_one(members) < static_cast<int>(units);
}

Piece without_padding(const Piece& step, std::size_t bytes, unsigned alignment, Padding padding) noexcept {
  if (padding == Padding::all || !has_padding(bytes, alignment)) return step;
  const Members& known = members_of(bytes, alignment);
  const std::uint64_t members =
      (padding == Padding::none ? known.made : known.loaded).load(std::memory_order_relaxed);
  const std::size_t unit = LensStructure::unit(bytes);
  const auto has_members = [&](const Piece& piece) {
    for (std::size_t at = piece.begin; at < piece.begin + piece.bytes; at += unit)
      if ((members >> at / unit & 1) != 0) return true;
    return false;
  };
  Piece piece = step;
  while (piece.bytes > unit) {
    const Piece first{piece.begin, piece.bytes / 2}, second{piece.begin + piece.bytes / 2, piece.bytes / 2};
    if (has_members(first) == has_members(second)) break;
    piece = has_members(first) ? first : second;
  }
  return piece;
}

}  // namespace lens
}  // namespace warplab::emulator
