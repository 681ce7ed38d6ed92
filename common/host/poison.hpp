#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace warplab {

/// What memory that nobody has written holds: a NaN as half, float and double, and an improbable integer.
inline constexpr std::uint32_t poison_word = 0xFFFBFFFBu;

/// What the guard zones of one buffer hold: NaNs as well, but others than those of the buffers before it, so
/// that what is copied from one zone to another, or added to it, shows.
inline std::uint32_t next_guard_word() {
  static std::atomic<std::uint32_t> count{0};
  const std::uint32_t low = 0x81 + count++ % 0x79;  // below the poison's, and no byte that is often written
  return 0xFF00FF00u | low << 16 | low;
}

/// The pattern's byte at an offset from its start.
constexpr std::byte poison_byte(std::size_t offset, std::uint32_t word = poison_word) {
  return std::byte((word >> (offset % 4 * 8)) & 0xFF);
}

/// Fills host memory with poison, or with another word.
inline void fill_poison(std::span<std::byte> bytes, std::uint32_t word = poison_word) {
  constexpr std::size_t chunk = 4096;  // of large arrays by memcpy, which is many times faster
  const std::size_t first = std::min(bytes.size(), chunk);
  for (std::size_t i = 0; i < first; ++i) bytes[i] = poison_byte(i, word);
  for (std::size_t i = first; i < bytes.size(); i += chunk)
    std::memcpy(&bytes[i], bytes.data(), std::min(chunk, bytes.size() - i));
}

/// The offset of the first byte that is not poison, or not of another word, or bytes.size().
inline std::size_t first_not_poison(std::span<const std::byte> bytes, std::uint32_t word = poison_word) {
  std::size_t i = 0;
  while (i < bytes.size() && bytes[i] == poison_byte(i, word)) ++i;
  return i;
}

}  // namespace warplab
