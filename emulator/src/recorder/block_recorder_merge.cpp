// From the events of lanes to the requests of warps.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "emulator/src/block/worker.hpp"
#include "emulator/src/checker/structures.hpp"
#include "emulator/src/recorder/block_recorder.hpp"

namespace warplab::emulator::lens {
namespace {

/// What all events of a group share.
void begin_group(Group& group, const Event& event) {
  group.key = event.key;
  group.code = event.code;
  group.kind = event.kind;
  group.depth = event.depth;
  group.detail = event.detail;
  group.request.bytes = event.bytes;
}

bool is_load_or_store(EventKind kind) {
  return kind == EventKind::global_load || kind == EventKind::global_store ||
         kind == EventKind::shared_load || kind == EventKind::shared_store ||
         kind == EventKind::constant_load;
}

// Events of a lane between merges. Not a power of two: the lanes' shares are walked side by side.
constexpr std::size_t share = 1022;
// Of a warp. More than many, about 1 MiB, are looked through for those that no lane comes to any more.
constexpr std::size_t many_open_groups = 4096, max_open_groups = 65'536;

// The events of the warp that runs. One OS thread runs one recorded block at a time.
std::vector<Event>& event_memory() {
  static thread_local std::vector<Event> memory(share * warp_size);
  return memory;
}

}  // namespace

void BlockRecorder::give_buffers(unsigned warp) {
  Event* memory = event_memory().data();
  for (unsigned t = warp * warp_size; t < lanes_.size() && t < (warp + 1) * warp_size; ++t, memory += share) {
    lanes_[t].next = memory;
    lanes_[t].end = memory + share;
  }
}

// A GPU's lanes run together, so the one that has come the least far goes on. It may wait for what another
// one does: so each has its turn now and then.
unsigned BlockRecorder::lane_to_go_on(const Lane& full) {
  constexpr unsigned patience = 32;
  const unsigned mine = full.thread % warp_size, ready = worker_.scheduler.ready_lanes() & ~(1u << mine);
  if (ready == 0) return mine;
  if (++turns_ % patience == 0) {
    const std::uint32_t from_here = ready & ~0u << turns_ / patience % warp_size;
    return lowest(from_here != 0 ? from_here : ready);
  }
  return hindmost(full.thread / warp_size, ready | 1u << mine);
}

// Lets the other lanes of the warp catch up, then merges, unless that has happened meanwhile.
void BlockRecorder::make_room(Lane& lane) {
  count_steps(share);
  worker_.scheduler.let_lane_run(static_cast<int>(lane_to_go_on(lane)));
  if (lane.next != lane.end) return;
  merge(lane.thread / warp_size, false);
  give_buffers(lane.thread / warp_size);
}

// g++ moves an argument of 16 bytes in two registers, and a GPU loads it by one instruction.
void BlockRecorder::touch_unannounced(Lane& lane, const void* address, unsigned bytes, AccessKind kind,
                                      const void* code) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  touch(lane, address, bytes, kind, code);
  if (bytes != 8 || place % 8 != 0 || width_of_16(place & ~std::uintptr_t{15}) != 16) return;
  constexpr std::ptrdiff_t events_between = 4;
  constexpr std::uint32_t code_between = 256;  // bytes, with what the guard puts in
  const std::ptrdiff_t events = lane.next - (lane.end - share);
  for (std::ptrdiff_t back = 2; back <= std::min(events, events_between + 2); ++back) {
    const Event& half = lane.next[-1];
    Event& other = lane.next[-back];
    if (other.kind != half.kind || other.bytes != 8 || other.address != (half.address ^ 8) ||
        half.code - other.code > code_between ||
        other.key != mix(lane.path.whole, std::uint64_t{other.code} << 16))
      continue;
    other.address &= ~std::uint64_t{15};
    other.bytes = 16;
    --lane.next;
    return;
  }
}

void BlockRecorder::note_group(const Group& group, unsigned warp) {
  if (!is_local(group.kind)) ++warps_[warp].steps;
  if (group.kind == EventKind::table_loads) warps_[warp].steps += loads_of_table - 1;
  if (launch_.wants_details()) work_.add(group, warp);
}

void BlockRecorder::hand_over(const Group& group, unsigned warp) {
  note_group(group, warp);
  bool knows_turns = true;
  std::uint32_t alignment = 16;  // of shared memory; of constant memory the compiler knows it as well
  switch (group.kind) {
    case EventKind::global_load:
    case EventKind::global_store:
    case EventKind::global_atomic:
      alignment = launch_.alignment_of_structures(group.request.address[lowest(group.request.mask)]);
      break;
    case EventKind::table_loads:
    case EventKind::branch:
      return launch_.add(group, block_, warp);
    case EventKind::local_load:
    case EventKind::local_store:
    case EventKind::constant_load:
      break;
    case EventKind::shared_atomic:
      if (group.detail == static_cast<std::uint16_t>(AtomicUse::each_lane)) load_for_sum(group, warp);
      [[fallthrough]];
    default:
      const std::uint64_t first = group.request.address[lowest(group.request.mask)];
      if (first >= first_unaligned_) alignment = 1;
      // Where the parts of dynamic shared memory begin, mostly the kernel only knows.
      knows_turns =
          first < static_cast<std::uint64_t>(worker_.shared.dynamic_begin() - worker_.shared.begin());
  }
  const bool may_join = warps_[warp].joined.add(group, alignment, knows_turns, launch_.neighbours(), ready_);
  count_ready(warp, may_join ? nullptr : &group);
}

// A GPU adds floats in shared memory by a loop of loads and compare-and-swaps: lanes on one bank succeed one
// after another.
void BlockRecorder::load_for_sum(const Group& sum, unsigned warp) {
  constexpr std::uint64_t bank_bytes = 4, banks = 32;
  Group load = sum;
  load.kind = EventKind::shared_load;
  load.detail = 0;
  while (load.request.mask != 0) {
    hand_over(load, warp);
    std::uint32_t taken = 0, left = 0;
    for (std::uint32_t rest = load.request.mask; rest != 0; rest &= rest - 1) {
      const std::uint32_t bank = 1u << load.request.address[lowest(rest)] / bank_bytes % banks;
      if ((taken & bank) != 0) left |= rest & -rest;
      taken |= bank;
    }
    load.request.mask = left;
  }
}

void BlockRecorder::count_ready(unsigned warp, const Group* last) {
  for (const Group& group : ready_.groups) launch_.add(group, block_, warp);
  if (last != nullptr) launch_.add(*last, block_, warp);
  for (const UncertainJoin& join : ready_.joins) launch_.add(join, block_, warp);
  ready_.groups.clear();
  ready_.joins.clear();
}

void BlockRecorder::merge(unsigned number, bool complete) {
  Warp& warp = warps_[number];
  std::array<const Event*, warp_size> cursors{}, ends{};
  const unsigned first = number * warp_size;
  Event* memory = event_memory().data();
  for (unsigned l = 0; l < warp_size && first + l < lanes_.size(); ++l) {
    cursors[l] = memory + l * share;
    ends[l] = lanes_[first + l].next;
    lanes_[first + l].next = memory + l * share;
  }
  // While all lanes did the same, which is the rule, they go side by side.
  Group group;
  while (warp.open.empty()) {
    std::uint32_t mask = 0;
    for (unsigned l = 0; l < warp_size; ++l) mask |= static_cast<std::uint32_t>(cursors[l] != ends[l]) << l;
    if (mask == 0) break;
    const Event& event = *cursors[lowest(mask)];
    bool together = true;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      together &= cursors[lowest(rest)]->key == event.key;
    if (!together || (!complete && (mask | warp.gone) != warp.lanes)) break;
    begin_group(group, event);
    group.request.mask = mask;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const unsigned l = lowest(rest);
      group.request.address[l] = cursors[l]++->address;
    }
    hand_over(group, number);
  }
  merge_apart(warp, cursors, ends);
  close_groups(number, complete);
}

void BlockRecorder::merge_apart(Warp& warp, std::array<const Event*, 32>& cursors,
                                const std::array<const Event*, 32>& ends) {
  for (unsigned l = 0; l < warp_size; ++l)
    for (; cursors[l] != ends[l]; ++cursors[l]) {
      Group& group = open_group(warp, *cursors[l], l);
      group.request.mask |= 1u << l;
      group.request.address[l] = cursors[l]->address;
    }
}

// The group that an event of a lane belongs to: the first one of its key that the lane is not in yet.
Group& BlockRecorder::open_group(Warp& warp, const Event& event, unsigned lane) {
  if (warp.slots.size() < 2 * (warp.open.size() + 1)) {
    warp.slots.assign(std::max<std::size_t>(256, 4 * std::bit_ceil(warp.open.size() + 1)), 0);
    for (std::size_t i = 0; i < warp.open.size(); ++i) {
      std::size_t slot = warp.open[i].key & (warp.slots.size() - 1);
      while (warp.slots[slot] != 0) slot = (slot + 1) & (warp.slots.size() - 1);
      warp.slots[slot] = static_cast<std::uint32_t>(i + 1);
    }
  }
  std::size_t slot = event.key & (warp.slots.size() - 1);
  for (; warp.slots[slot] != 0; slot = (slot + 1) & (warp.slots.size() - 1)) {
    Group& group = warp.open[warp.slots[slot] - 1];
    if (group.key == event.key && (group.request.mask >> lane & 1) == 0) return group;
  }
  Group group;
  begin_group(group, event);
  group.request.mask = 0;
  warp.open.push_back(group);
  warp.slots[slot] = static_cast<std::uint32_t>(warp.open.size());
  return warp.open.back();
}

// Joins what lanes ask for in the two ways of `c ? a[i] : b[i]`, for which nvcc makes one instruction that
// takes its address, or its value, from a choice. The ways are those of lanes that go on together.
void BlockRecorder::pair_ways(unsigned number) {
  constexpr std::size_t most_between = 32;
  Warp& warp = warps_[number];
  const auto is_of_a_way = [&](const Group& group) {
    return group.request.mask != 0 && group.request.mask != warp.lanes && is_load_or_store(group.kind);
  };
  if (std::ranges::none_of(warp.open, is_of_a_way)) return;
  struct Place {
    std::uint64_t path;
    Group* group;
  };
  std::vector<Place> places;
  for (Group& group : warp.open)
    places.push_back({unmix(group.key, std::uint64_t{group.code} << 16), &group});
  std::ranges::stable_sort(places, std::less(), &Place::path);
  const auto go_on_together = [&](auto at, std::uint32_t mask) {
    if (mask == warp.lanes) return true;
    auto other = std::ranges::lower_bound(places, at->path, std::less(), &Place::path);
    for (; other != places.end() && other->path == at->path; ++other)
      if (other->group->request.mask == mask) return true;
    return false;
  };
  for (auto first = places.begin(); first != places.end(); ++first) {
    if (!is_of_a_way(*first->group)) continue;
    std::size_t between = 0;
    for (auto second = first + 1; second != places.end() && second->path == first->path; ++second) {
      Group &one = *first->group, &other = *second->group;
      if (!is_of_a_way(other) || ++between > most_between) continue;
      const std::uint32_t both = one.request.mask | other.request.mask;
      if (one.kind != other.kind || one.request.bytes != other.request.bytes || one.code == other.code ||
          (one.request.mask & other.request.mask) != 0 || !go_on_together(first, both))
        continue;
      Group joined = one;
      joined.request.mask = both;
      for (std::uint32_t rest = other.request.mask; rest != 0; rest &= rest - 1)
        joined.request.address[lowest(rest)] = other.request.address[lowest(rest)];
      ready_.joins.push_back({true, {{one.code}, {other.code}}, {one, other}, {joined}, {}});
      note_group(one, number);
      note_group(other, number);
      one.request.mask = other.request.mask = 0;
      break;
    }
  }
}

/// The lane of these that has come the least far.
unsigned BlockRecorder::hindmost(unsigned warp, std::uint32_t lanes) const {
  const Lane* const of_warp = lanes_.data() + std::size_t{warp} * warp_size;
  unsigned hindmost = lowest(lanes);
  std::vector<Lane::Stage> least = of_warp[hindmost].stages();
  for (std::uint32_t rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1)
    if (std::vector<Lane::Stage> stages = of_warp[lowest(rest)].stages(); stages < least) {
      hindmost = lowest(rest);
      least = std::move(stages);
    }
  return hindmost;
}

// Hands over the groups that the hindmost lane is in: all the others have passed them.
void BlockRecorder::close_passed(unsigned number) {
  Warp& warp = warps_[number];
  const std::uint32_t live = warp.lanes & ~warp.gone;
  if (live == 0) return;
  const unsigned last = hindmost(number, live);
  for (Group& group : warp.open)
    if ((group.request.mask >> last & 1) != 0) {
      hand_over(group, number);
      group.request.mask = 0;
    }
}

// Hands over the groups that no lane can join any more: all of them, or those that have all lanes. Of too
// many also the oldest of the innermost loops: what comes behind a loop waits for the lanes that are still in
// it.
void BlockRecorder::close_groups(unsigned number, bool all) {
  Warp& warp = warps_[number];
  if (warp.open.empty()) return;
  if (all || warp.gone == warp.lanes) pair_ways(number);
  if (!all && warp.open.size() > many_open_groups) close_passed(number);
  const auto open = static_cast<std::size_t>(
      std::ranges::count_if(warp.open, [](const Group& group) { return group.request.mask != 0; }));
  std::size_t too_many = open > max_open_groups ? open - max_open_groups / 2 : 0;
  std::array<std::size_t, Event::deepest + 1> surplus{};  // of each depth, how many are handed over
  if (too_many != 0) {
    for (const Group& group : warp.open)
      if (group.request.mask != 0) ++surplus[group.depth];
    for (std::size_t depth = surplus.size(); depth-- > 0;) {
      surplus[depth] = std::min(surplus[depth], too_many);
      too_many -= surplus[depth];
    }
  }
  std::size_t kept = 0;
  for (Group& group : warp.open) {
    if (group.request.mask == 0) continue;
    const bool is_surplus = surplus[group.depth] != 0;
    if (is_surplus) --surplus[group.depth];
    if (all || is_surplus || (group.request.mask | warp.gone) == warp.lanes)
      hand_over(group, number);
    else
      warp.open[kept++] = group;
  }
  if (kept != warp.open.size()) {
    warp.open.resize(kept);
    warp.slots.clear();
  }
}

}  // namespace warplab::emulator::lens
