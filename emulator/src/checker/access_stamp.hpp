#pragma once

#include <cstdint>

namespace warplab::emulator::lens {

/// How an access was written: plainly, through a volatile pointer, as an atomic, or as part of a bulk copy.
enum class Manner : std::uint8_t { plain, flagged, atomic, bulk };

/// Whether threads may synchronise through such an access.
inline bool synchronises(Manner manner) { return manner == Manner::flagged || manner == Manner::atomic; }

/// One access as shadow memory keeps it: its epoch (thread and tick), and by which code. All zero where there
/// was none.
struct AccessStamp {
  static constexpr std::uint64_t code_mask = (std::uint64_t{1} << 48) - 1;

  std::uint64_t who = 0;  ///< code: 48 bits, thread: 10, bytes of the word: 4, manner: 2
  std::uint32_t tick = 0;
  std::uint32_t where = 0;  ///< block: 31 bits, whether it read what nobody wrote: 1

  static AccessStamp make(const void* code, unsigned thread, unsigned bytes, Manner manner,
                          std::uint32_t tick, std::uint32_t block) {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(code) & code_mask;
    return {address | std::uint64_t{thread} << 48 | std::uint64_t{bytes} << 58 |
                static_cast<std::uint64_t>(manner) << 62,
            tick, block << 1};
  }

  /// The same access, of these bytes of the word.
  AccessStamp of_bytes(unsigned bytes) const {
    AccessStamp stamp = *this;
    stamp.who = (stamp.who & ~(std::uint64_t{15} << 58)) | std::uint64_t{bytes} << 58;
    return stamp;
  }

  bool present() const { return who != 0; }
  const void* code() const { return reinterpret_cast<const void*>(who & code_mask); }
  unsigned thread() const { return static_cast<unsigned>(who >> 48) & 1023u; }
  unsigned warp() const { return thread() / 32; }
  unsigned bytes() const { return static_cast<unsigned>(who >> 58) & 15u; }
  Manner manner() const { return static_cast<Manner>(who >> 62); }
  std::uint32_t block() const { return where >> 1; }
  bool saw_poison() const { return where & 1; }
};

/// What is remembered of 4 bytes of memory: the last write, and two reads since. If that write synchronises,
/// also the last one that does not: an atomic of the same thread must not hide it from those of others.
struct Cell {
  AccessStamp write;
  AccessStamp reads[2];
  AccessStamp plain_write;
};

}  // namespace warplab::emulator::lens
