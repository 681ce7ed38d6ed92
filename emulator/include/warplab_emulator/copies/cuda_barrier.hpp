#pragma once

// cuda::barrier, and copies onto one.

#include "warplab_emulator/atomics/thread_scope.hpp"
#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/copies/async_copies.hpp"
#include "warplab_emulator/copies/bulk_copies.hpp"
#include "warplab_emulator/copies/phase_barrier.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"

namespace cuda {

/// 8 bytes, usually in shared memory, where one thread initialises it with init().
template <thread_scope Scope>
class barrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;

   private:
    friend barrier;
    explicit arrival_token(unsigned parity) : parity_(parity) {}
    unsigned parity_ = 0;
  };

  barrier() = default;
  explicit barrier(::std::ptrdiff_t expected, WARPLAB_CALLER) { init(this, expected, file, line); }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  /// `expected` threads arrive in each phase.
  friend void init(barrier* where, ::std::ptrdiff_t expected, WARPLAB_CALLER) {
    warplab::emulator::init_barrier(&where->word_, expected, {"cuda::barrier init", file, line});
  }

  static constexpr ::std::ptrdiff_t max() { return warplab::emulator::max_arrivals; }

  [[nodiscard]] arrival_token arrive(::std::ptrdiff_t count = 1, WARPLAB_CALLER) {
    return arrival_token(warplab::emulator::arrive_at(&word_, count, {"cuda::barrier.arrive", file, line}));
  }
  void wait(arrival_token&& token, WARPLAB_CALLER) const {
    warplab::emulator::wait_for_end(&word_, token.parity_, {"cuda::barrier.wait", file, line});
  }
  /// Waits for the end of the phase with this parity: 0 for the first, then 1, 0, ...
  void wait_parity(bool parity, WARPLAB_CALLER) const {
    warplab::emulator::wait_for_end(&word_, parity, {"cuda::barrier.wait_parity", file, line});
  }
  void arrive_and_wait(WARPLAB_CALLER) {
    const warplab::emulator::Site site{"cuda::barrier.arrive_and_wait", file, line};
    warplab::emulator::wait_for_end(&word_, warplab::emulator::arrive_at(&word_, 1, site), site);
  }
  void arrive_and_drop(WARPLAB_CALLER) {
    warplab::emulator::arrive_and_leave(&word_, {"cuda::barrier.arrive_and_drop", file, line});
  }
  bool try_wait(arrival_token&& token, WARPLAB_CALLER) const { return ended(token.parity_, file, line); }
  bool try_wait_parity(bool parity, WARPLAB_CALLER) const { return ended(parity, file, line); }

  /// Where its state is (the emulator's own).
  unsigned long long* word() { return &word_; }

 private:
  bool ended(unsigned parity, const char* file, int line) const {
    const bool is = warplab::emulator::has_ended(&word_, parity, {"cuda::barrier.try_wait", file, line});
    if (!is) warplab::emulator::yield();
    return is;
  }
  alignas(8) mutable unsigned long long word_;
};

namespace details {

/// What is known of the alignment of a copy's ends.
template <class T>
::std::size_t alignment_of_copy(::std::size_t) {
  return alignof(T);
}
template <class T, ::std::size_t Alignment>
::std::size_t alignment_of_copy(aligned_size_t<Alignment>) {
  return Alignment > alignof(T) ? Alignment : alignof(T);
}
template <>
inline ::std::size_t alignment_of_copy<void>(::std::size_t) {
  return 1;
}
template <::std::size_t Alignment>
::std::size_t alignment_of_untyped_copy(aligned_size_t<Alignment>) {
  return Alignment;
}
inline ::std::size_t alignment_of_untyped_copy(::std::size_t) { return 1; }

/// A group of one thread.
struct SingleThread {
  static constexpr ::std::size_t size() { return 1; }
  static constexpr ::std::size_t thread_rank() { return 0; }
};

/// The calling thread's share of a copy, issued and left open.
template <class Group>
WARPLAB_INLINE_IF_INSTRUMENTED void issue_share(const Group& group, void* to, const void* from,
                                                ::std::size_t size, ::std::size_t alignment) {
  using namespace warplab::emulator;
  warplab::emulator::issue_share(group.thread_rank(), group.size(), to, from, size, alignment,
                                 header_calls::issue_copy);
}

template <class T, class Size>
::std::size_t alignment_for(Size size) {
  if constexpr (__is_same(T, void))
    return alignment_of_untyped_copy(size);
  else
    return alignment_of_copy<T>(size);
}

}  // namespace details

/// Copies `size` bytes together; they are there when the phase of the barrier has ended.
template <class Group, class T, class Size, thread_scope Scope>
WARPLAB_INLINE_IF_INSTRUMENTED void memcpy_async(const Group& group, T* to, const T* from, Size size,
                                                 barrier<Scope>& onto) {
  details::issue_share(group, to, from, size, details::alignment_for<T>(size));
  warplab::emulator::bind_copies(onto.word());
}
template <class Group, class Size, thread_scope Scope>
WARPLAB_INLINE_IF_INSTRUMENTED void memcpy_async(const Group& group, void* to, const void* from, Size size,
                                                 barrier<Scope>& onto) {
  details::issue_share(group, to, from, size, details::alignment_for<void>(size));
  warplab::emulator::bind_copies(onto.word());
}
template <class T, class Size, thread_scope Scope>
WARPLAB_INLINE_IF_INSTRUMENTED void memcpy_async(T* to, const T* from, Size size, barrier<Scope>& onto) {
  memcpy_async(details::SingleThread{}, to, from, size, onto);
}
template <class Size, thread_scope Scope>
WARPLAB_INLINE_IF_INSTRUMENTED void memcpy_async(void* to, const void* from, Size size,
                                                 barrier<Scope>& onto) {
  memcpy_async(details::SingleThread{}, to, from, size, onto);
}

namespace device {

inline ::std::uint64_t* barrier_native_handle(barrier<thread_scope_block>& b) {
  return reinterpret_cast<::std::uint64_t*>(b.word());
}
/// The phase also waits for `bytes` bytes of bulk copies.
inline void barrier_expect_tx(barrier<thread_scope_block>& b, ::std::ptrdiff_t bytes, WARPLAB_CALLER) {
  warplab::emulator::expect_bytes(b.word(), bytes, {"cuda::device::barrier_expect_tx", file, line});
}
[[nodiscard]] inline barrier<thread_scope_block>::arrival_token barrier_arrive_tx(
    barrier<thread_scope_block>& b, ::std::ptrdiff_t count, ::std::ptrdiff_t bytes, WARPLAB_CALLER) {
  barrier_expect_tx(b, bytes, file, line);
  return b.arrive(count, file, line);
}
/// A bulk copy by the calling thread. @pre a size that is a multiple of 16, both ends aligned to 16 bytes
template <class T, ::std::size_t Alignment>
void memcpy_async_tx(T* to, const T* from, aligned_size_t<Alignment> size, barrier<thread_scope_block>& b,
                     WARPLAB_CALLER) {
  static_assert(Alignment >= 16, "memcpy_async_tx needs an alignment of at least 16 bytes");
  using namespace warplab::emulator;
  const Site site{"cuda::device::memcpy_async_tx", file, line};
  if (size.value == 0) return;
  require_bulk_alignment(to, from, size.value, site);
  stage_global(from, size.value, site);
  issue_staged_load(reinterpret_cast<::std::byte*>(to), size.value, b.word(), false, site);
}

}  // namespace device

namespace std {
using barrier = ::cuda::barrier<thread_scope_system>;
}  // namespace std

}  // namespace cuda
