#include "emulator/src/tensor_cores/warpgroups.hpp"

#include <cstring>
#include <numeric>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/tensor_cores/wgmma_product.hpp"
#include "emulator/src/tensor_cores/whole_warp.hpp"
#include "warplab_emulator/ptx/ptx_warp.hpp"

namespace warplab::emulator {
namespace {

Warpgroups& warpgroups() {
  Worker& worker = *running_worker();
  if (worker.products == nullptr) worker.products = std::make_unique<Warpgroups>();
  return static_cast<Warpgroups&>(*worker.products);
}

// What guarded code brings may point to anything.
void require_operands(const WgmmaKind& kind, const WgmmaOperands& operands, const void* code) {
  if (!wgmma_exists(kind)) device_fault(illegal_instruction, "wgmma.mma_async: no such product");
  isolation::require(operands.sums, kind.sum_words() * sizeof(unsigned), true, code);
  if (kind.a_in_registers) isolation::require(operands.a, 4 * sizeof(unsigned), false, code);
}

}  // namespace

Warpgroups::Thread& Warpgroups::this_thread() {
  if (threads_.empty()) threads_.resize(1024);
  return threads_[ptx::thread_rank()];
}

void Warpgroups::clear() {
  threads_.clear();
  for (Warpgroup& group : warpgroups_) group.arrived = 0;
}

void Warpgroups::require_same(const Warpgroup& group, const WgmmaKind& kind, const WgmmaOperands& mine,
                              const Site& site) const {
  if (!same_place(*group.site, site) || !(group.kind == kind))
    device_fault(illegal_instruction,
                 "%s at %s:%d: other threads of the warpgroup are at %s at %s:%d; all 128 must execute the "
                 "same wgmma",
                 site.what, site.file, site.line, group.site->what, group.site->file, group.site->line);
  const WgmmaOperands& first = group.operands[group.first];
  if ((kind.a_in_registers || mine.a_matrix == first.a_matrix) && mine.b_matrix == first.b_matrix &&
      mine.add == first.add)
    return;
  device_fault(illegal_instruction,
               "%s at %s:%d: the threads of the warpgroup give different %s; these must be the same in all "
               "128",
               site.what, site.file, site.line, mine.add != first.add ? "values of scale-d" : "descriptors");
}

void Warpgroups::multiply(const WgmmaKind& kind, const WgmmaOperands& operands, const Site& site,
                          const void* code) {
  const unsigned me = ptx::thread_rank();
  Warpgroup& group = group_of(me);
  if (const unsigned last = me / threads * threads + threads; last > ptx::block_threads())
    device_fault(
        illegal_instruction,
        "%s at %s:%d: a warpgroup is four warps that begin at a multiple of four; warps %u to %u are "
        "not all there in a block of %u threads",
        site.what, site.file, site.line, last / 32 - 4, last / 32 - 1, ptx::block_threads());
  for (unsigned warp = me / threads * 4; warp < me / threads * 4 + 4; ++warp)
    if (running_worker()->scheduler.live_lanes_of(warp) != ~0u)
      device_fault(illegal_instruction,
                   "%s at %s:%d: threads of warp %u, in the same warpgroup, have returned", site.what,
                   site.file, site.line, warp);
  Thread& thread = this_thread();
  if (!thread.fenced)
    device_fault(illegal_instruction,
                 "%s at %s:%d: there is no wgmma.fence.sync.aligned before the thread's first product",
                 site.what, site.file, site.line);
  ++thread.open;
  thread.last = site;
  if (group.arrived == 0) {
    group.site = &site;
    group.kind = kind;
    group.first = me % threads;
  } else {
    require_same(group, kind, operands, site);
  }
  group.operands[me % threads] = operands;
  if (++group.arrived < threads) return running_worker()->scheduler.park(&group, site, {});
  group.arrived = 0;
  multiply_matrices(kind, group.operands.data(), site);
  if (running_worker()->observer != nullptr) record(kind, operands, code);
  running_worker()->scheduler.wake(&group);
}

const void* Warpgroups::token(unsigned warpgroup, std::size_t group) {
  return running_worker()->shared.guard_page() + warpgroup * 8 + group % 8;
}

// A product reads until somebody has waited for its group. So that only this orders the reads, one thread
// does them that signals to others least often, the last of the warpgroup.
void Warpgroups::record(const WgmmaKind& kind, const WgmmaOperands& operands, const void* code) {
  const unsigned warpgroup = ptx::thread_rank() / threads, reader = warpgroup * threads + threads - 1;
  record_matrices(kind, operands, reader, code);
  constexpr std::uint64_t lines = 64, bytes = 32;  // of a's tile
  running_worker()->observer->tensor_product(lines * bytes * kind.n, true);
  running_worker()->observer->release_for(reader, token(warpgroup, threads_[reader].closed));
}

void Warpgroups::fence() { this_thread().fenced = true; }

void Warpgroups::commit() {
  Thread& thread = this_thread();
  thread.groups.push_back(thread.open);
  ++thread.closed;
  thread.open = 0;
}

void Warpgroups::wait(unsigned left) {
  Thread& thread = this_thread();
  if (thread.groups.size() <= left) return;
  thread.groups.erase(thread.groups.begin(), thread.groups.end() - static_cast<std::ptrdiff_t>(left));
  if (BlockObserver* const observer = running_worker()->observer.get())
    observer->acquire(token(ptx::thread_rank() / threads, thread.closed - left - 1));
}

void Warpgroups::note_return(int) {
  if (threads_.empty()) return;
  const unsigned me = ptx::thread_rank();
  Warpgroup& group = group_of(me);
  const Thread& thread = threads_[me];
  if (group.arrived != 0)
    device_fault_at(*group.site, illegal_instruction,
                    "the thread has returned without reaching the %s at %s:%d, where %u threads of its "
                    "warpgroup wait; all 128 must execute it",
                    group.site->what, group.site->file, group.site->line, group.arrived);
  const Site& last = thread.last;
  if (thread.open != 0)
    device_fault_at(last, illegal_instruction,
                    "the thread ends before the %s at %s:%d is committed: wgmma.commit_group.sync.aligned "
                    "and wgmma.wait_group.sync.aligned are missing after it",
                    last.what, last.file, last.line);
  if (std::accumulate(thread.groups.begin(), thread.groups.end(), 0u) != 0)
    device_fault_at(last, illegal_instruction,
                    "the thread ends while the %s at %s:%d may still be running: "
                    "wgmma.wait_group.sync.aligned 0 is missing after it",
                    last.what, last.file, last.line);
}

void multiply_warpgroup(const WgmmaKind& kind, const WgmmaOperands& operands, const Site& site) {
  require_whole_warp(site);
  if (isolation::active()) require_operands(kind, operands, __builtin_return_address(0));
  warpgroups().multiply(kind, operands, site, static_cast<const std::byte*>(__builtin_return_address(0)) - 1);
}

// These wait for nobody here: a lane that leaves one out is found at its next product, or when it ends.
void wgmma_fence() { warpgroups().fence(); }
void wgmma_commit() { warpgroups().commit(); }
void wgmma_wait(unsigned left) { warpgroups().wait(left); }

void set_registers(unsigned registers, const Site& site) {
  if (registers < 24 || registers > 256 || registers % 8 != 0)
    device_fault(illegal_instruction, "%s at %s:%d: %u registers; a multiple of 8 from 24 to 256 is allowed",
                 site.what, site.file, site.line, registers);
}

}  // namespace warplab::emulator
