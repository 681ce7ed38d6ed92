#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace warplab {

/// What memory that nobody has written holds: a NaN as half, float and double, and an improbable integer.
inline constexpr std::uint32_t poison_word = 0xFFFBFFFBu;

/// The poison's byte at an offset from the start of a buffer.
constexpr std::byte poison_byte(std::size_t offset) {
  return std::byte((poison_word >> (offset % 4 * 8)) & 0xFF);
}

/// Fills host memory with poison.
inline void fill_poison(std::span<std::byte> bytes) {
  constexpr std::size_t chunk = 4096;  // of large arrays by memcpy, which is many times faster
  const std::size_t first = std::min(bytes.size(), chunk);
  for (std::size_t i = 0; i < first; ++i) bytes[i] = poison_byte(i);
  for (std::size_t i = first; i < bytes.size(); i += chunk)
    std::memcpy(&bytes[i], bytes.data(), std::min(chunk, bytes.size() - i));
}

/// The offset of the first byte that is not poison, or bytes.size().
inline std::size_t first_not_poison(std::span<const std::byte> bytes) {
  std::size_t i = 0;
  while (i < bytes.size() && bytes[i] == poison_byte(i)) ++i;
  return i;
}

}  // namespace warplab
