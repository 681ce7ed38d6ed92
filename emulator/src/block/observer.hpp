#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "warplab_emulator/block/thread.hpp"

// Who watches kernels while they run, as the code that runs them sees it. The lens is the only one
// (recorder/).

namespace warplab::emulator {

struct Fault;
struct Launch;
struct Worker;

/// The place of a launch among those that are recorded.
struct Lineage {
  std::uint64_t number = 0;  ///< its own place, from 1; 0: it is not recorded
  std::uint64_t parent = 0;  ///< who launched it; 0: the host, or a launch that is not recorded
  std::uint32_t depth = 0;   ///< launches between it and the host
};

/// Follows the threads of one block.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;

  // Which thread runs.
  virtual void resume(int thread) = 0;  ///< this thread runs from now on
  virtual void leave(int thread) = 0;   ///< it has ended
  virtual void rest() = 0;              ///< another block has its turn
  virtual void wake() = 0;              ///< the thread that ran before rest() goes on
  /// All threads have ended, or the block is given up.
  virtual void finish() = 0;

  // How threads wait for each other.
  virtual void barrier(const Site& site) = 0;  ///< all threads of the block have arrived
  virtual void meet(const Site& site) = 0;     ///< all threads of the grid have arrived
  virtual void note_barrier(
      const Site& site) = 0;  ///< a thread arrives at one of its cluster, or of some warps
  /// All threads of the cluster have arrived. @param blocks those of its observers that have not finished
  virtual void meet_cluster(const std::vector<BlockObserver*>& blocks) = 0;
  /// Lanes of a warp have met.
  virtual void exchange(const Site& site, unsigned warp, unsigned mask) = 0;
  /// The running thread passes on what it has seen to those that acquire `object` later.
  virtual void release(const void* object) = 0;
  virtual void release_for(unsigned thread, const void* object) = 0;
  virtual void acquire(const void* object) = 0;
  virtual void fence_async_proxy() = 0;

  // What the running thread does without a load or store of its own. `code` is the instruction.
  virtual void place_shared(const void* variable, std::size_t bytes, const char* name) = 0;
  /// A bulk copy reads or writes shared memory: the access is checked, not counted.
  virtual void bulk_access(const void* address, std::size_t bytes, bool write, const void* code) = 0;
  /// A bulk copy writes global memory: the access is checked and counted.
  virtual void bulk_store(const void* address, std::size_t bytes, bool combines, const void* code) = 0;
  /// cp.async or st.async writes shared memory: the access is counted, not checked. @param from what it
  /// copies, or null
  virtual void copy_write(const void* address, std::size_t bytes, const void* from, const void* code) = 0;
  /// The thread starts asynchronous copies again, after a wait. @param most bytes of its copies under way
  /// before the wait @param left those after it
  virtual void note_copies_under_way(std::uint64_t most, std::uint64_t left) = 0;
  /// A bulk copy reads a line of a tensor. @param first sectors that the copy has read before
  /// @return sectors
  virtual unsigned tensor_load(const void* address, std::size_t bytes, unsigned first, const void* code) = 0;
  /// A warp or a warpgroup multiplies matrices. @param flops as if operands had 16 bits
  virtual void tensor_product(std::uint64_t flops, bool of_warpgroup) = 0;
  /// A tensor core reads shared memory for `thread`, of the running thread's warpgroup.
  virtual void tensor_core_read(unsigned thread, const void* address, std::size_t bytes,
                                const void* code) = 0;
};

/// Follows one launch, on the OS thread that begins it.
class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;

  /// The code that runs in the kernel's place: its instrumented build.
  virtual const void* code() const = 0;
  /// The blocks that it follows, ascending, by their number in the grid.
  virtual const std::vector<std::uint64_t>& blocks() const = 0;
  /// Whether the other blocks are not to run at all.
  virtual bool is_sole_purpose() const = 0;
  /// Before the first block: where the stacks of its threads lie, or null.
  virtual void watch(const std::byte* stacks, std::size_t stacks_bytes) = 0;
  /// The block that current_indices describes begins. @param block its number in the grid
  virtual std::unique_ptr<BlockObserver> follow(Worker& worker, std::uint64_t block) = 0;
  /// All threads of a cooperative launch have arrived at a barrier.
  virtual void grid_barrier() = 0;
  /// Why the launch has failed.
  virtual void add_fault(const Fault& fault) = 0;
  /// Static shared memory of the kernel.
  virtual void set_shared_bytes(std::size_t fixed) = 0;
  /// The launch has ended.
  virtual void close() = 0;
};

/// Decides which launches are followed.
class LaunchWatcher {
 public:
  virtual ~LaunchWatcher() = default;

  /// @param lineage of this launch: its number is set
  /// @return who follows the launch, and is kept by the watcher; or null
  virtual LaunchObserver* begin(const Launch& launch, Lineage& lineage) = 0;
  /// How many launches from kernels waited to begin at most, of those that follow from a launch by the host.
  virtual void note_pending(const Lineage& lineage, std::uint64_t most) = 0;
  /// The kernel that this code runs in the place of; the code itself, if there is none.
  virtual const void* original_of(const void* code) = 0;
};

}  // namespace warplab::emulator
