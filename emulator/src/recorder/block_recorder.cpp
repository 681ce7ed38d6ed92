#include "emulator/src/recorder/block_recorder.hpp"

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

namespace warplab::emulator::lens {
namespace {

constexpr std::uint64_t max_steps = std::uint64_t{1} << 28;

// Of the last block that the OS thread has recorded: the next one needs as many, and the same memory.
std::vector<Lane>& idle_lanes() {
  static thread_local std::vector<Lane> lanes;
  return lanes;
}

}  // namespace

BlockRecorder::BlockRecorder(LaunchRecorder& launch, Worker& worker)
    : launch_(launch),
      worker_(worker),
      work_((count_in(current_indices.block_dim) + warp_size - 1) / warp_size),
      stacks_begin_(reinterpret_cast<std::uintptr_t>(worker.scheduler.stacks())),
      shared_begin_(reinterpret_cast<std::uintptr_t>(worker.shared.begin())),
      slots_begin_(reinterpret_cast<std::uintptr_t>(current_block.shared_slots)),
      stacks_bytes_(worker.scheduler.stacks_bytes()),
      shared_bytes_(SharedMemory::bytes()),
      slots_bytes_(worker.shared.slots_bytes()) {
  block_ = current_indices.block;
  const auto threads = static_cast<unsigned>(count_in(current_indices.block_dim));
  lanes_.swap(idle_lanes());
  lanes_.resize(threads);
  for (unsigned t = 0; t < threads; ++t) lanes_[t].begin(*this, t, isolation::active());
  warps_.resize((threads + warp_size - 1) / warp_size);
  for (unsigned t = 0; t < threads; ++t) warps_[t / warp_size].lanes |= 1u << t % warp_size;
  checked_block_ = launch_.checker().begin_block(
      current_indices.block,
      {worker.shared.begin(), worker.shared.static_end(), worker.shared.dynamic_begin(),
       worker.shared.dynamic_bytes(), worker.shared.begin(), SharedMemory::bytes()});
  for (const SharedMemory::Variable& v : worker.shared.variables())
    launch_.checker().shared_variable(v.begin, v.bytes, v.name);
}

BlockRecorder::~BlockRecorder() {
  current_lane = nullptr;
  lanes_.swap(idle_lanes());
}

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
  meet(site);
  last_barrier_ = {site, meetings_};
  launch_.checker().block_barrier();
}

// Lanes that ended after this barrier, while others of their warp have come to it again in a loop around it,
// left that loop in different rounds. The lanes of a warp meet after a loop: so an H100 waits for ever, those
// that left for the others there, and the others for them here. It does not where a whole warp has left, nor
// where a function with a barrier is called twice and some lanes return in between.
void BlockRecorder::look_for_left_loop(const Site& site) const {
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    if (warp.gone == warp.lanes || !warp.left_after || !same_place(warp.left_after->site, site)) continue;
    std::uint32_t waiting = warp.lanes & ~warp.gone;
    while (waiting != 0 &&
           !lanes_[w * warp_size + lowest(waiting)].is_in_loop_turned_since(warp.left_after->number))
      waiting &= waiting - 1;
    if (waiting == 0) continue;
    Fault fault;
    fault.kind = FaultKind::divergent_barrier;
    const std::string place = std::string(site.what) + " at " + site.file + ":" + std::to_string(site.line);
    fault.what =
        "lanes of warp " + std::to_string(w) + " have returned since they waited in the " + place +
        ", and others wait there again; a GPU may wait for ever where lanes of one warp leave a loop "
        "around a barrier in different rounds";
    fault.block = block_;
    fault.thread =
        emulator::place_in(current_indices.block_dim, static_cast<unsigned>(w) * warp_size + lowest(waiting));
    fault.thread_known = true;
    fault.file = site.file;
    fault.line = site.line;
    launch_.add_fault_once(fault);
  }
}

BlockRecorder& BlockRecorder::recorder_of(const BlockObserver& observer) {
  return const_cast<BlockRecorder&>(static_cast<const BlockRecorder&>(observer));
}

// A warp comes as often as the lane that comes most often. Some of its lanes may have ended, or not come.
void BlockRecorder::note_barrier(const Site& site) {
  if (running_ < 0) return;
  const auto thread = static_cast<unsigned>(running_);
  ++lanes_[thread].named;
  std::vector<Arrivals>& all = warps_[thread / warp_size].arrivals;
  auto here = std::ranges::find_if(all, [&](const Arrivals& known) { return same_place(known.site, site); });
  if (here == all.end()) here = all.insert(all.end(), Arrivals{site});
  if (++here->times[thread % warp_size] <= here->most) return;
  ++here->most;
  launch_.add_barrier(site.file, site.line, 1);
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

void BlockRecorder::count_steps(std::uint64_t more) {
  if ((steps_ += more) > max_steps) report_endless();
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
      lane.loops.back().entered_at = meetings_;
      return;
    case LensMark::next_iteration:
      if (lane.loops.empty()) return;
      lane.next_iteration();
      lane.loops.back().turned_at = meetings_;
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
