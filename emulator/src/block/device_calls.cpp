// What a running thread calls (warplab_emulator/block/thread.hpp, block.hpp, coroutine.hpp,
// kept_memory.hpp).

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/isolation.hpp"
#include "emulator/src/block/concurrent_blocks.hpp"
#include "emulator/src/block/faults.hpp"
#include "emulator/src/block/worker.hpp"
#include "warplab_emulator/block/block.hpp"
#include "warplab_emulator/block/coroutine.hpp"
#include "warplab_emulator/block/kept_memory.hpp"

namespace warplab::emulator {

constinit thread_local Indices current_indices{};
constinit thread_local BlockState current_block{};

void run_on_fibers(void (*entry)(const void*), const void* body) {
  Worker* worker = running_worker();
  if (worker == nullptr) {
    report("a kernel was called like a function; launch it with <<<grid, block>>>");
    std::abort();
  }
  isolation::require_entry(reinterpret_cast<const void*>(entry), "runs");
  if (worker->copies != nullptr) worker->copies->clear();
  if (worker->cluster_of_one != nullptr) {
    worker->cluster_of_one = nullptr;
    worker->cluster = nullptr;
  }
  if (worker->products != nullptr) worker->products->clear();
  worker->warp_arrivals.clear();  // of a block that a fault ended some may be left
  worker->scheduler.run(entry, body);
}

void* kept_memory(std::size_t bytes) noexcept {
  Worker& worker = *running_worker();
  constexpr std::size_t alignment = 64;
  bytes = (bytes + alignment - 1) & ~(alignment - 1);
  std::vector<KeptChunk>& chunks = worker.kept_memory;
  KeptMark& mark = worker.kept;
  for (; mark.chunk < chunks.size() && mark.used + bytes > chunks[mark.chunk].bytes;
       mark = {mark.chunk + 1, 0})
    ;
  if (mark.chunk == chunks.size()) {
    const std::size_t wanted =
        std::max(bytes, chunks.empty() ? std::size_t{256} * 1024 : 2 * chunks.back().bytes);
    chunks.push_back({std::make_unique_for_overwrite<std::byte[]>(wanted + alignment), wanted});
  }
  std::byte* const begin = chunks[mark.chunk].memory.get();
  std::byte* const memory =
      begin + (alignment - reinterpret_cast<std::size_t>(begin) % alignment) + mark.used;
  mark.used += bytes;
  return memory;
}

void reset_kept_memory() noexcept {
  Worker& worker = *running_worker();
  if (worker.kept_memory.size() > 1)
    worker.kept_memory.erase(worker.kept_memory.begin(), worker.kept_memory.end() - 1);
  worker.kept = {0, 0};
}

KeptMark kept_mark() noexcept { return running_worker()->kept; }
void release_kept(KeptMark mark) noexcept { running_worker()->kept = mark; }

void report_divergence(unsigned a, const Site& site_a, unsigned b, const Site& site_b) {
  const auto index = [](unsigned thread) { return place_in(current_indices.block_dim, thread); };
  device_fault_in(index(b), FaultKind::divergent_barrier, cudaErrorLaunchFailure,
                  "the thread waits in the %s at %s:%d, while thread %s waits in the %s at %s:%d; "
                  "all threads of a block that have not returned must wait at the same __syncthreads()",
                  site_b.what, site_b.file, site_b.line, format(index(a)).c_str(), site_a.what, site_a.file,
                  site_a.line);
}

void count_barrier() noexcept { ++running_worker()->region_barriers; }

namespace header_calls {
void* place_shared(int site, std::size_t bytes, std::size_t alignment, const char* name, const char* file,
                   int line) {
  Worker& worker = *running_worker();
  void* place = worker.shared.place(site, bytes, alignment, name, file, line);
  if (worker.observer != nullptr) worker.observer->place_shared(place, bytes, name);
  return place;
}
}  // namespace header_calls

bool in_kernel() noexcept { return running_worker() != nullptr; }
int lane() noexcept { return running_worker()->scheduler.lane(); }
unsigned live_lanes() noexcept { return running_worker()->scheduler.live_lanes(); }

namespace {

/// The scheduler of the running threads, which are about to wait for each other. A thread that the translator
/// took for one that does not wait has no stack to wait on.
Scheduler& waiting_threads(const Site& site) {
  Scheduler& scheduler = running_worker()->scheduler;
  if (!scheduler.active()) [[unlikely]]
    device_fault_at(
        site, cudaErrorNotSupported,
        "the emulator did not foresee that the kernel comes to %s at %s:%d, and can't wait there: "
        "run the program with WARPLAB_FIBERS=1, and report the kernel",
        site.what, site.file, site.line);
  return scheduler;
}

}  // namespace

Exchanged exchange(unsigned mask, unsigned long long value, const Site& site) {
  return waiting_threads(site).exchange(mask, value, site);
}

unsigned ballot(unsigned mask, bool predicate, const Site& site) {
  const Exchanged all = exchange(mask, predicate, site);
  unsigned votes = 0;
  for (unsigned i = 0; i < 32; ++i) votes |= static_cast<unsigned>(all.values[i] & 1u) << i;
  return votes & all.lanes;
}

void block_barrier(const Site& site) { waiting_threads(site).barrier(false, site); }
int block_barrier_count(bool predicate, const Site& site) {
  return waiting_threads(site).barrier(predicate, site);
}

void named_barrier(unsigned number, unsigned threads, bool waits, const Site& site) {
  waiting_threads(site).named_barrier(number, threads, waits, site);
}

bool in_cooperative_launch() noexcept {
  return running_worker()->grid != nullptr && running_worker()->job->launch->cooperative;
}
void grid_barrier(const Site& site) {
  if (!in_cooperative_launch())
    device_fault(cudaErrorLaunchFailure,
                 "%s at %s:%d needs a cooperative launch: launch the kernel with cudaLaunchCooperativeKernel",
                 site.what, site.file, site.line);
  waiting_threads(site).grid_barrier(site);
}

void exit_thread(const Site& site) {
  Scheduler& scheduler = running_worker()->scheduler;
  if (isolation::active() || !scheduler.active())
    device_fault_at(site, cudaErrorNotSupported, "a thread cannot end by %s here: return from the kernel",
                    site.what);
  scheduler.exit_thread();
}

void yield() noexcept {
  Worker* worker = running_worker();
  if (worker != nullptr && worker->scheduler.active()) worker->scheduler.yield();
}

}  // namespace warplab::emulator
