#pragma once

// Loads and stores with a hint for the caches: __ldg, __ldcs, __stcg and their kin. A
// CPU has its own mind about caches.

#include <type_traits>

#include "vector_types.h"
#include "warplab_emulator/block/synchronization.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"
#include "warplab_emulator/type_identity.hpp"

namespace warplab::emulator {

/// What CUDA gives these functions for: arithmetic types, vectors of them, and the 16-bit floats.
template <class T>
inline constexpr bool is_cacheable = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;
template <class T>
requires std::is_arithmetic_v<decltype(T::x)>
inline constexpr bool is_cacheable<T> = true;

template <class T>
concept Cacheable = is_cacheable<T>;

}  // namespace warplab::emulator

#define WARPLAB_LOAD(name)                                       \
  template <warplab::emulator::Cacheable T>                      \
  WARPLAB_INLINE_IF_INSTRUMENTED T name(const T* ptr) noexcept { \
    return *ptr;                                                 \
  }
#define WARPLAB_STORE(name)                                                                         \
  template <warplab::emulator::Cacheable T>                                                         \
  WARPLAB_INLINE_IF_INSTRUMENTED void name(T* ptr, warplab::emulator::Identity<T> value) noexcept { \
    *ptr = value;                                                                                   \
  }

WARPLAB_LOAD(__ldg)
WARPLAB_LOAD(__ldca)
WARPLAB_LOAD(__ldcs)
WARPLAB_LOAD(__ldlu)
WARPLAB_STORE(__stwb)
WARPLAB_STORE(__stcg)
WARPLAB_STORE(__stcs)
WARPLAB_STORE(__stwt)

// Loads that see what the threads of other blocks have stored. Code that waits for a flag or a counter uses
// them, so they count as polls.
#define WARPLAB_POLLING_LOAD(name)                               \
  template <warplab::emulator::Cacheable T>                      \
  WARPLAB_INLINE_IF_INSTRUMENTED T name(const T* ptr) noexcept { \
    __atomic_signal_fence(__ATOMIC_SEQ_CST);                     \
    warplab::emulator::note_idle_poll();                         \
    return *ptr;                                                 \
  }

WARPLAB_POLLING_LOAD(__ldcg)
WARPLAB_POLLING_LOAD(__ldcv)

#undef WARPLAB_POLLING_LOAD
#undef WARPLAB_LOAD
#undef WARPLAB_STORE

/// How long the L2 cache should keep what a pointer leads to. libcu++'s annotated_ptr calls it.
inline void* __nv_associate_access_property(const void* ptr, unsigned long long) noexcept {
  return const_cast<void*>(ptr);
}
