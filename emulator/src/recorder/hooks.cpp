// What instrumented code calls: g++ puts these calls before every access to memory with -fsanitize=thread,
// and into every basic block with -fsanitize-coverage=trace-pc; the translator puts the markers. Outside
// recorded threads they do nothing.

#define WARPLAB_INSTRUMENTED  // declares what instrumented code calls
#include "emulator/src/recorder/hooks.hpp"

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/recorder/block_recorder.hpp"
#include "warplab_emulator/block/synchronization.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"
#include "warplab_emulator/ptx/ptx_carry.hpp"

namespace warplab::emulator {

// Out of line: a thread-local variable of the instrumented module would be one that guarded code may write.
void note_idle_poll() noexcept {
  // Odd, so that of lanes that poll in turn it is another one's turn to yield in each round.
  constexpr unsigned period = 15;
  static constinit thread_local unsigned polls = 0;
  if (++polls % period == 0) yield();
}

}  // namespace warplab::emulator

namespace warplab::emulator::lens {

constinit thread_local Lane* current_lane = nullptr;

namespace {

inline void touch(const void* address, unsigned bytes, AccessKind kind, const void* code) {
  // It may wait for another thread, which must run, recorded or not.
  if (kind == AccessKind::volatile_read && in_kernel()) note_idle_poll();
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  lane->announce(address, bytes);
  lane->block->touch(*lane, address, bytes, kind, code);
}

/// Of what is wider only guarded code can have told. It is not counted, so what follows is an access like
/// any.
constexpr std::size_t widest_atomic = 16;

inline void touch_atomic(const volatile void* address, std::size_t bytes, AccessKind kind, const void* code) {
  if (bytes > widest_atomic) return;
  const void* const place = const_cast<const void*>(address);
  if (Lane* const lane = current_lane) lane->expect_atomic(place);
  touch(place, static_cast<unsigned>(bytes), kind, code);
}

inline void touch_range(const void* address, std::size_t bytes, bool write, const void* code) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  lane->announce(address, bytes);
  lane->block->touch_range(*lane, address, bytes, write, code);
}

}  // namespace
}  // namespace warplab::emulator::lens

namespace lens = warplab::emulator::lens;
using lens::AccessKind;

// The call of a hook, not what it returns to, which may be another line.
#define WARPLAB_CALLER_CODE (static_cast<const std::byte*>(__builtin_return_address(0)) - 1)

#define WARPLAB_HOOKS(bytes)                                                                           \
  void __tsan_read##bytes(void* p) { lens::touch(p, bytes, AccessKind::read, WARPLAB_CALLER_CODE); }   \
  void __tsan_write##bytes(void* p) { lens::touch(p, bytes, AccessKind::write, WARPLAB_CALLER_CODE); } \
  void __tsan_unaligned_read##bytes(void* p) {                                                         \
    lens::touch(p, bytes, AccessKind::read, WARPLAB_CALLER_CODE);                                      \
  }                                                                                                    \
  void __tsan_unaligned_write##bytes(void* p) {                                                        \
    lens::touch(p, bytes, AccessKind::write, WARPLAB_CALLER_CODE);                                     \
  }                                                                                                    \
  void __tsan_volatile_read##bytes(void* p) {                                                          \
    lens::touch(p, bytes, AccessKind::volatile_read, WARPLAB_CALLER_CODE);                             \
  }                                                                                                    \
  void __tsan_volatile_write##bytes(void* p) {                                                         \
    lens::touch(p, bytes, AccessKind::volatile_write, WARPLAB_CALLER_CODE);                            \
  }                                                                                                    \
  void __tsan_unaligned_volatile_read##bytes(void* p) {                                                \
    lens::touch(p, bytes, AccessKind::volatile_read, WARPLAB_CALLER_CODE);                             \
  }                                                                                                    \
  void __tsan_unaligned_volatile_write##bytes(void* p) {                                               \
    lens::touch(p, bytes, AccessKind::volatile_write, WARPLAB_CALLER_CODE);                            \
  }

// Atomics are announced by lens_atomic(); the operation itself is only carried out. Guarded code is checked.
#define WARPLAB_CHECK_ATOMIC(p, other)                                                           \
  if (warplab::emulator::isolation::active()) {                                                  \
    warplab::emulator::isolation::require_atomic(p, sizeof *(p), WARPLAB_CALLER_CODE);           \
    if ((other) != (p))                                                                          \
      warplab::emulator::isolation::require_atomic(other, sizeof *(other), WARPLAB_CALLER_CODE); \
  }
#define WARPLAB_FETCH(bits, T, name)                                  \
  T __tsan_atomic##bits##_fetch_##name(volatile T* p, T value, int) { \
    WARPLAB_CHECK_ATOMIC(p, p);                                       \
    return __atomic_fetch_##name(p, value, __ATOMIC_SEQ_CST);         \
  }
#define WARPLAB_ATOMICS(bits, T)                                                                       \
  T __tsan_atomic##bits##_load(const volatile T* p, int) {                                             \
    WARPLAB_CHECK_ATOMIC(p, p);                                                                        \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                       \
  }                                                                                                    \
  void __tsan_atomic##bits##_store(volatile T* p, T value, int) {                                      \
    WARPLAB_CHECK_ATOMIC(p, p);                                                                        \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                    \
  T __tsan_atomic##bits##_exchange(volatile T* p, T value, int) {                                      \
    WARPLAB_CHECK_ATOMIC(p, p);                                                                        \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                            \
  }                                                                                                    \
  WARPLAB_FETCH(bits, T, add)                                                                          \
  WARPLAB_FETCH(bits, T, sub)                                                                          \
  WARPLAB_FETCH(bits, T, and)                                                                          \
  WARPLAB_FETCH(bits, T, or)                                                                           \
  WARPLAB_FETCH(bits, T, xor)                                                                          \
  WARPLAB_FETCH(bits, T, nand)                                                                         \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T value, int, int) {   \
    WARPLAB_CHECK_ATOMIC(p, expected);                                                                 \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                                    \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T value, int, int) {     \
    WARPLAB_CHECK_ATOMIC(p, expected);                                                                 \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                                    \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T value, int, int) {         \
    WARPLAB_CHECK_ATOMIC(p, p);                                                                        \
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    return expected;                                                                                   \
  }

extern "C" {

WARPLAB_HOOKS(1)
WARPLAB_HOOKS(2)
WARPLAB_HOOKS(4)
WARPLAB_HOOKS(8)
WARPLAB_HOOKS(16)

void __tsan_read_range(void* p, unsigned long bytes) {
  lens::touch_range(p, bytes, false, WARPLAB_CALLER_CODE);
}
void __tsan_write_range(void* p, unsigned long bytes) {
  lens::touch_range(p, bytes, true, WARPLAB_CALLER_CODE);
}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

void __tsan_func_entry(void* caller) {
  if (lens::Lane* const lane = lens::current_lane) lane->enter_call(caller);
}
void __tsan_func_exit() {
  if (lens::Lane* const lane = lens::current_lane) lane->leave_call();
}
void __tsan_init() {}
void __sanitizer_cov_trace_pc() {
  if (lens::Lane* const lane = lens::current_lane) lane->block->compute(*lane, __builtin_return_address(0));
}

WARPLAB_ATOMICS(8, unsigned char)
WARPLAB_ATOMICS(16, unsigned short)
WARPLAB_ATOMICS(32, unsigned)
WARPLAB_ATOMICS(64, unsigned long long)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

void warplab_lens_mark(int mark, unsigned long long value) noexcept {
  if (lens::Lane* const lane = lens::current_lane)
    lane->block->mark(*lane, static_cast<warplab::emulator::LensMark>(mark), value, WARPLAB_CALLER_CODE);
}

void warplab_lens_array(const void* begin, unsigned long long bytes, int surely_local) noexcept {
  if (lens::Lane* const lane = lens::current_lane)
    lane->block->add_array(*lane, begin, bytes, surely_local != 0, WARPLAB_CALLER_CODE);
}

}  // extern "C"

namespace warplab::emulator {

namespace ptx {
namespace {
thread_local unsigned carry_of_thread = 0;
}  // namespace
unsigned kept_carry() noexcept { return carry_of_thread; }
void keep_carry(unsigned carry) noexcept { carry_of_thread = carry; }
}  // namespace ptx

void lens::forget_carry() noexcept { ptx::keep_carry(0); }

namespace header_calls {
void lens_atomic(const volatile void* address, std::size_t bytes) noexcept {
  lens::touch_atomic(address, bytes, AccessKind::atomic, WARPLAB_CALLER_CODE);
}
void lens_atomic_sum(const volatile void* address, std::size_t bytes) noexcept {
  lens::Lane* const lane = lens::current_lane;
  if (lane == nullptr || bytes > lens::widest_atomic) return;
  const void* const place = const_cast<const void*>(address);
  lane->announce(place, bytes);
  lane->expect_atomic(place);
  lane->block->add_to_sum(*lane, place, static_cast<unsigned>(bytes), WARPLAB_CALLER_CODE);
}
void lens_swap(const volatile void* address, std::size_t bytes, unsigned long long expected) noexcept {
  lens::Lane* const lane = lens::current_lane;
  if (lane == nullptr || bytes > lens::widest_atomic) return;
  const void* const place = const_cast<const void*>(address);
  lane->announce(place, bytes);
  lane->expect_atomic(place);
  lane->block->swap(*lane, place, static_cast<unsigned>(bytes), expected, WARPLAB_CALLER_CODE);
}
void lens_atomic_load(const volatile void* address, std::size_t bytes) noexcept {
  lens::touch_atomic(address, bytes, AccessKind::volatile_read, WARPLAB_CALLER_CODE);
}
void lens_atomic_store(const volatile void* address, std::size_t bytes) noexcept {
  lens::touch_atomic(address, bytes, AccessKind::volatile_write, WARPLAB_CALLER_CODE);
}
void lens_permit(const void* address, std::size_t bytes) noexcept {
  constexpr std::size_t widest_element = 16;
  if (bytes <= widest_element) lens_announce(address, bytes);
}
}  // namespace header_calls

void lens_announce(const void* address, std::size_t bytes) noexcept {
  if (lens::Lane* const lane = lens::current_lane) lane->announce(address, bytes);
}
void lens_fence() noexcept {
  if (lens::Lane* const lane = lens::current_lane) lane->block->fence(*lane);
}
void lens_release(const void* object) noexcept {
  if (lens::Lane* const lane = lens::current_lane) lane->block->release(*lane, object);
}
void lens_wait() noexcept {
  if (lens::Lane* const lane = lens::current_lane) ++lane->waits;
}
void lens_acquire(const void* object) noexcept {
  if (lens::Lane* const lane = lens::current_lane) lane->block->acquire(*lane, object);
}

}  // namespace warplab::emulator
