#include "emulator/src/checker/checker_state.hpp"

#include <algorithm>
#include <cstring>

#include "emulator/src/block/worker.hpp"
#include "emulator/src/checker/race_text.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator::lens {
namespace {

// The share of the memory limit for words that are looked at byte by byte.
constexpr std::size_t split_share = 4;

// Whether all the bytes hold what fresh memory is filled with. An address is any
// byte's: the pattern has a phase.
bool is_poison(std::uintptr_t address, std::size_t bytes) {
  const auto* const memory = reinterpret_cast<const unsigned char*>(address);
  if (bytes == 4 && address % 4 == 0) {
    unsigned word;
    std::memcpy(&word, memory, 4);
    return word == poison_word;
  }
  for (std::size_t i = 0; i < bytes; ++i)
    if (memory[i] != static_cast<unsigned char>(poison_word >> (8 * ((address + i) % 4)))) return false;
  return true;
}

// One or two bytes may have the pattern's value by chance: then their neighbours must have it too.
bool is_surely_poison(std::uintptr_t address, unsigned bytes, std::uintptr_t begin, std::uintptr_t end) {
  if (!is_poison(address, bytes)) return false;
  if (bytes > 2) return true;
  const std::uintptr_t first = std::max(address & ~std::uintptr_t{15}, begin);
  const std::uintptr_t last = std::min((address & ~std::uintptr_t{15}) + 16, end);
  return is_poison(first, last - first);
}

bool same_thread(const AccessStamp& a, const AccessStamp& b) {
  return a.block() == b.block() && a.thread() == b.thread();
}

bool same_warp(const AccessStamp& a, const AccessStamp& b) {
  return a.block() == b.block() && a.warp() == b.warp();
}

}  // namespace

void CheckedBlock::begin(std::uint32_t number, uint3 place, unsigned threads,
                         const Checker::SharedWindow& window) {
  index = place;
  layout.begin(window);
  cells.clear();
  splits.clear();
  clock.begin(number, threads);
  reads_flags = false;
  proxy_fences.clear();
  make_cells();
}

void CheckedBlock::make_cells() {
  if (layout.cells() > cells.size()) cells.resize(layout.cells());
}

Checker::State::State(const Setup& of_launch)
    : setup(of_launch),
      threads(static_cast<unsigned>(count_in(of_launch.block))),
      shadow(of_launch.memory_limit - of_launch.memory_limit / split_share),
      splits(of_launch.memory_limit / split_share) {}

uint3 Checker::State::thread_index(unsigned thread) const { return place_in(setup.block, thread); }

CheckedBlock* Checker::State::neighbour_of(std::uintptr_t address) const {
  for (const auto& [handle, other] : blocks)
    if (other->layout.is_shared(address)) return other.get();
  return nullptr;
}

std::uint32_t Checker::State::owner_of(std::uintptr_t object) const {
  if (block->layout.is_shared(object)) return block->clock.block();
  const CheckedBlock* const other = blocks.size() > 1 ? neighbour_of(object) : nullptr;
  return other != nullptr ? other->clock.block() : HappensBefore::all_blocks;
}

std::string Checker::State::place(const Access& access) const {
  if (access.shared && access.home != block)
    return "of " + access.home->layout.name(access.address) + " of block " + format(access.home->index);
  return access.shared ? "of " + block->layout.name(access.address)
                       : "at " + describe_address(reinterpret_cast<const void*>(access.address));
}

Mistake* Checker::State::add_mistake(FindingKind kind, const Access& access, const void* other,
                                     int distance) {
  Mistake* const mistake = mistakes.add(kind, access.code, other, distance);
  if (mistake == nullptr) return nullptr;
  mistake->block = block->index;
  mistake->thread = thread_index(access.thread);
  return mistake;
}

void Checker::State::misplace(const Access& access) {
  if (const auto known = misplaced.find(access.code); known != misplaced.end()) {
    mistakes.add(known->second, access.code, nullptr);
    return;
  }
  const Misplaced why = access.shared ? access.home->layout.explain(access.address, access.bytes)
                                      : explain_global(access.address, access.bytes, setup);
  misplaced.emplace(access.code, why.kind);
  if (Mistake* const mistake = add_mistake(why.kind, access)) {
    mistake->hint = why.hint;
    mistake->plain_read_on_host = why.on_host && !access.writes && access.manner == Manner::plain;
    mistake->text = std::string(access.writes ? "writes " : "reads ") + std::to_string(access.bytes) +
                    (access.bytes == 1 ? " byte" : " bytes") + why.text;
  }
}

void Checker::State::misalign(const Access& access, unsigned alignment) {
  if (Mistake* const mistake = add_mistake(FindingKind::misaligned, access)) {
    mistake->hint = Hint::wider_type_at_odd_offset;
    mistake->text = std::string(access.writes ? "writes " : "reads ") + std::to_string(access.bytes) +
                    " bytes " + place(access) + ", whose address is not a multiple of " +
                    std::to_string(alignment) +
                    ": a GPU stops there. Is the pointer cast to a wider type, at an odd offset?";
  }
}

void Checker::State::check_words(Access& access, const GlobalRange* range) {
  access.stamp = AccessStamp::make(access.code, access.thread, 0, access.manner,
                                   block->clock.tick(access.thread), block->clock.block());
  if (access.reads) {
    if (is_poison(access.address, access.bytes)) {
      const GlobalRange around = range != nullptr ? *range : access.home->layout.around(access.address);
      access.poison = is_surely_poison(access.address, access.bytes, around.begin, around.end);
      access.stamp.where |= access.poison;
    }
  }
  SplitCells& split = access.shared ? access.home->splits : splits;
  const std::uintptr_t end = access.address + access.bytes;
  for (std::uintptr_t word = access.address & ~std::uintptr_t{3}; word < end; word += 4) {
    unsigned bytes = 15;
    if (word < access.address) bytes &= 15u << (access.address - word);
    if (end - word < 4) bytes &= 15u >> (4 - (end - word));
    Cell* cell;
    if (access.shared) {
      cell = &access.home->cells[access.home->layout.cell(word)];
    } else {
      ++global_words;
      cell = shadow.at(word);
      if (cell == nullptr) {
        ++unwatched_words;
        continue;
      }
    }
    check(*cell, bytes, access, split);
  }
  if (access.poison && !access.written) check_poison(access);
}

void Checker::State::check(Cell& cell, unsigned bytes, Access& access, SplitCells& split) {
  if (!SplitCells::is_split(cell) && access.writes && cell.write.present() && cell.write.bytes() != bytes &&
      (bytes != 15))
    split.split(cell);
  if (SplitCells::is_split(cell)) {
    std::array<Cell, 4>& parts = split.of(cell);
    for (unsigned byte = 0; byte < 4; ++byte)
      if (bytes >> byte & 1u) check(parts[byte], 1u << byte, access, split);
    return;
  }
  const AccessStamp now = access.stamp.of_bytes(bytes);
  if (cell.write.bytes() & bytes) {
    access.written = true;
    if (!happens_before.surely_ordered(cell.write, block->clock, access.thread))
      check_order(cell.write, true, access);
    if (access.manner == Manner::bulk && access.reads && access.shared &&
        happens_before.ordered(cell.write, block->clock, access.thread))
      check_proxy(cell.write, access);
  }
  const auto is_surely_before = [&](const AccessStamp& before) {
    return happens_before.surely_ordered(before, block->clock, access.thread);
  };
  if (synchronises(access.manner) && (cell.plain_write.bytes() & bytes) &&
      !is_surely_before(cell.plain_write)) {
    check_order(cell.plain_write, true, access);
    cell.plain_write = {};  // once will do
  }
  if (!access.writes) return read(cell, now);
  if (!synchronises(access.manner))
    cell.plain_write = {};
  else if (cell.write.present() && !synchronises(cell.write.manner()) && is_surely_before(cell.write))
    cell.plain_write = cell.write;
  for (AccessStamp& before : cell.reads) {
    if ((before.bytes() & bytes) == 0) continue;
    if (!happens_before.surely_ordered(before, block->clock, access.thread))
      check_order(before, false, access);
    if ((before.bytes() & ~bytes) == 0) before = {};
  }
  cell.write = now;
}

// Two reads are kept: of different threads, and of different warps where there are such, so that whoever
// writes next collides with one of them.
void Checker::State::read(Cell& cell, const AccessStamp& now) {
  for (AccessStamp& slot : cell.reads) {
    if (!slot.present() || ((slot.bytes() & ~now.bytes()) == 0 &&
                            happens_before.surely_ordered(slot, block->clock, now.thread()))) {
      slot = now;
      return;
    }
    if (same_thread(slot, now)) return;  // other bytes of the word, earlier in the same thread
  }
  AccessStamp* const slots = cell.reads;
  (same_warp(slots[0], now) && !same_warp(slots[1], now) ? slots[0] : slots[1]) = now;
}

void Checker::State::check_order(const AccessStamp& before, bool before_writes, const Access& access) {
  const bool same_block = before.block() == block->clock.block();
  if (synchronises(before.manner()) && synchronises(access.manner)) {
    const bool lock_step = before.manner() == Manner::flagged && access.manner == Manner::flagged &&
                           access.shared && same_block && before.warp() == access.thread / 32;
    if (!lock_step) return;
  }
  if (happens_before.ordered(before, block->clock, access.thread)) return;
  if (!same_block && block->reads_flags && (!setup.all_blocks || happens_before.has_lost()) &&
      happens_before.block(before.block()).released)
    return;  // a block that nobody saw may be between the two
  if (same_block && block->reads_flags && happens_before.is_full()) return;  // what ordered them may be lost
  if (before_writes && access.bytes <= 16) {
    if (is_pending(access)) return;  // further words of the same access
    const bool swap_follows =
        before.manner() == Manner::atomic && !access.writes && access.manner == Manner::plain;
    const bool same_value =
        access.writes && before.manner() != Manner::atomic && access.manner != Manner::atomic;
    if ((swap_follows || same_value) && pending[access.thread].size() < max_pending) {
      Pending& race = pending[access.thread].emplace_back(Pending{same_value, access, before, {}});
      std::memcpy(race.value.data(), reinterpret_cast<const void*>(access.address), access.bytes);
      return;
    }
  }
  report_race(before, before_writes, access);
}

bool Checker::State::is_pending(const Access& access) const {
  const auto found = pending.find(access.thread);
  return found != pending.end() &&
         std::any_of(found->second.begin(), found->second.end(), [&](const Pending& race) {
           return race.access.address == access.address && race.access.code == access.code;
         });
}

// A compare-and-swap looks again at what was read: the read is harmless if what it saw is what the swap
// expects, for then the swap fails where it was stale. Any other atomic goes on with whatever was read.
void Checker::State::will_swap(unsigned thread, std::uintptr_t address, std::size_t bytes,
                               std::uint64_t expected) {
  const auto found = pending.find(thread);
  if (found == pending.end()) return;
  std::erase_if(found->second, [&](const Pending& race) {
    return !race.same_value && race.access.address == address && race.access.bytes == bytes &&
           std::memcmp(race.value.data(), &expected, bytes) == 0;
  });
}

// Writing what is there already harms nobody. Other reads and atomics may come between a read and the swap
// that looks again.
void Checker::State::decide(unsigned thread, const Access* next) {
  const auto found = pending.find(thread);
  if (found == pending.end()) return;
  std::vector<Pending> races = std::move(found->second);
  pending.erase(found);
  std::vector<Pending> open;
  for (const Pending& race : races) {
    if (race.same_value && std::memcmp(race.value.data(), reinterpret_cast<const void*>(race.access.address),
                                       race.access.bytes) == 0)
      continue;
    const bool may_precede_swap = next != nullptr && (next->manner == Manner::atomic || !next->writes) &&
                                  next->address != race.access.address;
    if (!race.same_value && may_precede_swap)
      open.push_back(race);
    else
      report_race(race.before, true, race.access);
  }
  if (!open.empty()) pending.emplace(thread, std::move(open));
}

void Checker::State::report_race(const AccessStamp& before, bool before_writes, const Access& access) {
  if (before.saw_poison() && access.writes) mistakes.explain_poison(before.code());
  const bool same_block = before.block() == block->clock.block();
  const Race::Distance distance = !same_block                           ? Race::Distance::grid
                                  : before.warp() == access.thread / 32 ? Race::Distance::warp
                                                                        : Race::Distance::block;
  // Of threads far apart more is asked than of near ones: __syncwarp() would fix a part.
  Mistake* const mistake = add_mistake(FindingKind::race, access, before.code(), static_cast<int>(distance));
  if (mistake == nullptr) return;
  Race race;
  race.writes = access.writes;
  race.other_writes = before_writes;
  race.manner = access.manner;
  race.other_manner = before.manner();
  race.distance = distance;
  race.bytes = access.bytes;
  race.shared = access.shared;
  race.block = block->index;
  race.thread = mistake->thread;
  race.other_block = mistake->other_block = happens_before.block(before.block()).index;
  race.other_thread = mistake->other_thread = thread_index(before.thread());
  race.place = place(access);

  const VectorClocks::Sync* const mine = block->clock.find_sync(access.thread);
  const VectorClocks::Sync* const others = same_block ? block->clock.find_sync(before.thread()) : nullptr;
  const SyncAccess touch = others != nullptr ? others->write
                           : same_block      ? SyncAccess{}
                                             : happens_before.block(before.block()).write;
  if (mine != nullptr && touch.object != 0 && touch.object == mine->read.object &&
      before.tick <= touch.tick && touch.object != (access.address & ~std::uintptr_t{3})) {
    race.fence_missing = true;
    mistake->through = touch.code;
  }
  mistake->text = describe(race);
  mistake->hint = hint_of(race);
  if (race.manner == Manner::plain && race.other_manner == Manner::plain)
    mistake->text_of_update = describe_update(race);
}

// A fence by the writing thread after its write counts, or one by the reading
// thread once it knows of the write.
void Checker::State::check_proxy(const AccessStamp& write, const Access& access) {
  if (write.manner() == Manner::bulk || write.block() != block->clock.block()) return;
  const std::vector<Tick>& fences = block->proxy_fences;
  if (!fences.empty() && (write.tick <= fences[write.thread()] || write.tick <= fences[access.thread]))
    return;
  Mistake* const mistake = add_mistake(FindingKind::proxy_fence, access, write.code());
  if (mistake == nullptr) return;
  mistake->hint = Hint::proxy_fence_before_barrier;
  mistake->other_thread = thread_index(write.thread());
  mistake->text = "an asynchronous copy or product reads " + std::to_string(access.bytes) + " bytes " +
                  place(access) + " that thread " + format(mistake->other_thread) +
                  " stores at {other}, with no fence.proxy.async in between: it may see what was there "
                  "before. Each thread that has stored executes fence.proxy.async.shared::cta, before the "
                  "barrier that the copy waits for";
}

void Checker::State::check_poison(const Access& access) {
  Mistake* const mistake = add_mistake(FindingKind::uninitialised_read, access);
  if (mistake == nullptr) return;
  mistake->hint = access.shared ? Hint::shared_memory_not_set : Hint::global_memory_not_set;
  mistake->text = std::string(access.manner == Manner::atomic ? "changes atomically " : "reads ") +
                  std::to_string(access.bytes) + (access.bytes == 1 ? " byte " : " bytes ") + place(access) +
                  (access.shared ? ", which no thread of the block has written: shared memory starts with "
                                   "whatever was left there. Is "
                                   "the part beyond the tile's edge set to 0, and by enough threads?"
                                 : ", which nobody has written: cudaMalloc does not clear memory. Is a "
                                   "cudaMemcpy or cudaMemset missing, or too short?");
}

void Checker::State::synchronise(const Access& access) {
  const std::uintptr_t object = access.address & ~std::uintptr_t{3};
  const std::uint32_t owner = access.shared ? access.home->clock.block() : HappensBefore::all_blocks;
  VectorClocks& clock = block->clock;
  VectorClocks::Sync& sync = clock.sync(access.thread);
  if (access.reads) {
    block->reads_flags = true;
    sync.read = {object, access.code, 0};
    happens_before.acquire(object, owner, clock, access.thread);
  }
  if (access.writes) {
    const SyncAccess touch{object, access.code, clock.tick(access.thread)};
    sync.write = happens_before.block(clock.block()).write = touch;
    if (auto known = clock.released_by(access.thread))
      happens_before.release(object, owner, std::move(known));
    clock.advance(access.thread);  // so that what follows is told from what precedes it
  }
}

}  // namespace warplab::emulator::lens
