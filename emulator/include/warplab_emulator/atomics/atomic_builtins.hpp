#pragma once

// CUDA's atomic functions with an order and a scope: __nv_atomic_load_n and the like.

#include "warplab_emulator/atomics/atomic_operations.hpp"
#include "warplab_emulator/type_identity.hpp"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};

enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace warplab::emulator {

/// What a release makes known, a fence before it would. Scopes are treated as the device.
inline void tell_release(int order) {
  if (order >= __NV_ATOMIC_RELEASE) lens_fence();
}

}  // namespace warplab::emulator

template <class T>
WARPLAB_INLINE_IF_INSTRUMENTED T __nv_atomic_load_n(const volatile T* address, int,
                                                    int = __NV_THREAD_SCOPE_SYSTEM) {
  T* const place = const_cast<T*>(address);
  warplab::emulator::note_idle_poll();
  warplab::emulator::header_calls::lens_atomic_load(place, sizeof(T));
  T value;
  __atomic_load(place, &value, __ATOMIC_SEQ_CST);
  return value;
}
template <class T>
void __nv_atomic_load(const volatile T* address, T* value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  *value = __nv_atomic_load_n(address, order);
}

template <class T>
WARPLAB_INLINE_IF_INSTRUMENTED void __nv_atomic_store_n(volatile T* address,
                                                        warplab::emulator::Identity<T> value, int order,
                                                        int = __NV_THREAD_SCOPE_SYSTEM) {
  T* const place = const_cast<T*>(address);
  warplab::emulator::tell_release(order);
  warplab::emulator::header_calls::lens_atomic_store(place, sizeof(T));
  __atomic_store(place, &value, __ATOMIC_SEQ_CST);
}
template <class T>
void __nv_atomic_store(volatile T* address, const T* value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(address, *value, order);
}

template <class T>
T __nv_atomic_exchange_n(volatile T* address, warplab::emulator::Identity<T> value, int order,
                         int = __NV_THREAD_SCOPE_SYSTEM) {
  warplab::emulator::tell_release(order);
  return warplab::emulator::swap<warplab::emulator::Scope::device>(const_cast<T*>(address), value);
}
template <class T>
void __nv_atomic_exchange(volatile T* address, const T* value, T* before, int order,
                          int = __NV_THREAD_SCOPE_SYSTEM) {
  *before = __nv_atomic_exchange_n(address, *value, order);
}

template <class T>
bool __nv_atomic_compare_exchange_n(volatile T* address, T* expected, warplab::emulator::Identity<T> value,
                                    bool, int success, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  warplab::emulator::tell_release(success);
  const T wanted = *expected;
  *expected =
      warplab::emulator::swap_if<warplab::emulator::Scope::device>(const_cast<T*>(address), wanted, value);
  return *expected == wanted;
}
template <class T>
bool __nv_atomic_compare_exchange(volatile T* address, T* expected, const T* value, bool weak, int success,
                                  int failure, int = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(address, expected, *value, weak, success, failure);
}

// __nv_atomic_fetch_add gives the value before, __nv_atomic_add gives none.
#define WARPLAB_ATOMIC_BUILTIN(name, expression)                                                   \
  template <class T>                                                                               \
  T __nv_atomic_fetch_##name(volatile T* address, warplab::emulator::Identity<T> value, int order, \
                             int = __NV_THREAD_SCOPE_SYSTEM) {                                     \
    warplab::emulator::tell_release(order);                                                        \
    return warplab::emulator::update<warplab::emulator::Scope::device>(                            \
        const_cast<T*>(address), [value](T old) { return static_cast<T>(expression); });           \
  }                                                                                                \
  template <class T>                                                                               \
  void __nv_atomic_##name(volatile T* address, warplab::emulator::Identity<T> value, int order,    \
                          int = __NV_THREAD_SCOPE_SYSTEM) {                                        \
    __nv_atomic_fetch_##name(address, value, order);                                               \
  }
WARPLAB_ATOMIC_BUILTIN(add, warplab::emulator::wrapping_add(old, value))
WARPLAB_ATOMIC_BUILTIN(sub, warplab::emulator::wrapping_subtract(old, value))
WARPLAB_ATOMIC_BUILTIN(min, value < old ? value : old)
WARPLAB_ATOMIC_BUILTIN(max, old < value ? value : old)
WARPLAB_ATOMIC_BUILTIN(and, old& value)
WARPLAB_ATOMIC_BUILTIN(or, old | value)
WARPLAB_ATOMIC_BUILTIN(xor, old ^ value)
#undef WARPLAB_ATOMIC_BUILTIN

inline void __nv_atomic_thread_fence(int, int = __NV_THREAD_SCOPE_SYSTEM) { __threadfence(); }
