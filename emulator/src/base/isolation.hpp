#pragma once

#include <atomic>
#include <cstddef>

namespace warplab::emulator {

/// Software fault isolation, as far as the code that runs kernels needs it; isolation/ implements it. Nothing
/// of this is active until a guarded module is loaded.
class Isolation {
 public:
  virtual ~Isolation() = default;
  /// Ends the program with a report unless `code` is a function of a guarded module.
  virtual void require_entry(const void* code, const char* what) = 0;
  /// Stops the caller unless it may read, or write, these bytes. @param code where it does so, or null
  virtual void require(const void* address, std::size_t bytes, bool write, const void* code) = 0;
  virtual void require_atomic(const void* address, std::size_t bytes, const void* code) = 0;
  /// Whether the bytes are among what a file keeps constant.
  virtual bool is_constant(const void* address, std::size_t bytes) = 0;
  /// A thread begins on this stack: the frames of the one before are gone.
  virtual void begin_thread(int stack) noexcept = 0;
  /// Another thread goes on, or host code: it must not find what the one before has set of the processor.
  virtual void change_thread() noexcept = 0;
  /// A fault has left the frames of the calling OS thread that lie below this one.
  virtual void drop_frames(const void* frame) noexcept = 0;
};

namespace isolation {

/// Set once, by the first guarded module that is loaded.
extern constinit std::atomic<Isolation*> implementation;

/// Whether guarded code has been called since its module was loaded.
extern constinit std::atomic<bool> is_entered;

/// Whether a guarded module is loaded: every thread of a kernel then has a stack of its own.
inline bool active() noexcept { return implementation.load(std::memory_order_relaxed) != nullptr; }

// These do nothing unless it is.

inline void require_entry(const void* code, const char* what) {
  if (active()) implementation.load(std::memory_order_relaxed)->require_entry(code, what);
}
inline void require(const void* address, std::size_t bytes, bool write, const void* code) {
  if (active()) implementation.load(std::memory_order_relaxed)->require(address, bytes, write, code);
}
inline bool is_constant(const void* address, std::size_t bytes) {
  return active() && implementation.load(std::memory_order_relaxed)->is_constant(address, bytes);
}
/// An atomic operation. Of device memory each must have been announced as one.
inline void require_atomic(const volatile void* address, std::size_t bytes, const void* code) {
  if (active())
    implementation.load(std::memory_order_relaxed)
        ->require_atomic(const_cast<const void*>(address), bytes, code);
}
inline void begin_thread(int stack) noexcept {
  if (active()) implementation.load(std::memory_order_relaxed)->begin_thread(stack);
}
inline void change_thread() noexcept {
  if (active()) implementation.load(std::memory_order_relaxed)->change_thread();
}
/// The frames below the caller's.
[[gnu::always_inline]] inline void drop_frames() noexcept {
  if (active()) implementation.load(std::memory_order_relaxed)->drop_frames(__builtin_frame_address(0));
}
/// What the runtime does for guarded code: it may touch these bytes only if that code may. The access counts
/// as announced.
void permit(const void* address, std::size_t bytes, bool write);

}  // namespace isolation
}  // namespace warplab::emulator
