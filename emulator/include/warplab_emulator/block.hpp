#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "warplab_emulator/extern_shared.hpp"
#include "warplab_emulator/lens_markers.hpp"
#include "warplab_emulator/thread.hpp"

namespace warplab::emulator {

/// How the threads of a block are run; the translator decides for each kernel.
enum class Threads {
  in_place,  ///< one after another in a loop: nothing in the kernel waits for another thread
  fibers     ///< each on a stack of its own, switched where it waits
};

/// The block that the calling OS thread runs.
struct BlockState {
  bool in_place;        ///< false: run even in-place kernels on fibers (debugging, locating a fault)
  void** shared_slots;  ///< by site: where a __shared__ variable lies, or null before its first use
  std::byte* dynamic_shared;
  std::byte* shared_begin;   ///< where shared addresses of PTX begin
  std::size_t shared_bytes;  ///< that shared addresses reach
  unsigned dynamic_window;   ///< the shared address of dynamic_shared
};
extern __constinit WARPLAB_EMULATOR_TLS thread_local BlockState current_block;

/// Runs `entry(body)` once for each thread of the block, on fibers.
void run_on_fibers(void (*entry)(const void* body), const void* body);

/// Runs a kernel's body for each thread of the calling OS thread's block. Each CUDA thread gets a copy of the
/// body, and with it of the kernel's arguments.
template <Threads threads, class Body>
inline void run_threads(const Body& body) {
  if constexpr (threads == Threads::in_place) {
    if (current_block.in_place) [[likely]] {
      const dim3 size = current_indices.block_dim;
      for (unsigned z = 0; z < size.z; ++z)
        for (unsigned y = 0; y < size.y; ++y)
#pragma GCC ivdep
          for (unsigned x = 0; x < size.x; ++x) {
            Body thread_body = body;
            thread_body(uint3{x, y, z});
          }
      return;
    }
  }
  run_on_fibers(
      [](const void* shared_body) {
        Body thread_body = *static_cast<const Body*>(shared_body);
        thread_body(current_indices.thread);
      },
      &body);
}

/// Memory for `bytes` that the calling OS thread keeps until the block's next
/// region but one; 64-byte aligned.
void* region_memory(std::size_t bytes);
void count_barrier() noexcept;

/// Runs a region of a block for each thread; what it returns is the thread's next region.
template <class Region>
inline void run_next_regions(Region* regions, unsigned count) {
  using Next = decltype(regions->operator()());
  if constexpr (std::is_void_v<Next>) {
#pragma GCC ivdep
    for (unsigned t = 0; t < count; ++t) regions[t]();
  } else {
    Next* next = static_cast<Next*>(region_memory(sizeof(Next) * count));
    for (unsigned t = 0; t < count; ++t) new (next + t) Next(regions[t]());
    count_barrier();
    run_next_regions(next, count);
  }
}

/// Runs a kernel that its barriers cut into regions: `body(threadIdx)` runs the first and returns the second,
/// with copies of the thread's variables. No thread needs a stack of its own.
template <class Body>
inline void run_regions(const Body& body) {
  using Next = decltype(Body(body)(uint3{}));
  const dim3 size = current_indices.block_dim;
  Next* next = static_cast<Next*>(region_memory(sizeof(Next) * size.x * size.y * size.z));
  Next* place = next;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x) {
        Body thread_body = body;
        new (place++) Next(thread_body(uint3{x, y, z}));
      }
  count_barrier();
  run_next_regions(next, size.x * size.y * size.z);
}

/// A number for a `__shared__` declaration, dense from 0.
int new_shared_site();
template <class Tag, class T>
inline const int shared_site = new_shared_site();

/// Gives a `__shared__` variable its place in the block's shared memory, at its first use.
void* place_shared(int site, std::size_t bytes, std::size_t alignment, const char* name, const char* file,
                   int line);

/// The block's instance of a `__shared__` variable; `Tag` is a type of its own for each declaration.
template <class Tag, class T>
WARPLAB_INLINE_IF_INSTRUMENTED T& static_shared(const char* name, std::size_t alignment, const char* file,
                                                int line) {
  using Element = std::remove_all_extents_t<T>;
  void* place = current_block.shared_slots[shared_site<Tag, T>];
  if (place == nullptr) [[unlikely]]
    place = place_shared(shared_site<Tag, T>, sizeof(T),
                         alignment > alignof(Element) ? alignment : alignof(Element), name, file, line);
  return *static_cast<T*>(place);
}

/// `extern __shared__ T name[]`: the block's dynamic shared memory. `Name` is that of the variable.
template <class T, class Name>
WARPLAB_INLINE_IF_INSTRUMENTED T& dynamic_shared() {
  static_assert(sizeof(ExternShared<Name, WithoutBound<T>>) > 0);
  return *reinterpret_cast<std::remove_reference_t<T>*>(current_block.dynamic_shared);
}

/// From now on dynamic shared memory begins at a multiple of `bytes`, 128 to 1024.
struct DynamicAlignment {
  explicit DynamicAlignment(std::size_t bytes) noexcept;
};

/// Makes a `__device__` or `__constant__` variable known to the runtime.
struct SymbolRegistration {
  /// `file` and `line` are those of its declaration.
  SymbolRegistration(const volatile void* address, std::size_t bytes, const char* name, bool constant,
                     const char* file, int line);
};

}  // namespace warplab::emulator
