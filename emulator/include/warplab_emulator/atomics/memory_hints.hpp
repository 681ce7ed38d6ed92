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
WARPLAB_LOAD(__ldcg)
WARPLAB_LOAD(__ldcs)
WARPLAB_LOAD(__ldlu)
WARPLAB_STORE(__stwb)
WARPLAB_STORE(__stcg)
WARPLAB_STORE(__stcs)
WARPLAB_STORE(__stwt)

/// A load that must see what other threads have stored: code that waits for a flag
/// uses it, so it counts as a poll.
template <warplab::emulator::Cacheable T>
WARPLAB_INLINE_IF_INSTRUMENTED T __ldcv(const T* ptr) noexcept {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  warplab::emulator::note_idle_poll();
  return *ptr;
}

#undef WARPLAB_LOAD
#undef WARPLAB_STORE
