#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/src/checker/address_map.hpp"
#include "emulator/src/checker/checker.hpp"
#include "emulator/src/checker/happens_before.hpp"
#include "emulator/src/checker/mistake_list.hpp"
#include "emulator/src/checker/shadow_memory.hpp"

namespace warplab::emulator::lens {

/// A block that runs, or has run and waits to be used again.
struct CheckedBlock {
  explicit CheckedBlock(std::size_t limit) : splits(limit) {}
  void begin(std::uint32_t number, uint3 index, unsigned threads, const Checker::SharedWindow& window);
  /// Makes cells for all its shared memory.
  void make_cells();

  uint3 index{};
  SharedLayout layout;
  std::vector<Cell> cells;  ///< of its shared memory
  SplitCells splits;
  VectorClocks clock;
  bool reads_flags = false;  ///< atomics or volatile words
  /// By thread: when it last made what it had written known to the asynchronous proxy. Empty until one does.
  std::vector<Tick> proxy_fences;
};

/// One access while it is looked at.
struct Access {
  std::uintptr_t address;
  unsigned bytes, thread;
  const void* code;
  Manner manner;
  bool reads, writes, shared;
  CheckedBlock* home = nullptr;  ///< the block whose shared memory it is to, the thread's own as a rule
  bool poison = false;           ///< the bytes hold what memory is filled with before use
  bool written = false;          ///< some of them were written by a thread that was seen
  AccessStamp stamp;             ///< with no bytes yet
};

/// All that a checker knows of a launch: of its memory, its blocks and what it has found.
struct Checker::State {
  explicit State(const Setup& of_launch);

  Setup setup;
  unsigned threads;
  GlobalRanges ranges;
  ShadowMemory shadow;
  SplitCells splits;
  HappensBefore happens_before;
  MistakeList mistakes;
  std::unordered_map<int, std::unique_ptr<CheckedBlock>> blocks;
  std::vector<std::unique_ptr<CheckedBlock>> idle;
  CheckedBlock* block = nullptr;
  std::uint64_t global_words = 0, unwatched_words = 0;
  std::unordered_map<const void*, FindingKind> misplaced;  ///< accesses known to go astray, and how

  /// The other block whose shared memory an address is in, or null.
  CheckedBlock* neighbour_of(std::uintptr_t address) const;
  /// The block whose shared memory a synchronisation object is in, or all of them.
  std::uint32_t owner_of(std::uintptr_t object) const;
  void misplace(const Access& access);
  void misalign(const Access& access, unsigned alignment);
  void check_words(Access& access, const GlobalRange* range);
  void check(Cell& cell, unsigned bytes, Access& access, SplitCells& splits);
  void read(Cell& cell, const AccessStamp& now);
  void check_order(const AccessStamp& before, bool before_writes, const Access& access);
  void check_proxy(const AccessStamp& write, const Access& access);
  void check_poison(const Access& access);
  void synchronise(const Access& access);

  /// Races that are known to be one, or none, only when their thread has gone on.
  struct Pending {
    bool same_value;  ///< it may write what is there already; else a swap that expects `value` may follow
    Access access;
    AccessStamp before;
    std::array<std::byte, 16> value;
  };
  static constexpr std::size_t max_pending = 4;                ///< of a thread
  std::unordered_map<unsigned, std::vector<Pending>> pending;  ///< by thread
  bool is_pending(const Access& access) const;
  /// Threads wait for one another, or another block goes on.
  void settle() {
    while (!pending.empty()) decide(pending.begin()->first, nullptr);
  }
  /// A thread goes on, perhaps with an access.
  void settle(unsigned thread, const Access* next = nullptr) {
    if (!pending.empty()) decide(thread, next);
  }
  void decide(unsigned thread, const Access* next);
  void will_swap(unsigned thread, std::uintptr_t address, std::size_t bytes, std::uint64_t expected);
  void report_race(const AccessStamp& before, bool before_writes, const Access& access);
  Mistake* add_mistake(FindingKind kind, const Access& access, const void* other = nullptr, int distance = 0);
  std::string place(const Access& access) const;  ///< "of 'tile' (byte 4)", "at byte 4 of a ..."
  uint3 thread_index(unsigned thread) const;
};

}  // namespace warplab::emulator::lens
