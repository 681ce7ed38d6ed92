#pragma once

#include "vector_types.h"
#include "warplab_emulator/block/extents.hpp"

namespace warplab::emulator {

/// How the compiler reaches the runtime's thread-local state from a module that is loaded later.
#define WARPLAB_EMULATOR_TLS __attribute__((tls_model("initial-exec")))

/// The indices of the CUDA thread that the calling OS thread is running. In kernels the translator shadows
/// threadIdx by a local constant; functions called from kernels read these.
struct Indices {
  uint3 thread, block;
  dim3 block_dim, grid_dim;
};
extern __constinit WARPLAB_EMULATOR_TLS thread_local Indices current_indices;

/// Whether the calling OS thread is running device code.
bool in_kernel() noexcept;

// Collectives: what every warp-wide operation is made of. Lanes are those of the calling thread's warp.

/// Where a collective is in the source; threads of a warp that wait at different places are divergent.
struct Site {
  const char* what;  ///< "__shfl_down_sync"
  const char* file;
  int line;
  /// Tells barriers of one line apart; the translator sets it. For a collective of a warp, `orders_memory` if
  /// what lanes did before it is visible to the others afterwards: shuffles and votes do not do that. (A
  /// member of its own would end in padding, and copying that at every barrier costs as much as the rest.)
  int ordinal = 0;
  static constexpr int orders_memory = -2;
};

/// The calling thread's lane, 0 to 31.
int lane() noexcept;

/// Lanes of the calling thread's warp that exist and have not returned.
unsigned live_lanes() noexcept;

/// What lanes of a warp gave each other.
struct Exchanged {
  const unsigned long long* values;  ///< by lane, all 32; poison of those that did not take part
  unsigned lanes;                    ///< that took part
};

/// Waits until all lanes of `mask` that have not returned have come here, each bringing 8 bytes. What it
/// gives is valid until the lane's next collective. Reports a lane of the mask that waits elsewhere, or a
/// caller that is not in the mask, and then ends the kernel.
Exchanged exchange(unsigned mask, unsigned long long value, const Site& site);

/// Waits until all threads of the block that have not returned have come to the same site. A thread that
/// waits elsewhere is reported as a divergent barrier and ends the kernel.
void block_barrier(const Site& site);

/// As block_barrier, and returns how many threads brought a true predicate.
int block_barrier_count(bool predicate, const Site& site);

/// Arrives at one of the block's 16 barriers for some of its warps (PTX's bar.sync and bar.arrive), and waits
/// there if `waits`. @param threads that are to arrive; 0: all threads of the block that have not returned
void named_barrier(unsigned number, unsigned threads, bool waits, const Site& site);

/// Whether the calling thread's blocks may wait for each other.
bool in_cooperative_launch() noexcept;

/// Waits until all threads of a cooperative launch have come to the same site; reports like block_barrier.
void grid_barrier(const Site& site);

/// A spinning thread calls this after an attempt that failed (an atomic that changed
/// nothing), so that others can run.
void yield() noexcept;

/// Ends the calling thread, as if its kernel had returned (PTX's exit). No destructor runs.
[[noreturn]] void exit_thread(const Site& site);

/// Reports an error in the calling device thread (kernel, block, thread and, where known, line) and ends the
/// kernel with `error`. Does not return.
[[noreturn]] void device_fault(int cuda_error, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// The same for a thread that waits at `site`.
[[noreturn]] void device_fault_at(const Site& site, int cuda_error, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

}  // namespace warplab::emulator
