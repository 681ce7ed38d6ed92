#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>

#include "warplab_emulator/block/block.hpp"
#include "warplab_emulator/block/kept_memory.hpp"

namespace warplab::emulator {

/// One thread's run of a kernel, suspended where it waits in a barrier. Its frame, of just the size of its
/// variables, is all that is kept of it: switching threads costs per call. The frame is never destroyed; its
/// memory is used again.
struct ThreadRun {
  struct promise_type {
    Site site{"__syncthreads", "", 0, -1};  ///< where it waits

    ThreadRun get_return_object() noexcept {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
    static void* operator new(std::size_t bytes) { return kept_memory(bytes); }
    static void operator delete(void*, std::size_t) noexcept {}
  };
  std::coroutine_handle<promise_type> handle;
};

/// `co_await BarrierPoint(...)` is what the translator makes of `__syncthreads()` in such a kernel.
class BarrierPoint {
 public:
  BarrierPoint(const char* file, int line, int ordinal) : site_{"__syncthreads", file, line, ordinal} {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<ThreadRun::promise_type> thread) const noexcept {
    thread.promise().site = site_;
  }
  void await_resume() const noexcept {}

 private:
  Site site_;
};

/// Reports that the threads numbered `a` and `b` of the block wait at different barriers, and ends the
/// kernel.
[[noreturn]] void report_divergence(unsigned a, const Site& site_a, unsigned b, const Site& site_b);

/// Runs a kernel whose barriers are all statements of its own body: from barrier
/// to barrier, thread by thread. A thread that has returned counts as arrived.
template <class Body>
inline void run_coroutines(const Body& body) {
  using Handle = std::coroutine_handle<ThreadRun::promise_type>;
  const dim3 size = current_indices.block_dim;
  const auto count = static_cast<unsigned>(count_in(size));
  reset_kept_memory();
  Body* bodies = static_cast<Body*>(kept_memory(sizeof(Body) * count));
  Handle* threads = static_cast<Handle*>(kept_memory(sizeof(Handle) * count));
  unsigned waiting = count;  // the first thread that waits at a barrier, if there is one
  const auto note = [&](unsigned t) {
    if (threads[t].done()) return;
    if (waiting == count)
      waiting = t;
    else if (const Site& first = threads[waiting].promise().site, &other = threads[t].promise().site;
             first.ordinal != other.ordinal)
      report_divergence(waiting, first, t, other);
  };
  unsigned t = 0;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x, ++t) {
        new (bodies + t) Body(body);
        threads[t] = bodies[t](uint3{x, y, z}).handle;
        note(t);
      }
  while (waiting != count) {
    count_barrier();
    waiting = count;
    for (t = 0; t < count; ++t)
      if (!threads[t].done()) {
        threads[t].resume();
        note(t);
      }
  }
}
template <class Body>
inline void run_coroutines(const Undestroyed<Body>& kept) {
  run_coroutines(kept.body);
}

}  // namespace warplab::emulator
