#pragma once

#include <cstddef>
#include <cstdint>

// What launchers, adapter and problem of lab 11 have to agree on. For host and device code.

inline constexpr std::int64_t quicksort_max_keys = 1'000'000'000;
/// More launches from kernels than this are not asked for: each takes memory of the device while it waits.
inline constexpr std::int64_t quicksort_max_pending = 32'768;

/// The number of the pattern whose keys are made against the rung's own pivots while it runs.
inline constexpr int quicksort_killer_own = 11;

/// The next multiple of 256 bytes.
constexpr std::size_t quicksort_aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// How many times n > 0 can be halved.
constexpr int quicksort_log2(std::int64_t n) {
  int log = 0;
  for (; n > 1; n /= 2) ++log;
  return log;
}

/// Where level_synchronous keeps what in its workspace. Offsets are in bytes.
struct QuicksortLevels {
  static constexpr int base = 1024;  ///< quicksort_base
  static constexpr int tile = 2048;  ///< keys that a block partitions at a time
  std::int64_t levels, max_segments, max_tiles, max_ranges;
  std::size_t counters, segments, tiles, ranges, bytes;  ///< the keys come first

  constexpr QuicksortLevels(std::int64_t n, std::size_t key_bytes)
      : levels(2 * quicksort_log2(n / base + 1) + 2),
        max_segments(n / base + 1),
        max_tiles(n / tile + max_segments),
        max_ranges(2 * levels * max_segments + 1),
        counters(quicksort_aligned(static_cast<std::size_t>(n) * key_bytes)),
        segments(counters + quicksort_aligned(static_cast<std::size_t>(2 * levels + 3) * sizeof(int))),
        tiles(segments + quicksort_aligned(2 * static_cast<std::size_t>(max_segments) * 40)),
        ranges(tiles + quicksort_aligned(2 * static_cast<std::size_t>(max_tiles) * 8)),
        bytes(ranges + quicksort_aligned(static_cast<std::size_t>(max_ranges) * 12)) {}
};

/// What open_contract has to work with: two more arrays of keys, and some room for counters.
constexpr std::size_t quicksort_open_workspace(std::int64_t n, std::size_t key_bytes) {
  return 2 * quicksort_aligned(static_cast<std::size_t>(n) * key_bytes) + 65'536;
}

/// Where radix keeps what in its workspace. Offsets are in bytes.
struct QuicksortRadix {
  static constexpr int digits = 256, block = 256;
  std::int64_t passes, tile, tiles;
  std::size_t counts, tickets, states, bytes;  ///< the keys come first

  constexpr QuicksortRadix(std::int64_t n, std::size_t key_bytes)
      : passes(static_cast<std::int64_t>(key_bytes)),
        tile(block * (key_bytes == 4 ? 16 : 8)),
        tiles((n + tile - 1) / tile),
        counts(quicksort_aligned(static_cast<std::size_t>(n) * key_bytes)),
        tickets(counts + static_cast<std::size_t>(passes) * digits * sizeof(unsigned)),
        states(tickets + 256),
        bytes(states + static_cast<std::size_t>(passes * tiles) * digits * sizeof(unsigned)) {}
};
