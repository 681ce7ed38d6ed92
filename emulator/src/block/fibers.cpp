#include "emulator/src/block/fibers.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <climits>
#include <cstring>
#include <fstream>
#include <new>
#include <utility>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/block/concurrent_blocks.hpp"
#include "emulator/src/block/faults.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator {
namespace {

bool same_kind(const Site& a, const Site& b) { return a.what == b.what || std::strcmp(a.what, b.what) == 0; }

// A closed page among open ones costs two of a process's mappings. Half of all mappings may go into them.
std::atomic<int>& guards_left() {
  static std::atomic<int> left = [] {
    long long mappings = 65530;  // Linux's own, where it can't be read
    std::ifstream("/proc/sys/vm/max_map_count") >> mappings;
    return static_cast<int>(std::clamp(mappings / 4, 0LL, static_cast<long long>(INT_MAX)));
  }();
  return left;
}

// More than a frame, so that a recursion leaves something there.
constexpr std::size_t watched = 1024;

}  // namespace

bool same_place(const Site& a, const Site& b) {
  return a.line == b.line && a.ordinal == b.ordinal && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

Scheduler::~Scheduler() {
  if (stacks_ == nullptr) return;
  munmap(stacks_, stacks_bytes_);
  guards_left() += static_cast<int>(guards_);
}

void Scheduler::make_stacks(int count) {
  if (static_cast<int>(fibers_.size()) >= count) return;
  if (stacks_ == nullptr) {
    stacks_bytes_ = stack_stride * max_threads;
    void* memory = mmap(nullptr, stacks_bytes_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, stacks_bytes_, MADV_NOHUGEPAGE);  // a huge page would make every stack resident
    stacks_ = static_cast<std::byte*>(memory);
    idle_.reserve(max_threads);
    fibers_.reserve(max_threads);
  }
  while (static_cast<int>(fibers_.size()) < count) {
    const std::size_t number = fibers_.size();
    if (guards_ == number && close_guard(number)) ++guards_;
    fibers_.push_back({nullptr, static_cast<int>(number)});
    idle_.insert(idle_.begin(), &fibers_.back());
  }
}

bool Scheduler::close_guard(std::size_t stack) {
  // The lowest page is always closed: a recursion without end goes through all stacks until it comes there.
  const bool may = guards_left().fetch_sub(1) > 0 || stack == 0;
  if (may && mprotect(stacks_ + stack * stack_stride, guard_bytes, PROT_NONE) == 0) return true;
  ++guards_left();
  return false;
}

const std::byte* Scheduler::watched_bytes(std::size_t stack) const {
  return stacks_ + stack * stack_stride + guard_bytes - watched;
}

// Nobody writes below a stack, and fresh memory is zero. Looking at it takes no memory.
bool Scheduler::is_overflowed(std::size_t stack) const {
  if (stack < guards_) return false;
  const auto* const words = reinterpret_cast<const std::uint64_t*>(watched_bytes(stack));
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < watched / sizeof *words; ++i) all |= words[i];
  return all != 0;
}

int Scheduler::overflowed_thread() const {
  if (is_overflowed(static_cast<std::size_t>(running_->number))) return current_;
  for (int t = 0; t < next_start_; ++t) {
    const bool waits =
        t != current_ && warps_[static_cast<std::size_t>(t / warp_size)].live >> (t % warp_size) & 1;
    if (waits && is_overflowed(static_cast<std::size_t>(fiber_of_[static_cast<std::size_t>(t)]->number)))
      return t;
  }
  return -1;
}

Scheduler::Fiber* Scheduler::idle_fiber() {
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  if (fiber->context == nullptr) begin_stack(*fiber);
  return fiber;
}

void Scheduler::begin_stack(Fiber& fiber) {
  const auto number = static_cast<std::size_t>(fiber.number);
  const std::size_t stagger = (number / 16 % 8) * 512;
  fiber.context = make_context(stacks_ + (number + 1) * stack_stride - stagger,
                               stack_stride - guard_bytes - stagger, fiber_main);
}

void Scheduler::run(void (*entry)(const void*), const void* body) {
  threads_ = static_cast<int>(count_in(current_indices.block_dim));
  make_stacks(threads_);
  entry_ = entry;
  body_ = body;
  live_ = threads_;
  next_start_ = current_ = arrived_ = 0;
  next_index_ = uint3{0, 0, 0};
  warps_ready_ = 0;
  for (int first = 0; first < threads_; first += warp_size) {
    Warp& warp = warps_[static_cast<std::size_t>(first / warp_size)];
    warp.live = threads_ - first >= warp_size ? ~0u : (1u << (threads_ - first)) - 1;
    warp.ready = warp.exchanging = 0;
    warp.yielded = warp_size - 1;
    warp.result.fill(nullptr);
  }
  any_named_barrier_ = false;
  exchanges_ = 0;
  active_ = true;
  Fiber* first = running_ = idle_fiber();
  switch_context(&main_, first->context);
  active_ = false;
}

void Scheduler::reset() {
  active_ = must_start_ = false;
  parked_.fill(nullptr);
  idle_.clear();
  for (auto fiber = fibers_.rbegin(); fiber != fibers_.rend(); ++fiber) {
    fiber->context = nullptr;
    idle_.push_back(&*fiber);
    const auto stack = static_cast<std::size_t>(fiber->number);
    if (is_overflowed(stack)) std::memset(const_cast<std::byte*>(watched_bytes(stack)), 0, watched);
  }
  free_results_.clear();
  for (Results& results : result_storage_) free_results_.push_back(&results);
}

void Scheduler::fiber_main() { running_worker()->scheduler.runner(); }

// What a fiber does for ever: run a thread, or give way to one that waited.
void Scheduler::runner() {
  for (;;) {
    const int next = must_start_ ? start_next : choose_near();
    if (next == start_next) {
      must_start_ = false;
      run_thread();
    } else if (next != nobody) {
      idle_.push_back(running_);
      switch_to(fiber_of_[static_cast<std::size_t>(next)]);
    } else if (live_ == 0) {
      idle_.push_back(running_);
      switch_context(&running_->context, main_);
    } else {
      wait_for_other_blocks();
    }
  }
}

void Scheduler::run_thread() {
  current_ = next_start_++;
  current_indices.thread = next_index_;
  if (++next_index_.x == current_indices.block_dim.x) {
    next_index_.x = 0;
    if (++next_index_.y == current_indices.block_dim.y) {
      next_index_.y = 0;
      ++next_index_.z;
    }
  }
  if (observer_ != nullptr) observer_->resume(current_);
  isolation::begin_thread(running_->number);
  entry_(body_);
  if (observer_ != nullptr) observer_->leave(current_);
  finish_thread();
}

void Scheduler::exit_thread() {
  if (observer_ != nullptr) observer_->leave(current_);
  finish_thread();
  begin_stack(*running_);
  Context never = nullptr;
  switch_context(&never, running_->context);
  __builtin_unreachable();
}

void Scheduler::finish_thread() {
  if (is_overflowed(static_cast<std::size_t>(running_->number)))
    device_fault(cudaErrorLaunchFailure, "%s", stack_overflow);
  Warp& mine = warps_[warp()];
  if (PendingWork* const products = running_worker()->products.get()) products->note_return(live_ - 1);
  --live_;
  if (ConcurrentBlocks* grid = running_worker()->grid) grid->note_return();
  if (Cluster* cluster = running_worker()->cluster) cluster->note_return(static_cast<unsigned>(current_));
  note_progress();
  if (PendingWork* const copies = running_worker()->copies.get()) copies->note_return(live_);
  mine.live &= ~(1u << lane());
  forget(mine, lane());
  if (arrived_ != 0 && arrived_ == live_)
    open_barrier(*barrier_site_);  // it was the last that they waited for
  if (any_named_barrier_) leave_named_barriers();
  for (unsigned waiting = mine.exchanging; waiting != 0;
       waiting &= waiting - 1)  // a returned lane is waited for no longer
    if (const int other = std::countr_zero(waiting); mine.exchanging >> other & 1)
      complete_exchange(mine, warp(), other);
}

void Scheduler::switch_to(Fiber* fiber) {
  isolation::change_thread();
  Fiber* self = running_;
  running_ = fiber;
  switch_context(&self->context, fiber->context);
}

int Scheduler::take_ready(std::size_t warp, int lane) {
  Warp& w = warps_[warp];
  w.ready &= ~(1u << lane);
  if (w.ready == 0) warps_ready_ &= ~(1u << warp);
  return static_cast<int>(warp) * warp_size + lane;
}

int Scheduler::choose_near() {
  const std::size_t mine = warp();
  if (observer_ != nullptr && starts_in(mine))
    return start_next;  // lanes that end at once let no other run ahead
  if (const unsigned ready = warps_[mine].ready) {
    const unsigned later = ready & ~((2u << lane()) - 1);
    return take_ready(mine, std::countr_zero(later != 0 ? later : ready));
  }
  if (next_start_ < threads_) return start_next;
  if (warps_ready_ == 0) return nobody;
  const unsigned later = warps_ready_ & ~((2u << mine) - 1);
  const auto next = static_cast<std::size_t>(std::countr_zero(later != 0 ? later : warps_ready_));
  return take_ready(next, std::countr_zero(warps_[next].ready));
}

int Scheduler::choose_fair() {
  if (next_start_ < threads_) return start_next;
  const std::size_t mine = warp();
  // Lanes that poll, and then vote on what they have seen, begin again before the last of them had its turn.
  const bool stays = warps_[mine].exchanging == 0 && turns_in_warp_++ < warp_size;
  const unsigned later = warps_[mine].ready & ~((2u << lane()) - 1);
  if (stays && later != 0) return take_ready(mine, std::countr_zero(later));
  turns_in_warp_ = 0;
  if (warps_ready_ == 0) return nobody;
  const unsigned warps = warps_ready_ & ~((2u << mine) - 1);
  const auto next = static_cast<std::size_t>(std::countr_zero(warps != 0 ? warps : warps_ready_));
  const Warp& chosen = warps_[next];
  const unsigned after_last = chosen.ready & ~((2u << chosen.yielded) - 1);
  return take_ready(next, std::countr_zero(after_last != 0 ? after_last : chosen.ready));
}

// The calling thread waits and `thread` runs. Returns when the caller has been chosen again.
void Scheduler::go_on_with(int thread) {
  const int self = current_;
  for (; thread == nobody; thread = choose_near()) wait_for_other_blocks();
  if (thread == self) return;
  const uint3 index = current_indices.thread;
  fiber_of_[static_cast<std::size_t>(self)] = running_;
  must_start_ = thread == start_next;
  switch_to(thread == start_next ? idle_fiber() : fiber_of_[static_cast<std::size_t>(thread)]);
  current_ = self;
  current_indices.thread = index;
  if (observer_ != nullptr) observer_->resume(self);
}

int Scheduler::barrier(bool predicate, const Site& site) {
  if (arrived_ == 0) {
    barrier_site_ = &site;
    predicates_ = 0;
  } else if (!same_place(*barrier_site_, site)) {
    device_fault_at(site, FaultKind::divergent_barrier, cudaErrorLaunchFailure,
                    "the thread waits in the %s at %s:%d, while %d thread%s of its block "
                    "wait%s in the %s at %s:%d",
                    site.what, site.file, site.line, arrived_, arrived_ == 1 ? "" : "s",
                    arrived_ == 1 ? "s" : "", barrier_site_->what, barrier_site_->file, barrier_site_->line);
  }
  site_[static_cast<std::size_t>(current_)] = &site;
  predicates_ += predicate;
  if (++arrived_ < live_) {
    go_on_with(choose_near());
    return predicates_result_;
  }
  open_barrier(site);
  take_ready(warp(), lane());
  return predicates_result_;
}

// All threads that have not returned wait at the block's barrier: they go on.
void Scheduler::open_barrier(const Site& site) {
  if (observer_ != nullptr) observer_->barrier(site);
  arrived_ = 0;
  predicates_result_ = predicates_;
  ++barriers_;
  release_all();
}

void Scheduler::named_barrier(unsigned number, unsigned threads, bool waits, const Site& site) {
  if (!std::exchange(any_named_barrier_, true)) named_barriers_.clear();
  const unsigned in_warp = static_cast<unsigned>(lane());
  named_barriers_.arrive(number, threads, static_cast<unsigned>(warp()), in_warp, live_lanes(), site);
  // An address that no variable has stands for the barrier.
  const std::byte* const token = running_worker()->shared.guard_page() + 128 + number;
  if (observer_ != nullptr) {
    observer_->note_barrier(site);
    observer_->release(token);
  }
  NamedBarriers::Barrier& barrier = named_barriers_[number];
  if (named_barriers_.is_complete(number, static_cast<unsigned>(live_))) {
    named_barriers_.reset(number);
    wake(&barrier);
  } else if (waits) {
    park(&barrier, site, {});
  }
  if (waits && observer_ != nullptr) observer_->acquire(token);
}

// The calling thread has returned: others may have waited for it.
void Scheduler::leave_named_barriers() {
  named_barriers_.leave(static_cast<unsigned>(warp()), static_cast<unsigned>(lane()));
  for (unsigned number = 0; number < NamedBarriers::count; ++number)
    if (named_barriers_.is_complete(number, static_cast<unsigned>(live_))) {
      named_barriers_.reset(number);
      wake(&named_barriers_[number]);
    }
}

void Scheduler::forget(Warp& warp, int lane) {
  Results*& held = warp.result[static_cast<std::size_t>(lane)];
  if (held != nullptr && --held->users == 0) free_results_.push_back(held);
  held = nullptr;
}

// Ends the exchange that `lane` waits in if all its lanes have come.
bool Scheduler::complete_exchange(Warp& warp, std::size_t warp_number, int lane) {
  const auto mine = static_cast<std::size_t>(lane);
  const unsigned members = warp.mask[mine] & warp.live;
  if ((members & ~warp.exchanging) != 0) return false;
  const Site& site = *site_[warp_number * warp_size + mine];
  for (unsigned rest = members; rest != 0; rest &= rest - 1) {
    const auto other = static_cast<std::size_t>(std::countr_zero(rest));
    if (warp.mask[other] != warp.mask[mine] || !same_kind(*site_[warp_number * warp_size + other], site))
      return false;
  }
  note_progress();
  if (observer_ != nullptr) observer_->exchange(site, static_cast<unsigned>(warp_number), members);
  if (free_results_.empty()) free_results_.push_back(&result_storage_.emplace_back());
  Results* results = free_results_.back();
  free_results_.pop_back();
  results->lanes = members;
  results->users = std::popcount(members);
  constexpr unsigned long long poison = poison_word | static_cast<unsigned long long>(poison_word) << 32;
  for (std::size_t i = 0; i < warp_size; ++i) results->values[i] = members >> i & 1 ? warp.value[i] : poison;
  for (unsigned rest = members; rest != 0; rest &= rest - 1)
    warp.result[static_cast<std::size_t>(std::countr_zero(rest))] = results;
  warp.exchanging &= ~members;
  warp.ready |= members;
  warps_ready_ |= 1u << warp_number;
  return true;
}

Exchanged Scheduler::exchange(unsigned mask, unsigned long long value, const Site& site) {
  const std::size_t warp_number = warp();
  Warp& mine = warps_[warp_number];
  const auto me = static_cast<std::size_t>(lane());
  if ((mask >> me & 1) == 0)
    device_fault_at(site, cudaErrorLaunchFailure,
                    "lane %zu calls %s at %s:%d with the mask 0x%08x, which leaves out the lane itself", me,
                    site.what, site.file, site.line, mask);
  forget(mine, static_cast<int>(me));
  mine.mask[me] = mask;
  mine.value[me] = value;
  site_[static_cast<std::size_t>(current_)] = &site;
  mine.exchanging |= 1u << me;
  if (complete_exchange(mine, warp_number, static_cast<int>(me))) {
    take_ready(warp_number, static_cast<int>(me));
    // A warp that does nothing but exchange may wait for what another one does.
    constexpr unsigned exchanges_in_turn = 1u << 14;
    if (++exchanges_ % exchanges_in_turn == 0) {
      turns_in_warp_ = warp_size;
      yield();
    }
  } else {
    go_on_with(choose_near());
  }
  return {mine.result[me]->values.data(), mine.result[me]->lanes};
}

void Scheduler::grid_barrier(const Site& site) {
  site_[static_cast<std::size_t>(current_)] = &site;
  if (running_worker()->grid->arrive(site))
    take_ready(warp(), lane());
  else
    go_on_with(choose_near());
}

void Scheduler::park(const void* key, const Site& site, Patience patience) {
  site_[static_cast<std::size_t>(current_)] = &site;
  parked_[static_cast<std::size_t>(current_)] = key;
  patience_[static_cast<std::size_t>(current_)] = patience;
  go_on_with(choose_near());
}

bool Scheduler::let_time_pass() {
  constexpr int in_vain = 1000;
  constexpr std::chrono::seconds long_enough{1};
  const auto now = std::chrono::steady_clock::now();
  if (progress_ != std::exchange(progress_at_pass_, progress_) || passes_ == 0) {
    passes_ = 0;
    first_pass_ = now;
  }
  if (++passes_ > in_vain) {
    // A block that runs on another core may still change what the threads also look at.
    if (running_worker()->is_alone() || now - first_pass_ > long_enough) return false;
    sched_yield();
  }
  bool any = false;
  for (int t = 0; t < next_start_; ++t) {
    const auto thread = static_cast<std::size_t>(t);
    if (parked_[thread] == nullptr || !patience_[thread].in_time) continue;
    parked_[thread] = nullptr;
    make_ready(t);
    any = true;
  }
  return any;
}

void Scheduler::make_ready(int thread) {
  warps_[static_cast<std::size_t>(thread / warp_size)].ready |= 1u << (thread % warp_size);
  warps_ready_ |= 1u << (thread / warp_size);
}

void Scheduler::wake(const void* key) {
  note_progress();
  for (int t = 0; t < next_start_; ++t) {
    if (parked_[static_cast<std::size_t>(t)] != key) continue;
    parked_[static_cast<std::size_t>(t)] = nullptr;
    make_ready(t);
  }
}

void Scheduler::release_all() {
  note_progress();
  const std::size_t warps = static_cast<std::size_t>(threads_ + warp_size - 1) / warp_size;
  warps_ready_ = 0;
  for (std::size_t w = 0; w < warps; ++w) {
    warps_[w].ready = warps_[w].live;
    warps_ready_ |= static_cast<std::uint32_t>(warps_[w].live != 0) << w;
  }
}

void Scheduler::yield() {
  if (++fruitless_yields_ % 4096 == 0) {
    if (ConcurrentBlocks* grid = running_worker()->grid)
      grid->let_time_pass();
    else
      let_time_pass();
    sched_yield();
    check_progress(*running_worker());
  }
  if (ConcurrentBlocks* grid = running_worker()->grid; grid != nullptr && ++spins_ >= live_) {
    spins_ = 0;
    grid->give_way(false);
  }
  warps_[warp()].ready |= 1u << lane();
  warps_[warp()].yielded = lane();
  warps_ready_ |= 1u << warp();
  static constexpr Site spinning{"a spin loop", "", 0};
  site_[static_cast<std::size_t>(current_)] = &spinning;
  go_on_with(choose_fair());
}

void Scheduler::let_lane_run(int chosen) {
  int next = start_next;
  if (!starts_in(warp())) {
    if (chosen == lane()) return;
    next = take_ready(warp(), chosen);
  }
  warps_[warp()].ready |= 1u << lane();
  warps_ready_ |= 1u << warp();
  static constexpr Site catching_up{"a long stretch without waiting", "", 0};
  site_[static_cast<std::size_t>(current_)] = &catching_up;
  go_on_with(next);
}

std::uintptr_t Scheduler::stack_begin(int stack) const {
  return reinterpret_cast<std::uintptr_t>(stacks_) + static_cast<std::size_t>(stack) * stack_stride;
}

bool Scheduler::on_current_stack(std::uintptr_t address) const {
  return address - stack_begin(running_->number) < stack_stride;
}

const unsigned long long* Scheduler::exchanged_values() const {
  const Results* const results = warps_[warp()].result[static_cast<std::size_t>(lane())];
  return results == nullptr ? nullptr : results->values.data();
}

uint3 Scheduler::index_of(int thread) const {
  return place_in(current_indices.block_dim, static_cast<unsigned>(thread));
}

void Scheduler::list_waiting(Waiting& waiting, const Indices& indices) const {
  for (int t = 0; t < next_start_; ++t) {
    const Warp& w = warps_[static_cast<std::size_t>(t / warp_size)];
    if ((w.live >> (t % warp_size) & 1) == 0) continue;
    const Site& site = *site_[static_cast<std::size_t>(t)];
    std::string where = std::string(site.what) + " at " + site.file + ":" + std::to_string(site.line);
    if (w.exchanging >> (t % warp_size) & 1) {
      char mask[32];
      std::snprintf(mask, sizeof mask, " (mask 0x%08x)", w.mask[static_cast<std::size_t>(t % warp_size)]);
      where += mask;
    }
    const void* const key = parked_[static_cast<std::size_t>(t)];
    const Patience& patience = patience_[static_cast<std::size_t>(t)];
    if (key != nullptr && patience.explain != nullptr) where += patience.explain(key, patience.parity);
    Waiting::Group& group = waiting.groups[where];
    if (group.count++ > 0) continue;
    group.first = format(index_of(t));
    if (running_worker()->grid != nullptr) group.first += " of block " + format(indices.block);
  }
}

std::string Scheduler::describe(const Waiting& waiting) {
  std::string summary;
  for (const auto& [where, group] : waiting.groups)
    summary += (summary.empty() ? "" : "; ") + std::to_string(group.count) +
               (group.count == 1 ? " thread" : " threads") + " (first " + group.first + ") in " + where;
  return summary;
}

void Scheduler::wait_for_other_blocks() {
  if (ConcurrentBlocks* grid = running_worker()->grid) {
    if (!grid->give_way(true) && !grid->let_time_pass()) grid->report_deadlock();
    return;
  }
  if (let_time_pass()) return;
  Waiting waiting;
  list_waiting(waiting, current_indices);
  device_fault_at(*site_[static_cast<std::size_t>(current_)], FaultKind::deadlock, cudaErrorLaunchFailure,
                  "all threads of the block wait for each other in different places: %s",
                  describe(waiting).c_str());
}

}  // namespace warplab::emulator
