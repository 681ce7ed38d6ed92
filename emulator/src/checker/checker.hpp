#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lens/finding.hpp"

namespace warplab::emulator::lens {

/// How memory is accessed, as far as a race depends on it.
enum class AccessKind : std::uint8_t {
  read,
  write,
  atomic,
  volatile_read,
  volatile_write,
  bulk_read,  ///< by the asynchronous proxy: a bulk copy, a tensor core
  bulk_write
};

/// A mistake as the checker knows it: by code addresses, which the caller turns into lines.
struct Mistake {
  warplab::lens::FindingKind kind = warplab::lens::FindingKind::fault;
  const void* code = nullptr;     ///< the access
  const void* other = nullptr;    ///< the access that it collides with, or null
  const void* through = nullptr;  ///< the atomic that both threads go through in between, or null
  uint3 block{}, thread{};
  uint3 other_block{}, other_thread{};
  /// What happened and why, probably. "{other}" and "{through}" stand for file:line of those accesses.
  std::string text;
  /// Of a race: the text where it is part of an update (`bins[i]++`) that two threads make of one element.
  std::string text_of_update;
  warplab::lens::Hint hint =
      warplab::lens::Hint::none;    ///< the likely cause, where it is not part of an update
  bool plain_read_on_host = false;  ///< of what lies outside of all device memory
  int distance = 0;         ///< of a race: how far apart its threads are, in the order of Race::Distance
  std::uint64_t times = 1;  ///< how often this kind was seen at this place
};

/// Watches every memory access and every synchronisation of a launch's recorded blocks. Used by
/// one OS thread. Blocks may run one after another or, in cooperative launches, in turn;
/// threads are numbered within their block.
class Checker {
 public:
  struct Setup {
    dim3 grid, block;
    std::size_t memory_limit = std::size_t{512} << 20;  ///< bytes for what it remembers of global memory
    /// Whether all blocks of the grid are recorded. Otherwise blocks that nobody sees
    /// may order those that are seen.
    bool all_blocks = true;
    /// Where the stacks of the block's threads lie, or null: an address in there
    /// is another thread's variable.
    const std::byte* stacks_begin = nullptr;
    std::size_t stacks_bytes = 0;
  };
  /// The shared memory of a block: what the addresses of its variables lie in. Sizes may grow while the block
  /// runs, as static variables are placed at their first use.
  struct SharedWindow {
    const std::byte* static_begin = nullptr;
    std::size_t static_bytes = 0;
    const std::byte* dynamic_begin = nullptr;
    std::size_t dynamic_bytes = 0;
    /// All addresses that can only be meant for shared memory, guards included; or null.
    const std::byte* area_begin = nullptr;
    std::size_t area_bytes = 0;
  };

  explicit Checker(const Setup& setup);
  ~Checker();
  Checker(const Checker&) = delete;

  /// A block starts; what follows is about it until another one is selected. @return its handle.
  int begin_block(uint3 block, const SharedWindow& shared);
  void select_block(int handle);
  void end_block(int handle);
  void grow_static_shared(std::size_t bytes);
  /// Optional: where a variable of the selected block lies. Once one is known, what lies in no variable is
  /// out of bounds.
  void shared_variable(const void* begin, std::size_t bytes, const char* name);

  /// Before thread `thread` of the selected block touches memory. Its own stack, thread-local and static host
  /// data are not reported here. @param alignment what the address must be a multiple of; 0 for `bytes`,
  /// where that is 1, 2, 4, 8 or 16 (a struct copied whole has any size, and the alignment of its members).
  void access(unsigned thread, const void* address, unsigned bytes, AccessKind kind, const void* code,
              unsigned alignment = 0);

  /// The thread's next access is a compare-and-swap of `bytes` bytes, at most 8, that expects this value. A
  /// plain read of the same bytes that saw it is then no race with other swaps.
  void will_swap(unsigned thread, const void* address, unsigned bytes, std::uint64_t expected);

  // Synchronisation of the selected block.
  void block_barrier();                             ///< all its threads have come to a __syncthreads()
  void warp_barrier(unsigned warp, unsigned mask);  ///< __syncwarp(mask) has been passed
  void fence(unsigned thread);                      ///< __threadfence() or __threadfence_block()
  void grid_barrier();                              ///< all threads of all blocks have come to grid.sync()
  /// All threads of a cluster have come to its barrier. @param blocks handles
  void cluster_barrier(const std::vector<int>& blocks);
  void acquire(unsigned thread, const void* object);  ///< waited for `object` (a barrier, a pipeline stage)
  /// Arrived at `object`: who acquires it later sees what this thread has done. An atomic with
  /// memory_order_release is fence() and then access().
  void release(unsigned thread, const void* object);

  /// fence.proxy.async: what the thread has written may be read by bulk copies.
  void proxy_fence(unsigned thread);

  /// A mistake that the caller has found, in what a thread of the selected block does.
  void report(warplab::lens::FindingKind kind, unsigned thread, const void* code, const std::string& text,
              warplab::lens::Hint hint);

  /// What was found, by place, in the order of first sight.
  std::vector<Mistake> mistakes() const;
  /// Why not everything could be watched (memory limit), or empty.
  std::string gap() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warplab::emulator::lens
