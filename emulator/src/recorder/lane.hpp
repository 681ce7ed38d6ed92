#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/src/recorder/arithmetic.hpp"
#include "emulator/src/recorder/warp.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"
#include "warplab_emulator/lens/lens_rounds.hpp"

namespace warplab::emulator::lens {

class BlockRecorder;

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
  table_loads,  ///< all that a call of sin() or its kin reads
  branch
};

inline bool is_local(EventKind kind) {
  return kind == EventKind::local_load || kind == EventKind::local_store;
}
inline bool is_shared(EventKind kind) {
  return kind == EventKind::shared_load || kind == EventKind::shared_store ||
         kind == EventKind::shared_copy || kind == EventKind::shared_atomic;
}

/// Whether lanes of a warp that use atomics on one address may be served together.
enum class AtomicUse : std::uint8_t { whole_warp, each_lane };

/// When a thread loads the address of a table of coefficients, which is a word of constant memory.
enum class TableAddress : std::uint16_t { at_each_call, before_the_loop, is_known };
/// Of 16 bytes, side by side, that a call of sin() or its kin makes. Its event has the first of them.
constexpr unsigned loads_of_table = 3;

/// Something that a thread did and that its warp may have done together.
struct Event {
  std::uint64_t key;      ///< the same for lanes that do it together: calls, loop iterations and instruction
  std::uint64_t address;  ///< for local memory, see LocalPlace; for a branch, the way it took
  std::uint32_t code;     ///< the instruction, from the beginning of its module
  /// For atomics in global memory: an AtomicUse; for tables: a TableAddress; for loads and stores: the Body
  /// that it is in, or 0 where nothing may be joined with it.
  std::uint16_t detail;
  std::uint8_t bytes;
  EventKind kind : 4;
  std::uint8_t depth : 4;  ///< how many loops are around it, at most `deepest`

  static constexpr std::size_t deepest = 15;
};

/// A place in an array of a thread, as an address.
struct LocalPlace {
  static std::uint64_t address(std::uint8_t array, std::uint64_t offset) {
    return std::uint64_t{array} << 48 | offset;
  }
  static std::uint8_t array(std::uint64_t address) { return static_cast<std::uint8_t>(address >> 48); }
};

/// Straight-line code, once nvcc has unrolled the loops around. A lane counts the pieces that it comes to.
struct Body {
  static constexpr std::uint16_t numbers = 511;  ///< 9 bits, without 0
  static constexpr std::uint16_t turns = 16;     ///< 4 bits: places so far apart are aligned alike
  std::uint16_t number = 1;
  std::uint16_t position = 0;  ///< 0, or in a loop that is unrolled by four: 1 to 4
  std::uint16_t turn = 0;      ///< of loops that are unrolled wholly

  std::uint16_t packed() const { return static_cast<std::uint16_t>(number << 7 | place()); }
  /// Which of the copies that unrolling makes of an instruction.
  std::uint16_t place() const { return static_cast<std::uint16_t>(turn << 3 | position); }
  static Body unpacked(std::uint16_t detail) {
    return {static_cast<std::uint16_t>(detail >> 7), static_cast<std::uint16_t>(detail & 7),
            static_cast<std::uint16_t>(detail >> 3 & 15)};
  }
};

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  a = (a ^ b) * 0x9fb21c651e98df25ull;
  return a ^ (a >> 32);
}

/// Where in a loop's parts an iteration is.
struct RoundsPlace {
  std::uint64_t part;       ///< 0: rounds, or a loop without parts
  std::uint64_t iteration;  ///< of the part, from 0
};
inline RoundsPlace place_in(const LensRounds& rounds, std::uint64_t iteration) {
  const std::uint64_t rest = rounds.iterations & ((std::uint64_t{1} << rounds.logarithm) - 1),
                      whole = rounds.iterations - rest;
  if (rounds.remainder == LensRounds::none) return {0, iteration};
  if (rounds.remainder == LensRounds::first) {
    if (iteration < rest) return {1, iteration};
    iteration -= rest;
  } else if (iteration >= whole) {
    return {1, iteration - whole};
  }
  if (rounds.by_sixteen == 0) return {0, iteration};
  // Sixteen iterations at a time while more than twelve are left, eight once if more than four are.
  const std::uint64_t sixteens = (whole + 3) / 16 * 16, eights = whole - sixteens > 4 ? 8 : 0;
  if (iteration < sixteens) return {2, iteration};
  if (iteration < sixteens + eights) return {3, iteration - sixteens};
  return {0, iteration - sixteens - eights};
}

/// What mix() was given beside b.
inline std::uint64_t unmix(std::uint64_t mixed, std::uint64_t b) noexcept {
  constexpr std::uint64_t inverse = 0x2ab9c720d1024adull;  // of mix()'s factor, modulo 2^64
  return ((mixed ^ (mixed >> 32)) * inverse) ^ b;
}

/// Where a lane is in the code.
struct Paths {
  std::uint64_t whole = 0;     ///< the calls and iterations that it is in
  std::uint64_t unrolled = 0;  ///< of the iterations only those of loops that nvcc unrolls wholly
};

/// What a thread begins with.
struct LaneState {
  BlockRecorder* block = nullptr;
  Event* next = nullptr;  ///< where its next event goes
  Event* end = nullptr;
  Paths path;
  std::uint64_t condition = 0;  ///< number of the last `if` of this iteration, or 0
  bool condition_holds = false;
  Body body;
  unsigned thread = 0;  ///< within its block
  std::uint64_t steps = 0;
  std::uint64_t waits = 0;     ///< for barriers in shared memory and named ones
  std::uint64_t named = 0;     ///< barriers that it came to other than that of the block
  const void* code = nullptr;  ///< where it was last seen
  Arithmetic arithmetic;
  /// The last store to shared memory, if the lane has not used shared memory otherwise since. In a loop nvcc
  /// keeps such an element in a register, and stores it once.
  struct Store {
    std::uint64_t address = 0, loop = 0, waits = 0;
    std::uint32_t code = 0;
    bool operator==(const Store&) const = default;
  };
  Store last_store;
  /// The last store to any memory, in a loop that nvcc unrolls: what the next iteration loads of it is still
  /// in a register, where iterations store to elements one after another.
  struct Carried {
    std::uintptr_t address = 0;
    std::uint64_t loop = 0, iteration = 0, waits = 0;
    unsigned bytes = 0;
    bool follows = false;  ///< the element after one that was just stored or loaded
  };
  Carried carried;
  std::array<std::uintptr_t, 4> loaded{};  ///< the last places
  unsigned loads = 0;
  std::size_t moved = 0;    ///< bytes of a structure that is being moved from memory to memory, or 0
  bool is_guarded = false;  ///< guarded code must announce each access, and nobody else asks
  unsigned announcements = 0;
  /// Where the last atomic operation is that was announced, and how many accesses it may still take: an
  /// addition of floats reads, and then compares and swaps.
  std::uintptr_t atomic = 0;
  unsigned atomic_left = 0;
};

/// One recorded CUDA thread. Its lists keep their memory from block to block.
struct Lane : LaneState {
  struct Loop {
    Paths outside;  ///< before it
    std::uint64_t number, iteration;
    LensUnrolling unrolling;
    LensRounds rounds;
    Body body;                                    ///< before it
    const void* code;                             ///< where it begins
    std::size_t calls;                            ///< that are around it
    bool has_branch = false;                      ///< within an iteration; choices between values are none
    bool has_loop = false;                        ///< inside, that nvcc does not unroll wholly
    bool knows_table = false;                     ///< has loaded its address
    bool in_remainder = false;                    ///< iterations that are left over when several are one
    std::uint64_t entered_at = 0, turned_at = 0;  ///< how often the block had met; of the last iteration
    /// Whether the lane was in the loop at that meeting of the block, and has begun an iteration since.
    bool has_turned_since(std::uint64_t meeting) const {
      return entered_at < meeting && turned_at >= meeting;
    }
    /// Whether surely no iteration has an instruction of its own that no other one has.
    bool is_a_loop_for_sure() const {
      return unrolling == LensUnrolling::never ||
             (rounds.remainder != LensRounds::none && unrolling != LensUnrolling::whole);
    }
  };
  struct Array {
    std::uintptr_t begin;
    std::size_t bytes;
    std::uint8_t number;
  };

  /// The sizes of structures that it has loaded, or got as a parameter.
  std::vector<std::size_t> loaded_structures;
  bool has_loaded(std::size_t structure) const {
    return std::ranges::find(loaded_structures, structure) != loaded_structures.end();
  }
  void note_structure(std::size_t structure) {
    if (structure <= LensStructure::largest && !has_loaded(structure)) loaded_structures.push_back(structure);
  }
  void forget_stores() {
    last_store = {};
    carried = {};
  }
  std::vector<Loop> loops;
  struct Call {
    Paths outside;     ///< before it
    const void* code;  ///< that calls
  };
  std::vector<Call> calls;    ///< that it is in
  std::vector<Array> arrays;  ///< of its own, on its stack

  /// Starts as a thread of a block.
  void begin(BlockRecorder& recorder, unsigned number, bool guarded) {
    static constexpr LaneState fresh{};
    static_cast<LaneState&>(*this) = fresh;
    block = &recorder;
    thread = number;
    is_guarded = guarded;
    loaded_structures.clear();
    loops.clear();
    calls.clear();
    arrays.clear();
  }
  void enter_loop(std::uint64_t number, LensUnrolling unrolling, const LensRounds& rounds) {
    if (unrolling != LensUnrolling::whole)
      for (Loop& around : loops) around.has_loop = true;
    loops.push_back({path, number, 0, unrolling, rounds, body, code, calls.size()});
  }
  bool is_in_loop_turned_since(std::uint64_t meeting) const {
    return std::ranges::any_of(loops, [&](const Loop& loop) { return loop.has_turned_since(meeting); });
  }
  void enter_call(const void* caller) {
    calls.push_back({path, caller});
    const auto call = reinterpret_cast<std::uintptr_t>(caller);
    path = {mix(path.whole, call), mix(path.unrolled, call)};
  }
  void leave_call() {
    if (calls.empty()) return;
    path = calls.back().outside;
    calls.pop_back();
  }

  /// A call or a loop that it is in, and at the end where it was last seen.
  struct Stage {
    std::uintptr_t code;
    std::uint64_t iteration;
    auto operator<=>(const Stage&) const = default;
  };
  /// From the outside inwards. Compilers keep the order of the source, so those of a lane that has come less
  /// far are smaller.
  std::vector<Stage> stages() const {
    std::vector<Stage> stages;
    std::size_t call = 0;
    const auto add = [&](const void* at, std::uint64_t iteration) {
      stages.push_back({reinterpret_cast<std::uintptr_t>(at), iteration});
    };
    const auto add_calls = [&](std::size_t until) {
      for (; call < std::min(until, calls.size()); ++call) add(calls[call].code, 0);
    };
    for (const Loop& loop : loops) {
      add_calls(loop.calls);
      add(loop.code, loop.iteration);
    }
    add_calls(calls.size());
    add(code, 0);
    return stages;
  }
  /// @pre in a loop, like the next
  void next_iteration() {
    Loop& loop = loops.back();
    const RoundsPlace at = place_in(loop.rounds, loop.iteration++);
    constexpr std::uint64_t number_of_part = std::uint64_t{1} << 32;  // loops' numbers are smaller
    path.whole = mix(mix(loop.outside.whole, loop.number + 1 + at.part * number_of_part), at.iteration + 1);
    condition = 0;
    if (loop.unrolling == LensUnrolling::whole) {
      path.unrolled = mix(mix(loop.outside.unrolled, loop.number + 1), loop.iteration);
      body.turn = (body.turn + 1) % Body::turns;
      return;
    }
    loop.in_remainder = at.part == 1;
    const bool by_four = loop.unrolling == LensUnrolling::by_four && !loop.in_remainder;
    const unsigned round = loop.rounds.logarithm == 1 ? 2 : 4;
    const auto place = static_cast<std::uint16_t>(by_four ? at.iteration % round : 0);
    if (place == 0) end_body();
    body.position = static_cast<std::uint16_t>(by_four ? place + 1 : 0);
    body.turn = 0;
  }
  void leave_loop() {
    const Loop& loop = loops.back();
    path = loop.outside;
    condition = 0;
    if (loop.unrolling != LensUnrolling::whole) {
      end_body();
      body.position = loop.body.position;
      body.turn = loop.body.turn;
    }
    loops.pop_back();
  }
  /// A call needs the address of a table. nvcc has it loaded before a loop with neither loops nor branches
  /// inside, once for all calls.
  TableAddress need_table() {
    for (auto loop = loops.rbegin(); loop != loops.rend() && !loop->has_branch; ++loop) {
      if (loop->unrolling == LensUnrolling::whole) continue;
      if (loop->has_loop) break;
      return std::exchange(loop->knows_table, true) ? TableAddress::is_known : TableAddress::before_the_loop;
    }
    return TableAddress::at_each_call;
  }
  /// Nothing before this can be joined with what follows.
  void end_body() { body.number = static_cast<std::uint16_t>(body.number % Body::numbers + 1); }

  /// The last accesses that were announced.
  struct Announced {
    std::uintptr_t address;
    std::size_t bytes;
  };
  std::array<Announced, 16> announced;
  void announce(const void* address, std::size_t bytes_) {
    if (!is_guarded) return;
    announced[announcements++ % announced.size()] = {reinterpret_cast<std::uintptr_t>(address), bytes_};
  }
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
    for (std::size_t back = 1; back <= std::min<std::size_t>(announcements, announced.size()); ++back) {
      const Announced& a = announced[(announcements - back) % announced.size()];
      if (address - a.address < a.bytes && bytes_ <= a.bytes - (address - a.address)) return true;
    }
    return false;
  }
};

/// The lane that the calling OS thread runs, or null while nothing is recorded.
extern constinit thread_local Lane* current_lane;

}  // namespace warplab::emulator::lens
