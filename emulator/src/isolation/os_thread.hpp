#pragma once

#include <pthread.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/src/isolation/shadow_stack.hpp"
#include "emulator/src/isolation/thread_heap.hpp"

namespace warplab::emulator::isolation {

// As the scheduler's, whose header quick checks cannot include.
constexpr std::size_t max_stacks = 1024,
                      stack_stride = std::size_t{33} * 4096;  // only x86-64 has graded code

/// A stretch of device memory that was looked up before, while nothing is allocated or freed.
struct Window {
  std::uintptr_t begin = 0, bytes = 0;
  bool may_write = false;
  bool holds(std::uintptr_t address) const { return address - begin < bytes; }
};

/// The most recent answers on addresses.
template <class Known, std::size_t count>
class RecentLookups {
 public:
  template <class Matches>
  const Known* find(unsigned long long generation, const Matches& matches) {
    if (generation != generation_) {
      all_ = {};
      generation_ = generation;
    }
    return known(generation, matches);
  }
  const Known* add(const Known& known) {
    next_ = (next_ + 1) % count;
    return &(all_[next_] = known);
  }

  /// The same for who must not change anything.
  template <class Matches>
  const Known* known(unsigned long long generation, const Matches& matches) const {
    if (generation != generation_) return nullptr;
    for (const Known& known : all_)
      if (matches(known)) return &known;
    return nullptr;
  }

 private:
  std::array<Known, count> all_{};
  std::size_t next_ = 0;
  unsigned long long generation_ = ~0ull;
};

/// Bytes of the program's own that may be read.
struct Readable {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};

/// What an OS thread knows of the guarded code that it runs.
struct OsThread {
  OsThread() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* begin = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &begin, &bytes);
    pthread_attr_destroy(&attributes);
    stack_begin = reinterpret_cast<std::uintptr_t>(begin);
    stack_end = stack_begin + bytes;
  }
  std::uintptr_t stack_begin = 0, stack_end = 0;
  ShadowStack shadow_stack;  ///< on its own stack
  // Of the block that it runs, by stack:
  std::array<ShadowStack, max_stacks> thread_stacks;
  std::array<ThreadHeap, max_stacks> thread_heaps;
  std::array<std::int64_t, max_stacks> thread_times{};  ///< by the clock that goes on by a step
  std::int64_t host_time = 0;
  bool rounds_otherwise = false;  ///< than to nearest, as guarded code has asked it to
  // Of the block in which an access was checked last.
  std::uintptr_t stacks_begin = 0, shared_begin = 0, slots_begin = 0;
  std::size_t stacks_bytes = 0, shared_bytes = 0, slots_bytes = 0;
  RecentLookups<Window, 4> windows;
  RecentLookups<Readable, 4> readable;
};

extern thread_local constinit OsThread* known_thread;

}  // namespace warplab::emulator::isolation
