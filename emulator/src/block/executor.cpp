#include "emulator/src/block/executor.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>

#include "emulator/src/base/environment.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/isolation.hpp"
#include "emulator/src/base/order_seed.hpp"
#include "emulator/src/base/pool.hpp"
#include "emulator/src/block/child_launches.hpp"
#include "emulator/src/block/concurrent_blocks.hpp"
#include "emulator/src/block/faults.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/memory/memory.hpp"
#include "warplab_emulator/launch/launch_totals.hpp"

namespace warplab::emulator {

namespace {

using Clock = std::chrono::steady_clock;

LaunchTotals counted{};  // under the device lock

unsigned long long random_of(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

bool always_fibers() {
  static const bool wanted =
      environment_number("WARPLAB_FIBERS", 0, 1, 0, "threads take a fiber only where they need it") != 0;
  return wanted || isolation::active();
}

Worker& this_worker() {
  thread_local Worker worker;
  return worker;
}

// Neighbouring blocks go to the same OS thread, so that its caches serve them; the
// order of these chunks is shuffled.
void plan(Job& job, const Launch& launch) {
  job.launch = &launch;
  job.blocks = count_in(launch.grid);
  job.together = launch.cooperative ? 1 : count_in(launch.cluster);
  job.units = job.blocks / job.together;
  job.chunk = std::clamp(job.units / (static_cast<unsigned long long>(pool_size()) * 64), 1ull, 64ull);
  job.chunks = (job.units + job.chunk - 1) / job.chunk;
  if (launch.in_order) {
    job.chunk = 1;
    job.chunks = job.units;
    return;
  }
  if (job.units == 1) return;
  const unsigned long long random = random_of(order_seed() ^ random_of(counted.launches));
  job.reverse = random & 1;
  job.offset = (random >> 8) % job.chunks;
  job.multiplier = random_of(random) % job.chunks | 1;
  while (std::gcd(job.multiplier, job.chunks) != 1) ++job.multiplier;
}

/// The chunk that is handed out at this turn.
unsigned long long chunk_at(const Job& job, unsigned long long turn) {
  if (job.chunks >> 31 == 0) return (turn * job.multiplier + job.offset) % job.chunks;
  const auto place = static_cast<unsigned __int128>(turn) * job.multiplier + job.offset;
  return static_cast<unsigned long long>(place % job.chunks);
}

void run_block(Worker& worker, Job& job, unsigned long long block) {
  const dim3& grid = job.launch->grid;
  const bool is_row = grid.y == 1 && grid.z == 1;  // most are, and need no division
  current_indices.block = is_row ? uint3{static_cast<unsigned>(block), 0, 0} : place_in(grid, block);
  worker.shared.poison_block();
  job.launch->run_block(job.launch->address);
}

// A fault in a loop over threads does not know its thread. Memory is as good as lost, so the block is run
// once more, thread by thread, to see who faults.
void locate_thread(Worker& worker, Job& job) {
  const Fault first = worker.caught;
  current_block.in_place = false;
  if (sigsetjmp(worker.abandon, 0) == 0) {
    run_block(worker, job, number_in(job.launch->grid, first.block));
    worker.caught = first;
  }
  worker.scheduler.reset();
}

// Whether the lens has run this block already.
bool is_recorded(const Job& job, unsigned long long block) {
  return job.recorded != nullptr && std::binary_search(job.recorded->begin(), job.recorded->end(), block);
}

// Runs the blocks from the next one to `end`, which `end` may wait for, by the kernel's own code.
void run_blocks_before(Worker& worker, Job& job, unsigned long long end) {
  worker.shared.prepare(*job.launch, job.launch->address);
  for (; job.next < end; ++job.next, ++job.finished) run_block(worker, job, job.next);
  ++job.next;
}

// Runs the blocks that the lens watches, one after another, by the kernel's instrumented code.
void record_blocks(Worker& worker, Job& job, LaunchObserver& observer) {
  worker.job = &job;
  worker.seen_progress = ~0ull;
  current_indices.block_dim = job.launch->block;
  current_indices.grid_dim = job.launch->grid;
  worker.scheduler.prepare_stacks(static_cast<int>(count_in(job.launch->block)));
  worker.shared.prepare(*job.launch, observer.code(), true);
  current_block.in_place = false;
  observer.watch(worker.scheduler.stacks(), worker.scheduler.stacks_bytes());
  set_running_worker(&worker);
  if (sigsetjmp(worker.abandon, 0) == 0) {
    for (const std::uint64_t block : observer.blocks()) {
      if (job.launch->in_order) {
        run_blocks_before(worker, job, block);
        worker.shared.prepare(*job.launch, observer.code(), true);
      }
      current_indices.block = place_in(job.launch->grid, block);
      worker.shared.poison_block();
      worker.observer = observer.follow(worker, block);
      worker.scheduler.observe(worker.observer.get());
      job.launch->run_block(observer.code());
      worker.observer->finish();
      worker.scheduler.observe(nullptr);
      worker.observer = nullptr;
      if (job.launch->in_order) ++job.finished;  // the others are counted with their chunk
    }
    job.recorded = &observer.blocks();
  } else {
    isolation::drop_frames();
    worker.scheduler.reset();
    job.failed = true;
    job.fault = worker.caught;
    if (worker.observer != nullptr) worker.observer->finish();
    observer.add_fault(job.fault);
  }
  worker.scheduler.observe(nullptr);
  worker.observer = nullptr;
  observer.set_shared_bytes(static_shared_bytes(observer.code()));
  set_running_worker(nullptr);
  worker.job = nullptr;
}

// The cluster whose first block is the one of this number, if that is the first of one.
std::optional<unsigned long long> cluster_begun_by(const Launch& launch, unsigned long long block) {
  const dim3 grid = launch.grid, shape = launch.cluster;
  const uint3 at = place_in(grid, block);
  if (at.x % shape.x != 0 || at.y % shape.y != 0 || at.z % shape.z != 0) return std::nullopt;
  return number_in({grid.x / shape.x, grid.y / shape.y, grid.z / shape.z},
                   {at.x / shape.x, at.y / shape.y, at.z / shape.z});
}

// Blocks of a cluster by rank: their numbers in the grid.
std::vector<unsigned long long> blocks_of_cluster(const Launch& launch, unsigned long long cluster) {
  const dim3 grid = launch.grid, shape = launch.cluster;
  const unsigned long long across = grid.x / shape.x, down = grid.y / shape.y;
  const unsigned long long x0 = cluster % across * shape.x, y0 = cluster / across % down * shape.y,
                           z0 = cluster / across / down * shape.z;
  std::vector<unsigned long long> blocks;
  for (unsigned z = 0; z < shape.z; ++z)
    for (unsigned y = 0; y < shape.y; ++y)
      for (unsigned x = 0; x < shape.x; ++x)
        blocks.push_back(x0 + x + grid.x * (y0 + y + 1ull * grid.y * (z0 + z)));
  return blocks;
}

// They begin in an order that is shuffled.
void shuffle_blocks(std::vector<unsigned long long>& blocks, unsigned long long salt) {
  std::shuffle(blocks.begin(), blocks.end(),
               std::minstd_rand(static_cast<unsigned>(order_seed() + counted.launches + salt)));
}

void note_failure(Worker& worker, Job& job) {
  static std::mutex first_fault;
  const std::lock_guard lock(first_fault);
  if (!job.failed.exchange(true)) job.fault = worker.caught;
}

// Whether the block that has ended kept to its dynamic shared memory, also where no page stops it.
bool kept_to_dynamic_shared(Worker& worker, Job& job) {
  const std::byte* const byte = worker.shared.overwritten_slack();
  if (byte == nullptr) return true;
  worker.caught = Fault{};
  worker.caught.error = cudaErrorIllegalAddress;
  worker.caught.block = current_indices.block;
  worker.caught.what = "one of its threads has written " +
                       std::to_string(byte - worker.shared.dynamic_begin() -
                                      static_cast<std::ptrdiff_t>(worker.shared.dynamic_bytes())) +
                       " bytes past the end of the " + std::to_string(worker.shared.dynamic_bytes()) +
                       " bytes of dynamic shared memory that the launch asked for; the lens shows the line "
                       "(WARPLAB_LENS=1)";
  note_failure(worker, job);
  return false;
}

// Hands out chunks of the launch to the calling OS thread until there are none, or `run(unit)` returns false.
template <class Run>
void take_chunks(Job& job, bool may_call_for_help, Run run) {
  while (!job.failed.load(std::memory_order_relaxed)) {
    const unsigned long long turn = job.next.fetch_add(1, std::memory_order_relaxed);
    if (turn >= job.chunks) break;
    const unsigned long long first = chunk_at(job, turn) * job.chunk;
    const unsigned long long last = std::min(first + job.chunk, job.units) - 1;
    for (unsigned long long k = 0; k <= last - first; ++k)
      if (!run(job.reverse ? last - k : first + k)) return;
    if (job.together == 1) job.finished.fetch_add(last - first + 1, std::memory_order_relaxed);
    // Waking others costs some microseconds: worth it only for a launch that lasts longer.
    if (may_call_for_help && !job.helped && turn + 1 < job.chunks &&
        Clock::now() - job.began >= std::chrono::microseconds(20)) {
      job.helped = true;
      call_for_help(job.help);
    }
  }
}

void run_clusters(Worker& worker, Job& job, bool may_call_for_help) {
  ConcurrentBlocks cluster(worker, job, job.together, nullptr);
  take_chunks(job, may_call_for_help, [&](unsigned long long number) {
    std::vector<unsigned long long> blocks = blocks_of_cluster(*job.launch, number);
    if (is_recorded(job, blocks.front())) return true;
    shuffle_blocks(blocks, number);
    if (cluster.run(blocks)) return true;
    note_failure(worker, job);
    return false;
  });
}

// Runs the clusters whose blocks the lens watches, one after another. It watches all blocks of a cluster, or
// none.
void record_clusters(Worker& worker, Job& job, LaunchObserver& observer) {
  observer.watch(nullptr, 0);
  ConcurrentBlocks cluster(worker, job, job.together, &observer);
  for (const std::uint64_t block : observer.blocks()) {
    if (job.failed) break;
    const std::optional<unsigned long long> number = cluster_begun_by(*job.launch, block);
    if (!number) continue;
    std::vector<unsigned long long> blocks = blocks_of_cluster(*job.launch, *number);
    shuffle_blocks(blocks, *number);
    if (!cluster.run(blocks)) note_failure(worker, job);
  }
  job.recorded = &observer.blocks();
  observer.set_shared_bytes(static_shared_bytes(observer.code()));
}

void run_chunks(Worker& worker, Job& job, bool may_call_for_help) {
  if (job.together != 1) return run_clusters(worker, job, may_call_for_help);
  worker.job = &job;
  worker.seen_progress = ~0ull;
  current_indices.block_dim = job.launch->block;
  current_indices.grid_dim = job.launch->grid;
  worker.shared.prepare(*job.launch, job.launch->address);
  current_block.in_place = !always_fibers();
  set_running_worker(&worker);
  if (sigsetjmp(worker.abandon, 0) == 0) {
    take_chunks(job, may_call_for_help, [&](unsigned long long block) {
      if (is_recorded(job, block)) return true;
      run_block(worker, job, block);
      return kept_to_dynamic_shared(worker, job);
    });
  } else {
    isolation::drop_frames();
    worker.scheduler.reset();
    if (!worker.caught.thread_known) locate_thread(worker, job);
    note_failure(worker, job);
  }
  set_running_worker(nullptr);
  worker.job = nullptr;
}

// The lens wants no other blocks to run than those that it has recorded.
void count_as_run(Job& job) {
  if (job.together == 1) job.finished = job.blocks;
}

void run_side_by_side(Worker& worker, Job& job, LaunchObserver* observer) {
  if (observer != nullptr) observer->watch(nullptr, 0);
  std::vector<unsigned long long> blocks(job.blocks);
  std::iota(blocks.begin(), blocks.end(), 0ull);
  shuffle_blocks(blocks, 0);
  if (!ConcurrentBlocks(worker, job, job.blocks, observer).run(blocks)) note_failure(worker, job);
}

// Lets a kernel touch the memory that its arguments point to.
// @return cudaErrorIllegalAddress, explained, for memory of the host
cudaError_t open_arguments(const Launch& launch) {
  for (const PointerArgument& pointer : launch.pointers) {
    if (pointer.value == nullptr) continue;
    const void* const before = static_cast<const char*>(pointer.value) - 1;  // where an array ends there
    if (space_of(pointer.value) == Space::host && space_of(before) == Space::host) {
      report(
          "argument %d of kernel '%s' (launched at %s:%d) is a pointer to host memory, which most GPUs "
          "can't reach; pass memory from cudaMalloc, or copy the data to it first",
          pointer.index, launch.kernel, launch.file, launch.line);
      return cudaErrorIllegalAddress;
    }
    open_for_device(pointer.value);
  }
  return cudaSuccess;
}

}  // namespace

LaunchTotals launch_totals() { return counted; }

void count_transfer() { ++counted.transfers; }

cudaError_t execute_grid(const Launch& launch, Children& children) {
  if (const cudaError_t error = open_arguments(launch)) return error;
  Job job;
  job.children = &children;
  plan(job, launch);
  const bool may_call_for_help = job.chunks > 1 && pool_size() > 1;
  if (may_call_for_help) job.began = Clock::now();
  Worker& worker = this_worker();
  const unsigned long long barriers_before = worker.barriers();
  std::atomic<unsigned long long> barriers{0};
  job.help = [&] {
    Worker& helper = this_worker();
    const unsigned long long before = helper.barriers();
    run_chunks(helper, job, false);
    barriers += helper.barriers() - before;
  };
  LaunchObserver* const observer = children.watcher.begin(launch, children.lineage);
  if (observer != nullptr && !launch.cooperative && job.together == 1) record_blocks(worker, job, *observer);
  if (observer != nullptr && job.together != 1) record_clusters(worker, job, *observer);
  if (launch.cooperative)
    run_side_by_side(worker, job, observer);
  else if (!job.failed && observer != nullptr && observer->is_sole_purpose())
    count_as_run(job);
  else if (!job.failed)
    run_chunks(worker, job, may_call_for_help);
  if (job.helped) await_helpers();
  if (observer != nullptr) observer->close();
  ++counted.launches;
  counted.blocks += job.finished;
  counted.threads += job.finished * count_in(launch.block);
  counted.barriers += barriers + worker.barriers() - barriers_before;
  if (job.failed) {
    report_fault(job);
    return job.fault.error;
  }
  return check_guard_zones(launch.kernel);
}

}  // namespace warplab::emulator
