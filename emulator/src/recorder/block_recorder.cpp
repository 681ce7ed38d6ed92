#include "emulator/src/recorder/block_recorder.hpp"
#include "emulator/src/memory/memory.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/base/source_lines.hpp"
#include "emulator/src/block/concurrent_blocks.hpp"
#include "emulator/src/block/faults.hpp"
#include "emulator/src/block/fibers.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/checker/mistake_list.hpp"
#include "emulator/src/checker/structures.hpp"
#include "emulator/src/copies/asynchronous_work.hpp"
#include "emulator/src/recorder/machine_code.hpp"
#include "emulator/src/recorder/memory_kind.hpp"

extern "C" void __tsan_read16(void*);
extern "C" void __tsan_read_range(void*, unsigned long);

namespace warplab::emulator::lens {
namespace {

constexpr std::uint64_t max_steps = std::uint64_t{1} << 28;

/// threadIdx of the thread of that number in the block that runs.
uint3 place_of(unsigned thread) {
  const dim3 size = current_indices.block_dim;
  return {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
}

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

BlockRecorder::BlockRecorder(LaunchRecorder& launch, Worker& worker)
    : launch_(launch),
      worker_(worker),
      work_((std::size_t{current_indices.block_dim.x} * current_indices.block_dim.y *
                 current_indices.block_dim.z +
             warp_size - 1) /
            warp_size),
      stacks_begin_(reinterpret_cast<std::uintptr_t>(worker.scheduler.stacks())),
      shared_begin_(reinterpret_cast<std::uintptr_t>(worker.shared.begin())),
      stacks_bytes_(worker.scheduler.stacks_bytes()),
      shared_bytes_(SharedMemory::bytes()) {
  block_ = current_indices.block;
  const dim3 size = current_indices.block_dim;
  const unsigned threads = size.x * size.y * size.z;
  lanes_.resize(threads);
  for (unsigned t = 0; t < threads; ++t) {
    lanes_[t].block = this;
    lanes_[t].thread = t;
  }
  warps_.resize((threads + warp_size - 1) / warp_size);
  for (unsigned t = 0; t < threads; ++t) warps_[t / warp_size].lanes |= 1u << t % warp_size;
  checked_block_ = launch_.checker().begin_block(
      current_indices.block,
      {worker.shared.begin(), worker.shared.static_end(), worker.shared.dynamic_begin(),
       worker.shared.dynamic_bytes(), worker.shared.begin(), SharedMemory::bytes()});
  for (const SharedMemory::Variable& v : worker.shared.variables())
    launch_.checker().shared_variable(v.begin, v.bytes, v.name);
}

BlockRecorder::~BlockRecorder() { current_lane = nullptr; }

void BlockRecorder::resume(int thread) {
  const int warp = thread / static_cast<int>(warp_size);
  if (warp != active_warp_) {
    if (active_warp_ >= 0) merge(static_cast<unsigned>(active_warp_), false);
    active_warp_ = warp;
    give_buffers(static_cast<unsigned>(warp));
  }
  running_ = thread;
  current_lane = &lanes_[static_cast<std::size_t>(thread)];
}

void BlockRecorder::leave(int thread) {
  Warp& warp = warps_[static_cast<unsigned>(thread) / warp_size];
  warp.gone |= 1u << static_cast<unsigned>(thread) % warp_size;
  warp.left_after = last_barrier_;
}

void BlockRecorder::rest() {
  if (active_warp_ >= 0) merge(static_cast<unsigned>(active_warp_), false);
  active_warp_ = -1;
  current_lane = nullptr;
}

void BlockRecorder::wake() {
  launch_.checker().select_block(checked_block_);
  if (running_ >= 0) resume(running_);
}

void BlockRecorder::complete_all() {
  if (active_warp_ >= 0) merge(static_cast<unsigned>(active_warp_), true);
  for (unsigned w = 0; w < warps_.size(); ++w) {
    close_groups(w, true);
    warps_[w].joined.close(ready_);
    count_ready(w);
  }
  work_.meet();
}

void BlockRecorder::tensor_product(std::uint64_t flops, bool of_warpgroup) {
  work_.add_product(flops, of_warpgroup);
}

void BlockRecorder::finish() {
  complete_all();
  active_warp_ = -1;
  current_lane = nullptr;
  launch_.checker().end_block(checked_block_);
  std::uint64_t waits = 0, named = 0;
  for (const Lane& lane : lanes_) waits = std::max(waits, lane.waits), named = std::max(named, lane.named);
  launch_.note_waits(meetings_ + named, meetings_ + waits);
  for (const Warp& warp : warps_) launch_.note_steps(warp.steps);
  for (std::size_t first = 0; launch_.wants_details() && first < lanes_.size(); first += warp_size) {
    Arithmetic most;
    for (std::size_t t = first; t < std::min<std::size_t>(first + warp_size, lanes_.size()); ++t)
      most.raise_to(lanes_[t].arithmetic);
    work_.add_arithmetic(most, first / warp_size);
  }
  launch_.end_block(work_);
}

void BlockRecorder::meet(const Site& site) {
  complete_all();
  ++meetings_;
  const auto waiting =
      std::ranges::count_if(warps_, [](const Warp& warp) { return warp.gone != warp.lanes; });
  launch_.add_barrier(site.file, site.line, static_cast<unsigned>(waiting));
}

void BlockRecorder::barrier(const Site& site) {
  look_for_left_loop(site);
  last_barrier_ = site;
  meet(site);
  launch_.checker().block_barrier();
}

// Lanes that ended after this barrier, while others of their warp have come to it again, left a loop around
// it in different rounds. The lanes of a warp meet after a loop: so an H100 waits for ever, those that left
// for the others there, and the others for them here. It does not where a whole warp has left.
void BlockRecorder::look_for_left_loop(const Site& site) const {
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    if (warp.gone == warp.lanes || !warp.left_after || !same_place(*warp.left_after, site)) continue;
    Fault fault;
    fault.kind = FaultKind::divergent_barrier;
    const std::string place = std::string(site.what) + " at " + site.file + ":" + std::to_string(site.line);
    fault.what =
        "lanes of warp " + std::to_string(w) + " have returned since they waited in the " + place +
        ", and others wait there again; a GPU may wait for ever where lanes of one warp leave a loop "
        "around a barrier in different rounds";
    fault.block = block_;
    fault.thread = place_of(static_cast<unsigned>(w) * warp_size + lowest(warp.lanes & ~warp.gone));
    fault.thread_known = true;
    fault.file = site.file;
    fault.line = site.line;
    launch_.add_fault_once(fault);
  }
}

BlockRecorder& BlockRecorder::recorder_of(const BlockObserver& observer) {
  return const_cast<BlockRecorder&>(static_cast<const BlockRecorder&>(observer));
}

// Counted for each warp whose first lane comes.
void BlockRecorder::note_barrier(const Site& site) {
  if (running_ < 0) return;
  ++lanes_[static_cast<std::size_t>(running_)].named;
  if (running_ % static_cast<int>(warp_size) == 0) launch_.add_barrier(site.file, site.line, 1);
}

void BlockRecorder::meet_cluster(const std::vector<BlockObserver*>& blocks) {
  std::vector<int> handles;
  for (const BlockObserver* const block : blocks) handles.push_back(recorder_of(*block).checked_block_);
  launch_.checker().cluster_barrier(handles);
}

void BlockRecorder::exchange(const Site& site, unsigned warp, unsigned mask) {
  if (site.ordinal != Site::orders_memory) return;
  launch_.checker().warp_barrier(warp, mask);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    if (const std::size_t thread = std::size_t{warp} * warp_size + lowest(rest); thread < lanes_.size()) {
      lanes_[thread].end_body();
      lanes_[thread].forget_stores();
    }
}

void BlockRecorder::fence(Lane& lane) {
  lane.end_body();
  lane.forget_stores();
  launch_.checker().fence(lane.thread);
}
void BlockRecorder::release(Lane& lane, const void* object) {
  launch_.checker().release(lane.thread, object);
}
void BlockRecorder::acquire(Lane& lane, const void* object) {
  ++lane.waits;
  launch_.checker().acquire(lane.thread, object);
}
void BlockRecorder::place_shared(const void* variable, std::size_t bytes, const char* name) {
  Checker& checker = launch_.checker();
  checker.grow_static_shared(worker_.shared.static_end());
  checker.shared_variable(variable, bytes, name);
  if (worker_.grid == nullptr) return;
  // It lies at the same place in the blocks that run side by side, which may not have come to it yet.
  const std::ptrdiff_t offset = static_cast<const std::byte*>(variable) - worker_.shared.begin();
  worker_.grid->for_each_other([&](const Worker& other) {
    if (other.observer == nullptr) return;
    checker.select_block(recorder_of(*other.observer).checked_block_);
    checker.grow_static_shared(worker_.shared.static_end());
    checker.shared_variable(other.shared.begin() + offset, bytes, name);
  });
  checker.select_block(checked_block_);
}

// --- What lanes do ---

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

void BlockRecorder::count_steps(std::uint64_t more) {
  if ((steps_ += more) > max_steps) report_endless();
}

void BlockRecorder::touch(Lane& lane, const void* address, unsigned bytes, AccessKind kind, const void* code,
                          AtomicUse use) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  lane.code = code;
  const Target target = find_target(lane, place, bytes, kind, code);
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
  if (target.event != EventKind::shared_store && target.event != EventKind::shared_load &&
      target.event != EventKind::shared_atomic)
    return false;
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

// Whether a bulk copy still works on these bytes of shared memory: then that is the mistake.
bool BlockRecorder::is_under_way(Lane& lane, const void* address, unsigned bytes, bool write,
                                 const void* code) {
  if (reinterpret_cast<std::uintptr_t>(address) - shared_begin_ >= shared_bytes_) return false;
  const auto what = [&] {
    return (write ? "writes " : "reads ") + std::to_string(bytes) + " bytes of shared memory ";
  };
  const auto at = [](const Site& site) {
    return std::string(site.what) + " at " + site.file + ":" + std::to_string(site.line);
  };
  const AsynchronousWork& work = *find_asynchronous_work(worker_);
  if (const AsynchronousWork::BulkLoad* const load = work.load_into(address, bytes)) {
    launch_.checker().report(FindingKind::asynchronous_copy, lane.thread, code,
                             what() + "that the " + at(load->site) +
                                 " still writes: wait for its barrier first (mbarrier.try_wait)",
                             Hint::copy_still_writes);
    return true;
  }
  // Until it lands there is poison.
  const auto word = reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{3};
  if (*reinterpret_cast<const unsigned*>(word) == poison_word && work.copies_into(address, bytes)) {
    launch_.checker().report(
        FindingKind::asynchronous_copy, lane.thread, code,
        what() +
            "that an asynchronous copy has still to bring: wait for the copy first "
            "(__pipeline_wait_prior, cp.async.wait_group or its barrier), then for the other threads",
        Hint::copy_still_writes);
    return true;
  }
  if (!write) return false;
  const AsynchronousWork::BulkStore* const store = work.store_from(address, bytes);
  if (store == nullptr) return false;
  launch_.checker().report(FindingKind::asynchronous_copy, lane.thread, code,
                           what() + "that the " + at(store->site) +
                               " has still to read: wait with cp.async.bulk.wait_group.read first",
                           Hint::copy_still_reads);
  return true;
}

void BlockRecorder::bulk_access(const void* address, std::size_t bytes, bool write, const void* code) {
  constexpr std::size_t step = 16;
  Lane& lane = *current_lane;
  lane.code = code;
  const auto* const begin = static_cast<const std::byte*>(address);
  for (std::size_t done = 0; done < bytes; done += step)
    launch_.checker().access(lane.thread, begin + done, static_cast<unsigned>(std::min(step, bytes - done)),
                             write ? AccessKind::bulk_write : AccessKind::bulk_read, code, 1);
}

// Checked in pieces that are aligned, as a box may begin at any element; counted by sector.
void BlockRecorder::bulk_store(const void* address, std::size_t bytes, bool combines, const void* code) {
  constexpr std::size_t sector = 32;
  Lane& lane = *current_lane;
  lane.code = code;
  const AccessKind kind = combines ? AccessKind::atomic : AccessKind::write;
  const auto* at = static_cast<const std::byte*>(address);
  for (std::size_t left = bytes, step; left != 0; at += step, left -= step) {
    const std::size_t fits = reinterpret_cast<std::uintptr_t>(at) | 16;
    step = fits & (0 - fits);
    while (step > left) step /= 2;
    launch_.checker().access(lane.thread, at, static_cast<unsigned>(step), kind, code);
  }
  const Target target = find_target(lane, reinterpret_cast<std::uintptr_t>(address), 1, kind, code);
  for (std::size_t done = 0; done < bytes && target.counts && !target.is_own;) {
    const std::size_t step = std::min(sector - (target.address + done) % sector, bytes - done);
    add(lane, target.address + done, static_cast<unsigned>(step), target.event, code);
    done += step;
  }
}

void BlockRecorder::copy_write(const void* address, std::size_t bytes, const void* code) {
  constexpr std::size_t widest = 16;
  Lane& lane = *current_lane;
  lane.code = code;
  work_.copy_asynchronously();
  Target target = find_target(lane, reinterpret_cast<std::uintptr_t>(address), static_cast<unsigned>(bytes),
                              AccessKind::write, code);
  if (target.is_own || !target.counts) return;
  if (target.event == EventKind::shared_store) target.event = EventKind::shared_copy;
  for (std::size_t done = 0; done < bytes; done += widest)
    add(lane, target.address + done, static_cast<unsigned>(std::min(widest, bytes - done)), target.event,
        code, 0, static_cast<unsigned>(done));
}

unsigned BlockRecorder::tensor_load(const void* address, std::size_t bytes, unsigned first,
                                    const void* code) {
  constexpr std::size_t check = 16, sector = 32;
  Lane& lane = *current_lane;
  lane.code = code;
  work_.copy_asynchronously();
  const auto* const begin = static_cast<const std::byte*>(address);
  for (std::size_t done = 0; done < bytes; done += check)
    launch_.checker().access(lane.thread, begin + done, static_cast<unsigned>(std::min(check, bytes - done)),
                             AccessKind::read, code, 1);
  const Target target =
      find_target(lane, reinterpret_cast<std::uintptr_t>(address), 1, AccessKind::read, code);
  unsigned sectors = 0;
  for (std::size_t done = 0; done < bytes && target.counts; ++sectors) {
    const std::size_t step = std::min(sector - (target.address + done) % sector, bytes - done);
    add(lane, target.address + done, static_cast<unsigned>(step), target.event, code, 0, first + sectors);
    done += step;
  }
  return sectors;
}

void BlockRecorder::tensor_core_read(unsigned thread, const void* address, std::size_t bytes,
                                     const void* code) {
  launch_.checker().access(thread, address, static_cast<unsigned>(bytes), AccessKind::bulk_read, code, 1);
}

void BlockRecorder::release_for(unsigned thread, const void* object) {
  launch_.checker().release(thread, object);
}

void BlockRecorder::fence_async_proxy() { launch_.checker().proxy_fence(current_lane->thread); }

// A structure that is copied whole: a GPU copies it in steps as wide as its alignment allows, and leaves out
// padding at both ends of a step.
void BlockRecorder::touch_range(Lane& lane, const void* address, std::size_t bytes, bool write,
                                const void* code) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const AccessKind kind = write ? AccessKind::write : AccessKind::read;
  const Target target = find_target(lane, place, 4, kind, code);
  const unsigned width = range_width(bytes, place);
  const Padding padding = accessed_padding(lane, place, bytes, width, write, code);
  if (target.is_own) return;
  lane.code = code;
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

// What an access is to. One to the lane's own local arrays is taken note of here, `bytes` wide.
BlockRecorder::Target BlockRecorder::find_target(Lane& lane, std::uintptr_t place, unsigned bytes,
                                                 AccessKind kind, const void* code) {
  const bool write = kind == AccessKind::write || kind == AccessKind::volatile_write;
  if (place - stacks_begin_ < stacks_bytes_ && touch_own_stack(lane, place, bytes, write, code))
    return {.is_own = true};
  const EventKind shared_event = kind == AccessKind::atomic ? EventKind::shared_atomic
                                 : write                    ? EventKind::shared_store
                                                            : EventKind::shared_load;
  Target target{.address = place, .event = EventKind::global_load};
  if (place - shared_begin_ < shared_bytes_) {
    target.address = place - shared_begin_;
    target.event = shared_event;
    return target;
  }
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

// Variables on the stack are registers of a GPU, except arrays in local memory. @return false for the stack
// of another thread.
bool BlockRecorder::touch_own_stack(Lane& lane, std::uintptr_t address, unsigned bytes, bool write,
                                    const void* code) {
  for (const Lane::Array& array : lane.arrays)
    if (address - array.begin < array.bytes) {
      if (is_carried(lane, address, bytes, write)) return true;
      launch_.note_element(lane, array.number, bytes, offset_of(code), address - array.begin);
      add(lane, LocalPlace::address(array.number, address - array.begin), bytes,
          write ? EventKind::local_store : EventKind::local_load, code, lane.body.packed());
      return true;
    }
  return worker_.scheduler.on_current_stack(address);
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

// A lane has come to the condition of this number.
void BlockRecorder::note_condition(Lane& lane, bool taken, std::uint64_t number) {
  lane.condition = number;
  lane.condition_holds = taken;
  if (!lane.loops.empty()) launch_.constant_words().note_way(number, taken);
}

void BlockRecorder::mark(Lane& lane, LensMark mark, std::uint64_t value, const void* code) {
  lane.code = code;
  switch (mark) {
    case LensMark::enter_loop:
      lane.enter_loop(value & 0xffffffff, static_cast<LensUnrolling>(value >> 32 & 3),
                      LensRounds::unpacked(value >> 34));
      return;
    case LensMark::next_iteration:
      if (lane.loops.empty()) return;
      lane.next_iteration();
      count_steps(1);
      return;
    case LensMark::leave_loop:
      if (!lane.loops.empty()) lane.leave_loop();
      return;
    case LensMark::branch_not_taken:
    case LensMark::branch_taken:
      if ((value & 1) != 0) {
        lane.end_body();
        if (!lane.loops.empty()) lane.loops.back().has_branch = true;
      }
      note_condition(lane, mark == LensMark::branch_taken, value >> 1 != 0 ? ~(value >> 1) : offset_of(code));
      add(lane, mark == LensMark::branch_taken, 0, EventKind::branch, code);
      // Both ways of a condition of several parts are one branch.
      if (value >> 1 != 0) lane.next[-1].key = mix(lane.path.whole, ~(value >> 1));
      return;
    case LensMark::choice:
      lane.end_body();
      add(lane, value, 0, EventKind::branch, code);
      return;
    case LensMark::parameters_may_overlap:
      work_.let_arrays_overlap();
      return;
    case LensMark::raw_shared_memory:
      first_unaligned_ = static_cast<std::uint64_t>(worker_.shared.dynamic_begin() - worker_.shared.begin());
      return;
    case LensMark::structure_parameter:
      lane.note_structure(value);
      return;
    case LensMark::array_of_structures:
      launch_.note_structures(value & ((std::uint64_t{1} << 56) - 1), 1u << (value >> 56));
      return;
  }
}

void BlockRecorder::report_endless() {
  std::map<const void*, unsigned> places;
  for (const Lane& lane : lanes_)
    if (lane.code != nullptr) ++places[lane.code];
  std::vector<const void*> codes;
  for (const auto& [code, count] : places) codes.push_back(code);
  const std::map<const void*, SourceLine> lines = source_lines(codes);
  std::map<std::pair<std::string, int>, unsigned> by_line;
  for (const auto& [code, count] : places)
    if (const auto line = lines.find(code); line != lines.end())
      by_line[{line->second.file, line->second.line}] += count;
  std::string where;
  static thread_local std::string file;
  Site site{"", "", 0};
  unsigned most = 0;
  for (const auto& [line, count] : by_line) {
    where += (where.empty() ? "" : ", ") + std::to_string(count) +
             (count == 1 ? " thread at " : " threads at ") + line.first + ":" + std::to_string(line.second);
    if (count <= std::exchange(most, std::max(most, count))) continue;
    file = line.first;
    site = {"", file.c_str(), line.second};
  }
  device_fault_at(site, FaultKind::endless, cudaErrorLaunchTimeout,
                  "the block has not ended after %llu steps (loop iterations and memory accesses); its "
                  "threads were last seen here: %s",
                  static_cast<unsigned long long>(max_steps), where.c_str());
}

}  // namespace warplab::emulator::lens
