#pragma once

#include <time.h>

#include "warplab_emulator/block/thread.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator {

#if defined(WARPLAB_INSTRUMENTED)
void note_idle_poll() noexcept;
#else
/// How many polls that changed nothing the OS thread has seen. All its CUDA threads share the count.
inline __constinit thread_local unsigned idle_polls = 0;

/// Called where a spinning thread may poll. Every 16th call lets other CUDA threads run, so that a lock's
/// holder makes progress, while code that merely looks like polling (an atomicMax that loses) stays cheap.
inline void note_idle_poll() noexcept {
  if ((++idle_polls & 15u) == 0) yield();
}
#endif

}  // namespace warplab::emulator

inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE(), int ordinal = 0) {
  warplab::emulator::block_barrier({"__syncthreads", file, line, ordinal});
}

/// How many threads of the block brought a predicate that is not 0.
inline int __syncthreads_count(int predicate, const char* file = __builtin_FILE(),
                               int line = __builtin_LINE(), int ordinal = 0) {
  return warplab::emulator::block_barrier_count(predicate != 0, {"__syncthreads_count", file, line, ordinal});
}

inline int __syncthreads_or(int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE(),
                            int ordinal = 0) {
  return warplab::emulator::block_barrier_count(predicate != 0, {"__syncthreads_or", file, line, ordinal}) !=
         0;
}

inline int __syncthreads_and(int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE(),
                             int ordinal = 0) {
  return warplab::emulator::block_barrier_count(predicate == 0, {"__syncthreads_and", file, line, ordinal}) ==
         0;
}

/// Threads that poll a volatile flag fence in the loop: so a fence counts as a poll.
inline void __threadfence() noexcept {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  warplab::emulator::lens_fence();
  warplab::emulator::note_idle_poll();
}
inline void __threadfence_block() noexcept { __threadfence(); }
inline void __threadfence_system() noexcept { __threadfence(); }

/// Of a launch that may begin before the one before it has ended. Here none does, so there is nothing to wait
/// for, and nobody to tell.
inline void cudaGridDependencySynchronize() noexcept {}
inline void cudaTriggerProgrammaticLaunchCompletion() noexcept {}

/// Lets other threads run; how long the call takes is as undefined as on a GPU.
inline void __nanosleep(unsigned) noexcept { warplab::emulator::yield(); }

/// A clock that never runs backwards, in ns: good for waiting, but not a count of any device's cycles.
inline long long clock64() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

namespace warplab::emulator {
/// What clock() is in device code; a `__host__ __device__` function may also run on the host.
inline clock_t device_clock() noexcept { return in_kernel() ? static_cast<clock_t>(clock64()) : ::clock(); }
}  // namespace warplab::emulator

/// Ends the kernel, as a failed check of the student's own.
[[noreturn]] inline void __trap(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  warplab::emulator::device_fault(719, "__trap() at %s:%d ended the kernel", file, line);
}

/// Without a debugger a breakpoint ends a kernel on a GPU too.
inline void __brkpt(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  warplab::emulator::device_fault(719, "__brkpt() at %s:%d: no debugger is attached to the device", file,
                                  line);
}

inline void __prof_trigger(int) noexcept {}
