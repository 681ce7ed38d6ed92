#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/src/recorder/arithmetic.hpp"

namespace warplab::emulator::lens {

class BlockRecorder;

inline constexpr unsigned warp_size = 32;

/// The first lane of a mask that is not 0.
inline unsigned lowest(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

/// What an event of a lane is about.
enum class EventKind : std::uint8_t {
  global_load,
  global_store,
  shared_load,
  shared_store,
  shared_copy,  ///< a write of shared memory by cp.async or st.async
  constant_load,
  local_load,
  local_store,
  global_atomic,
  shared_atomic,
  branch
};

/// Whether lanes of a warp that use atomics on one address may be served together.
enum class AtomicUse : std::uint8_t { whole_warp, each_lane };

/// Something that a thread did and that its warp may have done together.
struct Event {
  std::uint64_t key;      ///< the same for lanes that do it together: calls, loop iterations and instruction
  std::uint64_t address;  ///< for local memory, the offset in its array; for a branch, the way it took
  std::uint32_t code;     ///< the instruction, from the beginning of its module
  std::uint16_t bytes;
  EventKind kind;
  std::uint8_t array;  ///< for local memory: which one; for atomics in global memory: an AtomicUse
};

/// One recorded CUDA thread.
struct Lane {
  struct Loop {
    std::uint64_t outside;  ///< the path before it
    std::uint64_t number, iteration;
  };
  struct Array {
    std::uintptr_t begin;
    std::size_t bytes;
    std::uint8_t number;
  };

  BlockRecorder* block = nullptr;
  Event* next = nullptr;  ///< where its next event goes
  Event* end = nullptr;
  std::uint64_t path = 0;  ///< the calls and iterations that it is in
  unsigned thread = 0;     ///< within its block
  std::uint64_t steps = 0;
  std::uint64_t waits = 0;     ///< for barriers in shared memory and named ones
  std::uint64_t named = 0;     ///< barriers that it came to other than that of the block
  const void* code = nullptr;  ///< where it was last seen
  Arithmetic arithmetic;
  std::vector<Loop> loops;
  std::vector<std::uint64_t> calls;  ///< the path before each call that it is in
  std::vector<Array> arrays;         ///< of its own, on its stack

  /// The last accesses that were announced, for guarded code, which must announce each.
  struct Announced {
    std::uintptr_t address;
    std::size_t bytes;
  };
  std::array<Announced, 16> announced{};
  unsigned announcements = 0;
  void announce(const void* address, std::size_t bytes_) {
    announced[announcements++ % announced.size()] = {reinterpret_cast<std::uintptr_t>(address), bytes_};
  }
  /// Where the last atomic operation is that was announced, and how many accesses it may still take: an
  /// addition of floats reads, and then compares and swaps.
  std::uintptr_t atomic = 0;
  unsigned atomic_left = 0;
  void expect_atomic(const void* address) {
    atomic = reinterpret_cast<std::uintptr_t>(address);
    atomic_left = 2;
  }
  bool take_atomic(std::uintptr_t address, std::size_t bytes_) {
    const std::uintptr_t word = atomic & ~std::uintptr_t{3};  // a half is changed by its word
    if (atomic_left == 0 || (address != atomic && (address != word || bytes_ != 4))) return false;
    --atomic_left;
    return true;
  }
  bool has_announced(std::uintptr_t address, std::size_t bytes_) const {
    // The last one, as a rule.
    for (std::size_t back = 1; back <= announced.size(); ++back) {
      const Announced& a = announced[(announcements - back) % announced.size()];
      if (address - a.address < a.bytes && bytes_ <= a.bytes - (address - a.address)) return true;
    }
    return false;
  }
};

/// The lane that the calling OS thread runs, or null while nothing is recorded.
extern constinit thread_local Lane* current_lane;

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  a = (a ^ b) * 0x9fb21c651e98df25ull;
  return a ^ (a >> 32);
}

}  // namespace warplab::emulator::lens
