#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "warplab_emulator/block/extern_shared.hpp"
#include "warplab_emulator/block/thread.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"

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

/// Calls `run(index, number)` for each thread of a block, in strips of `columns`, down all rows of each: what
/// threads of a column use often lies a power of two apart, where it competes for the same few places in the
/// caches. Threads do not depend on each other, or they race.
template <int columns, class Run>
[[gnu::always_inline]] inline void for_each_thread(const dim3 size, const Run& run) {
  const int width = static_cast<int>(size.x);  // of int, whose sums g++ may take not to wrap
  const int strip = size.y > 1 ? columns : width;
  for (unsigned z = 0; z < size.z; ++z)
    for (int left = 0; left < width; left += strip) {
      const int right = left + strip < width ? left + strip : width;
      int row = static_cast<int>(z * size.y * size.x);
      for (unsigned y = 0; y < size.y; ++y, row += width)
#pragma GCC ivdep
        for (int x = left; x < right; ++x) run(uint3{static_cast<unsigned>(x), y, z}, row + x);
    }
}

/// A copy of a kernel's body, and with it of the kernel's arguments, that is not destroyed: CUDA destroys
/// arguments on the host only.
template <class Body>
struct Undestroyed {
  union {
    Body body;
  };
  ~Undestroyed() {}
};
template <class Body>
Undestroyed(Body) -> Undestroyed<Body>;

/// Runs a kernel's body for each thread of the calling OS thread's block. Each CUDA thread gets a copy of the
/// body, and with it of the kernel's arguments.
template <Threads threads, class Body>
inline void run_threads(const Body& body) {
  if constexpr (threads == Threads::in_place) {
    if (current_block.in_place) [[likely]] {
      for_each_thread<4>(
          current_indices.block_dim, [&](const uint3 index, int) __attribute__((always_inline)) {
            Body thread_body = body;
            thread_body(index);
          });
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
template <Threads threads, class Body>
inline void run_threads(const Undestroyed<Body>& kept) {
  const auto call = [&body = kept.body](const uint3 threadIdx) __attribute__((always_inline)) {
    Undestroyed<Body> thread_body{body};
    thread_body.body(threadIdx);
  };
  run_threads<threads>(call);
}

/// A number for a `__shared__` declaration, dense from 0.
int new_shared_site();
template <class Tag, class T>
inline const int shared_site = new_shared_site();

namespace header_calls {  // see lens_markers.hpp
/// Gives a `__shared__` variable its place in the block's shared memory, at its first use.
void* place_shared(int site, std::size_t bytes, std::size_t alignment, const char* name, const char* file,
                   int line);
}  // namespace header_calls

/// The block's instance of a `__shared__` variable; `Tag` is a type of its own for each declaration.
template <class Tag, class T>
WARPLAB_INLINE_IF_INSTRUMENTED T& static_shared(const char* name, std::size_t alignment, const char* file,
                                                int line) {
  using Element = std::remove_all_extents_t<T>;
  void* place = current_block.shared_slots[shared_site<Tag, T>];
  if (place == nullptr) [[unlikely]]
    place = header_calls::place_shared(shared_site<Tag, T>, sizeof(T),
                                       alignment > alignof(Element) ? alignment : alignof(Element), name,
                                       file, line);
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
