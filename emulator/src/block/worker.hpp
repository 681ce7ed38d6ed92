#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "emulator/src/block/active_lanes.hpp"
#include "emulator/src/block/cluster.hpp"
#include "emulator/src/block/fibers.hpp"
#include "emulator/src/block/observer.hpp"
#include "emulator/src/block/pending_work.hpp"
#include "emulator/src/launch/shared_memory.hpp"
#include "warplab_emulator/block/kept_memory.hpp"
#include "warplab_emulator/launch/launch.hpp"

namespace warplab::emulator {

struct Children;

/// What kind of mistake ended a kernel, where its error does not say so.
enum class FaultKind : std::uint8_t {
  other,
  divergent_barrier,  ///< a thread does not reach a barrier that all threads must reach
  deadlock,           ///< threads wait for each other
  endless             ///< threads go on and never end
};

/// Where and why a kernel failed. The first fault of a launch is the one that is reported.
struct Fault {
  FaultKind kind = FaultKind::other;
  cudaError_t error = cudaSuccess;
  std::string what;  ///< one sentence
  uint3 block{}, thread{};
  bool thread_known = false;
  const void* code = nullptr;  ///< the instruction, to find its line; or null
  const char* file = nullptr;  ///< where the thread waited, if it did; or null
  int line = 0;
};

/// One launch while it runs, shared by the OS threads that run its blocks.
struct Job {
  const Launch* launch = nullptr;
  Children* children = nullptr;                          ///< what its threads launch
  const std::vector<std::uint64_t>* recorded = nullptr;  ///< blocks that the lens has run already, ascending
  unsigned long long blocks = 0;
  unsigned together = 1;                                ///< blocks that run side by side: those of a cluster
  unsigned long long units = 0, chunk = 1, chunks = 0;  ///< clusters or blocks, in chunks
  unsigned long long multiplier = 1, offset = 0;        ///< chunk order: (i * multiplier + offset) mod chunks
  bool reverse = false;                                 ///< order within a chunk
  std::atomic<unsigned long long> next{0};              ///< chunks handed out
  std::atomic<unsigned long long> finished{
      0};  ///< blocks that have ended: what a spinning thread may hope for
  std::atomic<unsigned long long> grid_barriers{0};
  std::atomic<bool> failed{false};
  std::chrono::steady_clock::time_point began;
  std::function<void()> help;  ///< what the pool's other threads run
  bool helped = false;         ///< they have been called
  Fault fault;                 ///< set by whoever turned `failed` on
};

class ConcurrentBlocks;

/// Memory that kept_memory() gives out piece by piece.
struct KeptChunk {
  std::unique_ptr<std::byte[]> memory;
  std::size_t bytes;
};

/// What an OS thread needs to run blocks. Made at its first launch and kept.
struct Worker {
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;

  Job* job = nullptr;
  std::unique_ptr<BlockObserver> observer;  ///< of the block that it runs, if somebody follows it
  ConcurrentBlocks* grid = nullptr;         ///< where blocks run side by side: each has a worker of its own
  Cluster* cluster = nullptr;               ///< of its block; null where the block is one of its own
  Scheduler scheduler;
  SharedMemory shared;
  sigjmp_buf abandon;  ///< where a fault leaves a block to
  std::vector<KeptChunk> kept_memory;
  KeptMark kept{0, 0};  ///< where the next of it is taken
  /// Whether no block of the launch runs elsewhere.
  bool is_alone() const { return job->units == 1 || job->launch->cooperative; }
  unsigned long long region_barriers = 0;
  unsigned long long barriers() const { return region_barriers + scheduler.barriers(); }
  Fault caught;                          ///< what the fault handler or device_fault found
  unsigned long long seen_progress = 0;  ///< of the launch and the block, when it was last looked at
  double stuck_since_s = 0;
  std::vector<WarpArrivals> warp_arrivals;  ///< of its block; empty until a thread asks who is here
  std::unique_ptr<Cluster> cluster_of_one;  ///< null until a block without a cluster uses one
  std::unique_ptr<PendingWork> copies;      ///< an AsynchronousWork; null until a kernel copies so
  std::unique_ptr<PendingWork> fragments;   ///< a WarpOperands; null until a kernel uses wmma or mma
  std::unique_ptr<PendingWork> products;    ///< Warpgroups; null until a kernel uses wgmma
  std::unique_ptr<std::byte[]> signal_stack;
};

/// The calling OS thread's worker, or null outside kernels.
extern constinit thread_local Worker* running;
inline Worker* running_worker() noexcept { return running; }
void set_running_worker(Worker* worker) noexcept;

/// The worker whose block an address of shared memory belongs to: the calling thread's, or one that runs
/// side by side with it; or null.
Worker* owner_of_shared(const void* address) noexcept;

/// Lets the threads of a block go on that wait for `key`, also those of another block of the cluster.
void wake_waiters(Worker& worker, const void* key);

/// Ends the block that the calling OS thread runs: `worker.caught` says why.
[[noreturn]] void abandon_block(Worker& worker);

/// Ends the launch if for a long time no block has finished and none of `worker`'s
/// threads, which spin, got on.
void check_progress(Worker& worker);

/// An index as reports show it: "(1,2,3)".
std::string format(uint3 index);

}  // namespace warplab::emulator
