// Loads, stores and atomics of a lane: what they are to, how wide, and which of them are none on a GPU.
#include <algorithm>
#include <utility>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/block/concurrent_blocks.hpp"
#include "emulator/src/block/fibers.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/checker/structures.hpp"
#include "emulator/src/copies/asynchronous_work.hpp"
#include "emulator/src/recorder/block_recorder.hpp"
#include "emulator/src/recorder/machine_code.hpp"
#include "emulator/src/recorder/memory_kind.hpp"

extern "C" void __tsan_read16(void*);
extern "C" void __tsan_read_range(void*, unsigned long);

namespace warplab::emulator::lens {
namespace {

bool is_volatile(AccessKind kind) {
  return kind == AccessKind::volatile_read || kind == AccessKind::volatile_write;
}

// Of `q[i] = p[i]` g++ announces both ends at once, the write first. After other writes the code stores,
// before it calls anything.
bool reads_at_once([[maybe_unused]] const void* write) {
#if defined(__x86_64__)
  const void* const called = next_call(static_cast<const std::byte*>(write) + 1);
  return called == reinterpret_cast<const void*>(&__tsan_read_range) ||
         called == reinterpret_cast<const void*>(&__tsan_read16);
#else
  return true;
#endif
}

}  // namespace

void BlockRecorder::add(Lane& lane, std::uint64_t address, unsigned bytes, EventKind kind, const void* code,
                        std::uint16_t detail, unsigned piece) {
  if (lane.next == lane.end) [[unlikely]]
    make_room(lane);
  const std::uint32_t offset = offset_of(code);
  Event& event = *lane.next++;
  event.key = mix(lane.path.whole, (std::uint64_t{offset} << 16) + piece);
  event.address = address;
  event.code = offset;
  event.detail = detail;
  event.bytes = static_cast<std::uint8_t>(bytes);
  event.kind = kind;
  event.depth = std::min(lane.loops.size(), Event::deepest) & Event::deepest;
  if (kind == EventKind::constant_load) launch_.constant_words().note(lane, offset, address);
}

void BlockRecorder::touch(Lane& lane, const void* address, unsigned bytes, AccessKind kind, const void* code,
                          AtomicUse use) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  lane.code = code;
  const Target target = find_target(lane, place, kind);
  if (target.own_array != nullptr)
    return touch_own_array(lane, *target.own_array, place, bytes, bytes, kind, code);
  if (target.is_own) return;
  const unsigned width = bytes == 16 && kind != AccessKind::atomic ? width_of_16(place) : bytes;
  const Padding padding = width < bytes
                              ? accessed_padding(lane, place, bytes, width, kind == AccessKind::write, code)
                              : Padding::all;
  if (worker_.copies == nullptr ||
      !is_under_way(lane, address, bytes, kind != AccessKind::read && kind != AccessKind::volatile_read,
                    code))
    launch_.checker().access(lane.thread, address, bytes, kind, code, width < bytes ? width : 0);
  if (!target.counts) return;
  const std::uint16_t detail = kind == AccessKind::atomic ? static_cast<std::uint16_t>(use)
                               : is_volatile(kind)        ? std::uint16_t{0}
                                                          : lane.body.packed();
  if (is_stored_again(lane, target, detail, code)) return;
  if (kind == AccessKind::atomic || is_volatile(kind))
    lane.carried = {};
  else if (is_carried(lane, place, bytes, kind == AccessKind::write))
    return;
  for (unsigned done = 0; done < bytes; done += width) {
    const Piece piece = without_padding({done, width}, bytes, width, padding);
    add(lane, target.address + piece.begin, piece.bytes, target.event, code, detail, done);
  }
}

unsigned BlockRecorder::width_of_16(std::uintptr_t place) const {
  return width_of_16_bytes(place,
                           has_16_bytes_of_both_alignments() ? launch_.alignment_of_structures(place) : 1);
}

// A structure on the stack is in registers, as far as nvcc is concerned; from memory to memory it moves whole
// words. In graded code padding counts: another structure of that size may have none.
Padding BlockRecorder::accessed_padding(Lane& lane, std::uintptr_t place, std::size_t bytes, unsigned width,
                                        bool write, const void* code) const {
  if (!has_padding(bytes, width) || isolation::active()) return Padding::all;
  const bool in_registers = place - stacks_begin_ < stacks_bytes_;
  if (write) {
    lane.moved = !in_registers && reads_at_once(code) ? bytes : 0;
    if (lane.moved != 0) return Padding::all;
    return lane.has_loaded(bytes) ? Padding::at_the_end : Padding::none;
  }
  if (std::exchange(lane.moved, 0) == bytes) return Padding::all;
  if (!in_registers) lane.note_structure(bytes);
  return Padding::at_the_end;
}

// Whether a loop stores to an element of shared memory that it has stored to in the iteration before, and
// nothing else has used shared memory meanwhile. g++ can't tell it from global memory.
bool BlockRecorder::is_stored_again(Lane& lane, const Target& target, std::uint16_t detail,
                                    const void* code) const {
  if (!is_shared(target.event)) return false;
  Lane::Store now;
  if (target.event == EventKind::shared_store && detail != 0 && !lane.loops.empty())
    now = {target.address, mix(lane.loops.back().outside.whole, lane.loops.back().number),
           meetings_ + lane.waits, offset_of(code)};
  const bool again = now.code != 0 && now == lane.last_store;
  lane.last_store = now;
  return again;
}

bool BlockRecorder::is_carried(Lane& lane, std::uintptr_t address, unsigned bytes, bool write) const {
  Lane::Carried now{.address = address, .waits = meetings_ + lane.waits, .bytes = bytes};
  const Lane::Carried& before = lane.carried;
  if (!lane.loops.empty()) {
    const Lane::Loop& loop = lane.loops.back();
    if (loop.unrolling == LensUnrolling::by_four && !loop.in_remainder && !loop.has_branch) {
      now.loop = mix(loop.outside.whole, loop.number + 1);
      now.iteration = loop.iteration;
    }
  }
  const bool is_alike =
      now.loop != 0 && now.loop == before.loop && now.bytes == before.bytes && now.waits == before.waits;
  const std::uint64_t later = now.iteration - before.iteration;
  if (!write) {
    lane.loaded[lane.loads++ % lane.loaded.size()] = address;
    // g++ may load for the next iteration at the end of this one.
    return is_alike && later <= 1 && before.follows && address == before.address;
  }
  const bool is_next = now.iteration == 1 ? now.waits == before.waits : is_alike && later == 1;
  now.follows = (is_next && address == before.address + bytes) ||
                std::ranges::find(lane.loaded, address - bytes) != lane.loaded.end();
  lane.carried = now;
  return false;
}

void BlockRecorder::swap(Lane& lane, const void* address, unsigned bytes, std::uint64_t expected,
                         const void* code) {
  launch_.checker().will_swap(lane.thread, address, bytes, expected);
  touch(lane, address, bytes, AccessKind::atomic, code);
}

// A structure that is copied whole: a GPU copies it in steps as wide as its alignment allows, and leaves out
// padding at both ends of a step.
void BlockRecorder::touch_range(Lane& lane, const void* address, std::size_t bytes, bool write,
                                const void* code) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const AccessKind kind = write ? AccessKind::write : AccessKind::read;
  const Target target = find_target(lane, place, kind);
  const unsigned width = range_width(bytes, place);
  const Padding padding = accessed_padding(lane, place, bytes, width, write, code);
  if (target.own_array != nullptr)
    return touch_own_array(lane, *target.own_array, place, bytes, width, kind, code);
  if (target.is_own) return;
  lane.code = code;
  if (is_shared(target.event)) lane.last_store = {};
  for (std::size_t done = 0; done < bytes;) {
    unsigned step = width;
    while (step > bytes - done) step /= 2;
    launch_.checker().access(lane.thread, static_cast<const std::byte*>(address) + done, step, kind, code);
    const Piece piece = without_padding({done, step}, bytes, width, padding);
    if (target.counts)
      add(lane, target.address + piece.begin, piece.bytes, target.event, code, lane.body.packed(),
          static_cast<unsigned>(done));
    done += step;
  }
}

// Nothing of the program's, so there is nothing to check. `address` is that in the table.
void BlockRecorder::read_table(Lane& lane, bool second, const void* code) {
  constexpr std::uint64_t row_bytes = 64;
  constexpr unsigned bytes = 16;
  lane.code = code;
  add(lane, second ? row_bytes : 0, bytes, EventKind::table_loads, code,
      static_cast<std::uint16_t>(lane.need_table()));
}

// What an access is to. Variables on the stack are registers of a GPU, except arrays in local memory.
BlockRecorder::Target BlockRecorder::find_target(const Lane& lane, std::uintptr_t place,
                                                 AccessKind kind) const {
  if (place - stacks_begin_ < stacks_bytes_) {
    for (const Lane::Array& array : lane.arrays)
      if (place - array.begin < array.bytes) return {.own_array = &array, .is_own = true};
    if (worker_.scheduler.on_current_stack(place)) return {.is_own = true};
  }
  const bool write = kind == AccessKind::write || kind == AccessKind::volatile_write;
  const EventKind shared_event = kind == AccessKind::atomic ? EventKind::shared_atomic
                                 : write                    ? EventKind::shared_store
                                                            : EventKind::shared_load;
  Target target{.address = place, .event = EventKind::global_load};
  if (place - shared_begin_ < shared_bytes_) {
    target.address = place - shared_begin_;
    target.event = shared_event;
    return target;
  }
  if (place - slots_begin_ < slots_bytes_) return {.is_own = true};
  const MemoryKind memory = memory_kind(reinterpret_cast<const void*>(place));
  if (memory == MemoryKind::unknown && worker_.grid != nullptr)
    if (const Worker* const owner = worker_.grid->owner_of_shared(reinterpret_cast<const void*>(place))) {
      if (owner->shared.is_closed()) return {.is_own = true};  // the access is a fault
      target.address = place - reinterpret_cast<std::uintptr_t>(owner->shared.begin());
      target.event = shared_event;
      return target;
    }
  target.is_own = memory == MemoryKind::own;
  target.counts = memory != MemoryKind::unknown;
  target.event = kind == AccessKind::atomic       ? EventKind::global_atomic
                 : write                          ? EventKind::global_store
                 : memory == MemoryKind::constant ? EventKind::constant_load
                                                  : EventKind::global_load;
  return target;
}

// An access to an array that may lie in local memory, in steps of `width` bytes. An atomic operation loads
// and stores.
void BlockRecorder::touch_own_array(Lane& lane, const Lane::Array& array, std::uintptr_t place,
                                    std::size_t bytes, unsigned width, AccessKind kind, const void* code) {
  const bool is_atomic = kind == AccessKind::atomic;
  const bool write = kind == AccessKind::write || kind == AccessKind::volatile_write;
  lane.code = code;
  if (is_atomic)
    lane.carried = {};
  else if (is_carried(lane, place, static_cast<unsigned>(bytes), write))
    return;
  const std::uint64_t offset = place - array.begin;
  launch_.note_element(lane, array.number, width, offset_of(code), offset);
  const auto add_steps = [&](EventKind event, unsigned first_piece) {
    for (std::size_t done = 0; done < bytes;) {
      unsigned step = width;
      while (step > bytes - done) step /= 2;
      add(lane, LocalPlace::address(array.number, offset + done), step, event, code, lane.body.packed(),
          first_piece + static_cast<unsigned>(done));
      done += step;
    }
  };
  if (is_atomic || !write) add_steps(EventKind::local_load, 0);
  if (is_atomic || write) add_steps(EventKind::local_store, is_atomic ? width : 0);
}

void BlockRecorder::add_array(Lane& lane, const void* begin, std::size_t bytes, bool surely_local,
                              const void* code) {
  const auto place = reinterpret_cast<std::uintptr_t>(begin);
  const std::uint8_t number = launch_.array_number(code, bytes, surely_local);
  for (Lane::Array& array : lane.arrays)
    if (array.begin == place || array.number == number) {
      array = {place, bytes, number};
      return;
    }
  lane.arrays.push_back({place, bytes, number});
}

}  // namespace warplab::emulator::lens
