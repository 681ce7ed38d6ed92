#pragma once

#include <bit>
#include <type_traits>

#include "warplab_emulator/atomics/atomic_operations.hpp"
#include "warplab_emulator/atomics/thread_scope.hpp"
#include "warplab_emulator/block/synchronization.hpp"
#include "warplab_emulator/copies/async_copies.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator {

/// The operations of cuda::atomic and cuda::atomic_ref, which say where the value is by `address()`. An
/// attempt that changes nothing counts as a poll, so that spinning threads let others run. Scopes narrower
/// than the system are treated as the system.
template <class Self, class T>
class AtomicOperations {
  static_assert(std::is_trivially_copyable_v<T>, "an atomic type must be trivially copyable");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "the emulator has atomics of 1, 2, 4 and 8 bytes");
  using Word = typename Piece<sizeof(T)>::type;
  using Order = std::memory_order;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const { return true; }

  WARPLAB_INLINE_IF_INSTRUMENTED T load(Order order = std::memory_order_seq_cst) const {
    note_idle_poll();
    header_calls::lens_atomic_load(word(), sizeof(T));
    return value_of(__atomic_load_n(word(), static_cast<int>(order)));
  }
  WARPLAB_INLINE_IF_INSTRUMENTED void store(T value, Order order = std::memory_order_seq_cst) const {
    tell_fence(order);
    header_calls::lens_atomic_store(word(), sizeof(T));
    __atomic_store_n(word(), bits_of(value), static_cast<int>(order));
  }
  WARPLAB_INLINE_IF_INSTRUMENTED T exchange(T value, Order order = std::memory_order_seq_cst) const {
    tell_fence(order);
    header_calls::lens_atomic(word(), sizeof(T));
    const Word wanted = bits_of(value);
    const Word old = __atomic_exchange_n(word(), wanted, static_cast<int>(order));
    if (old == wanted) note_idle_poll();
    return value_of(old);
  }
  WARPLAB_INLINE_IF_INSTRUMENTED bool compare_exchange_strong(T& expected, T value, Order success,
                                                              Order failure) const {
    tell_fence(success);
    Word seen = bits_of(expected);
    header_calls::lens_swap(word(), sizeof(T), seen);
    if (__atomic_compare_exchange_n(word(), &seen, bits_of(value), false, static_cast<int>(success),
                                    static_cast<int>(failure)))
      return true;
    expected = value_of(seen);
    note_idle_poll();
    return false;
  }
  bool compare_exchange_strong(T& expected, T value, Order order = std::memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order, after_failure(order));
  }
  bool compare_exchange_weak(T& expected, T value, Order success, Order failure) const {
    return compare_exchange_strong(expected, value, success, failure);
  }
  bool compare_exchange_weak(T& expected, T value, Order order = std::memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order);
  }

#define WARPLAB_FETCH(name, expression)                                      \
  T name(T operand, Order order = std::memory_order_seq_cst) const {         \
    return change(order, [=](T old) { return static_cast<T>(expression); }); \
  }
  WARPLAB_FETCH(fetch_min, operand < old ? operand : old)
  WARPLAB_FETCH(fetch_max, old < operand ? operand : old)
  WARPLAB_FETCH(fetch_and, old& operand)
  WARPLAB_FETCH(fetch_or, old | operand)
  WARPLAB_FETCH(fetch_xor, old ^ operand)
#undef WARPLAB_FETCH

  template <class Operand>
  T fetch_add(Operand operand, Order order = std::memory_order_seq_cst) const {
    return change(order, [=](T old) { return wrapping_add(old, operand); });
  }
  template <class Operand>
  T fetch_sub(Operand operand, Order order = std::memory_order_seq_cst) const {
    return change(order, [=](T old) { return wrapping_subtract(old, operand); });
  }
  T operator++(int) const { return fetch_add(1); }
  T operator--(int) const { return fetch_sub(1); }
  T operator++() const { return wrapping_add(fetch_add(1), 1); }
  T operator--() const { return wrapping_subtract(fetch_sub(1), 1); }
  T operator+=(T operand) const { return wrapping_add(fetch_add(operand), operand); }
  T operator-=(T operand) const { return wrapping_subtract(fetch_sub(operand), operand); }
  T operator&=(T operand) const { return static_cast<T>(fetch_and(operand) & operand); }
  T operator|=(T operand) const { return static_cast<T>(fetch_or(operand) | operand); }
  T operator^=(T operand) const { return static_cast<T>(fetch_xor(operand) ^ operand); }

  /// Waits until the value is no longer `old`.
  void wait(T old, Order order = std::memory_order_seq_cst) const {
    while (bits_of(load(order)) == bits_of(old)) yield();
  }
  void notify_one() const {}
  void notify_all() const {}

 private:
  // What a release makes known, a fence before it would.
  static void tell_fence(Order order) {
    if (order == std::memory_order_release || order == std::memory_order_acq_rel ||
        order == std::memory_order_seq_cst)
      lens_fence();
  }
  auto* word() const { return reinterpret_cast<Word*>(static_cast<const Self*>(this)->address()); }
  static Word bits_of(T value) { return __builtin_bit_cast(Word, value); }
  static T value_of(Word bits) { return __builtin_bit_cast(T, bits); }
  static constexpr Order after_failure(Order order) {
    return order == std::memory_order_acq_rel   ? std::memory_order_acquire
           : order == std::memory_order_release ? std::memory_order_relaxed
                                                : order;
  }
  template <class Change>
  WARPLAB_INLINE_IF_INSTRUMENTED T change(Order order, Change make) const {
    tell_fence(order);
    header_calls::lens_atomic(word(), sizeof(T));
    Word seen = __atomic_load_n(word(), __ATOMIC_RELAXED);
    for (;;) {
      const Word wanted = bits_of(make(value_of(seen)));
      if (wanted == seen) note_idle_poll();  // in effect a load: somebody may wait for a change
      if (__atomic_compare_exchange_n(word(), &seen, wanted, false, static_cast<int>(order),
                                      __ATOMIC_RELAXED))
        return value_of(seen);
      tell_fence(order);
      header_calls::lens_atomic(word(), sizeof(T));
    }
  }
};

}  // namespace warplab::emulator
