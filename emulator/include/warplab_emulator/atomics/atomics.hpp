#pragma once

// CUDA's atomics under their names, for the scopes block, device and system.

#include "vector_types.h"
#include "warplab_emulator/atomics/atomic_operations.hpp"

#define WARPLAB_ATOMICS_OF_SCOPE(suffix, scope)                                                       \
  WARPLAB_ATOMIC_ADDS(suffix, scope, int)                                                             \
  WARPLAB_ATOMIC_ADDS(suffix, scope, unsigned)                                                        \
  WARPLAB_ATOMIC_ADDS(suffix, scope, unsigned long long)                                              \
  WARPLAB_ATOMIC_ADDS(suffix, scope, float)                                                           \
  WARPLAB_ATOMIC_ADDS(suffix, scope, double)                                                          \
  WARPLAB_ATOMIC_EXCHANGES(suffix, scope, int)                                                        \
  WARPLAB_ATOMIC_EXCHANGES(suffix, scope, unsigned)                                                   \
  WARPLAB_ATOMIC_EXCHANGES(suffix, scope, unsigned long long)                                         \
  WARPLAB_ATOMIC_EXCHANGES(suffix, scope, float)                                                      \
  WARPLAB_ATOMIC_SWAPS(suffix, scope, int)                                                            \
  WARPLAB_ATOMIC_SWAPS(suffix, scope, unsigned)                                                       \
  WARPLAB_ATOMIC_SWAPS(suffix, scope, unsigned long long)                                             \
  WARPLAB_ATOMIC_SWAPS(suffix, scope, unsigned short)                                                 \
  WARPLAB_ATOMIC_BITS(suffix, scope, int)                                                             \
  WARPLAB_ATOMIC_BITS(suffix, scope, unsigned)                                                        \
  WARPLAB_ATOMIC_BITS(suffix, scope, long long)                                                       \
  WARPLAB_ATOMIC_BITS(suffix, scope, unsigned long long)                                              \
  template <class...>                                                                                 \
  WARPLAB_INLINE_IF_INSTRUMENTED int atomicSub##suffix(int* address, int val) {                       \
    return warplab::emulator::add<scope>(address, static_cast<int>(0u - static_cast<unsigned>(val))); \
  }                                                                                                   \
  template <class...>                                                                                 \
  WARPLAB_INLINE_IF_INSTRUMENTED unsigned atomicSub##suffix(unsigned* address, unsigned val) {        \
    return warplab::emulator::add<scope>(address, 0u - val);                                          \
  }                                                                                                   \
  template <class...>                                                                                 \
  WARPLAB_INLINE_IF_INSTRUMENTED unsigned atomicInc##suffix(unsigned* address, unsigned val) {        \
    return warplab::emulator::update<scope>(address,                                                  \
                                            [=](unsigned old) { return old >= val ? 0u : old + 1; }); \
  }                                                                                                   \
  template <class...>                                                                                 \
  WARPLAB_INLINE_IF_INSTRUMENTED unsigned atomicDec##suffix(unsigned* address, unsigned val) {        \
    return warplab::emulator::update<scope>(                                                          \
        address, [=](unsigned old) { return old == 0 || old > val ? val : old - 1; });                \
  }                                                                                                   \
  /* A vector is added element by element: CUDA too promises no more. */                              \
  template <class...>                                                                                 \
  WARPLAB_INLINE_IF_INSTRUMENTED float2 atomicAdd##suffix(float2* address, float2 val) {              \
    float2 old;                                                                                       \
    old.x = atomicAdd##suffix(&address->x, val.x);                                                    \
    old.y = atomicAdd##suffix(&address->y, val.y);                                                    \
    return old;                                                                                       \
  }                                                                                                   \
  template <class...>                                                                                 \
  WARPLAB_INLINE_IF_INSTRUMENTED float4 atomicAdd##suffix(float4* address, float4 val) {              \
    float4 old;                                                                                       \
    old.x = atomicAdd##suffix(&address->x, val.x);                                                    \
    old.y = atomicAdd##suffix(&address->y, val.y);                                                    \
    old.z = atomicAdd##suffix(&address->z, val.z);                                                    \
    old.w = atomicAdd##suffix(&address->w, val.w);                                                    \
    return old;                                                                                       \
  }

#define WARPLAB_ATOMIC_ADDS(suffix, scope, T)                             \
  template <class...>                                                     \
  WARPLAB_INLINE_IF_INSTRUMENTED T atomicAdd##suffix(T* address, T val) { \
    return warplab::emulator::add<scope>(address, val);                   \
  }

#define WARPLAB_ATOMIC_EXCHANGES(suffix, scope, T)                         \
  template <class...>                                                      \
  WARPLAB_INLINE_IF_INSTRUMENTED T atomicExch##suffix(T* address, T val) { \
    return warplab::emulator::swap<scope>(address, val);                   \
  }

#define WARPLAB_ATOMIC_SWAPS(suffix, scope, T)                                       \
  template <class...>                                                                \
  WARPLAB_INLINE_IF_INSTRUMENTED T atomicCAS##suffix(T* address, T compare, T val) { \
    return warplab::emulator::swap_if<scope>(address, compare, val);                 \
  }

#define WARPLAB_ATOMIC_BITS(suffix, scope, T)                                                       \
  template <class...>                                                                               \
  WARPLAB_INLINE_IF_INSTRUMENTED T atomicMin##suffix(T* address, T val) {                           \
    return warplab::emulator::update<scope>(address, [=](T old) { return val < old ? val : old; }); \
  }                                                                                                 \
  template <class...>                                                                               \
  WARPLAB_INLINE_IF_INSTRUMENTED T atomicMax##suffix(T* address, T val) {                           \
    return warplab::emulator::update<scope>(address, [=](T old) { return val > old ? val : old; }); \
  }                                                                                                 \
  template <class...>                                                                               \
  WARPLAB_INLINE_IF_INSTRUMENTED T atomicAnd##suffix(T* address, T val) {                           \
    return warplab::emulator::update<scope>(address, [=](T old) { return old & val; });             \
  }                                                                                                 \
  template <class...>                                                                               \
  WARPLAB_INLINE_IF_INSTRUMENTED T atomicOr##suffix(T* address, T val) {                            \
    return warplab::emulator::update<scope>(address, [=](T old) { return old | val; });             \
  }                                                                                                 \
  template <class...>                                                                               \
  WARPLAB_INLINE_IF_INSTRUMENTED T atomicXor##suffix(T* address, T val) {                           \
    return warplab::emulator::update<scope>(address, [=](T old) { return old ^ val; });             \
  }

WARPLAB_ATOMICS_OF_SCOPE(, warplab::emulator::Scope::device)
WARPLAB_ATOMICS_OF_SCOPE(_block, warplab::emulator::Scope::block)
WARPLAB_ATOMICS_OF_SCOPE(_system, warplab::emulator::Scope::device)
