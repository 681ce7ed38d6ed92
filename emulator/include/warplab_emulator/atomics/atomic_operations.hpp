#pragma once

#include <cstddef>
#include <type_traits>

#include "warplab_emulator/block/block.hpp"
#include "warplab_emulator/block/synchronization.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator {

/// Who must see an atomic as indivisible. The threads of a block take turns on one OS thread, so within a
/// block a plain read and write is; but the lens would take it for what it is.
enum class Scope { block, device };
#if defined(WARPLAB_INSTRUMENTED)
inline constexpr bool turns_suffice = false;
#else
inline constexpr bool turns_suffice = true;
#endif
/// Whether a plain read and write will do.
constexpr bool is_plain(Scope scope) { return turns_suffice && scope == Scope::block; }

/// Whether an address is in the shared memory of the calling thread's block: its threads take turns, and
/// those of other blocks in its cluster too.
inline bool is_own_shared(const volatile void* address) noexcept {
  const auto* const byte = static_cast<const volatile std::byte*>(address);
  return turns_suffice &&
         static_cast<std::size_t>(byte - current_block.shared_begin) < current_block.shared_bytes;
}

/// Sums and differences as atomics compute them: integers wrap, and pointers step by elements.
template <class T, class Operand>
T wrapping_add(T a, Operand b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<unsigned long long>(a) + static_cast<unsigned long long>(b));
  else
    return static_cast<T>(a + b);
}
template <class T, class Operand>
T wrapping_subtract(T a, Operand b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<unsigned long long>(a) - static_cast<unsigned long long>(b));
  else
    return static_cast<T>(a - b);
}

/// The bits of a value of at most 8 bytes, in the low bytes.
template <class T>
WARPLAB_INLINE_IF_INSTRUMENTED unsigned long long low_bits(T value) {
  static_assert(sizeof(T) <= 8);
  if constexpr (sizeof(T) == 1) return __builtin_bit_cast(unsigned char, value);
  if constexpr (sizeof(T) == 2) return __builtin_bit_cast(unsigned short, value);
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(unsigned, value);
  if constexpr (sizeof(T) == 8) return __builtin_bit_cast(unsigned long long, value);
}

/// The value that was there; it was replaced if it was `expected`.
template <Scope scope, class T>
WARPLAB_INLINE_IF_INSTRUMENTED T compare_and_swap(T* address, T expected, T value) {
  if constexpr (!is_plain(scope)) {
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
  }
  const T old = *address;
  if (old == expected) *address = value;
  return old;
}

/// The integer that holds a T's bits, and may alias it.
template <class T>
struct BitsOf {
  using type = T;
  typedef T __attribute__((may_alias)) word;
};
template <>
struct BitsOf<float> : BitsOf<unsigned> {};
template <>
struct BitsOf<double> : BitsOf<unsigned long long> {};

/// Replaces the value by `change(value)` and returns what was there. Nothing is
/// written where nothing changes.
template <Scope scope, class T, class Change>
WARPLAB_INLINE_IF_INSTRUMENTED T update(T* address, Change change) {
  using Bits = typename BitsOf<T>::type;
  static_assert(sizeof(T) == sizeof(Bits));
  if constexpr (__is_same(T, float) || __is_same(T, double))
    header_calls::lens_atomic_sum(address, sizeof(T));
  else
    header_calls::lens_atomic(address, sizeof(T));
  auto* word = reinterpret_cast<typename BitsOf<T>::word*>(address);
  const bool plain = is_plain(scope) || is_own_shared(address);
  Bits seen = plain ? *word : __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    const T old = __builtin_bit_cast(T, seen);
    const Bits wanted = __builtin_bit_cast(Bits, static_cast<T>(change(old)));
    if (wanted == seen) {
      note_idle_poll();
      return old;
    }
    if (plain) {
      *word = wanted;
      return old;
    }
    if (__atomic_compare_exchange_n(word, &seen, wanted, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
      return old;
    }
  }
}

template <Scope scope, class T>
WARPLAB_INLINE_IF_INSTRUMENTED T add(T* address, T value) {
  if constexpr (scope == Scope::device && !__is_same(T, float) && !__is_same(T, double)) {
    if (value == 0) note_idle_poll();  // an atomic load: somebody waits for a change
    header_calls::lens_atomic(address, sizeof(T));
    if (!is_own_shared(address)) return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
    const T old = *address;
    *address = wrapping_add(old, value);
    return old;
  } else {
    return update<scope>(address, [value](T old) { return wrapping_add(old, value); });
  }
}

template <Scope scope, class T>
WARPLAB_INLINE_IF_INSTRUMENTED T swap(T* address, T value) {
  using Bits = typename BitsOf<T>::type;
  header_calls::lens_atomic(address, sizeof(T));
  auto* word = reinterpret_cast<typename BitsOf<T>::word*>(address);
  const Bits wanted = __builtin_bit_cast(Bits, value);
  Bits old;
  if constexpr (!is_plain(scope)) {
    old = __atomic_exchange_n(word, wanted, __ATOMIC_SEQ_CST);
  } else {
    old = *word;
    *word = wanted;
  }
  if (old == wanted) note_idle_poll();
  return __builtin_bit_cast(T, old);
}

template <Scope scope, class T>
WARPLAB_INLINE_IF_INSTRUMENTED T swap_if(T* address, T expected, T value) {
  header_calls::lens_swap(address, sizeof(T), low_bits(expected));
  const T old = compare_and_swap<scope>(address, expected, value);
  if (old != expected) note_idle_poll();
  return old;
}

}  // namespace warplab::emulator
