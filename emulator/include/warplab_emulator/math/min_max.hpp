#pragma once

#include <math.h>

// min and max with exactly CUDA's overloads: not templates, so that they win over std::min where a file uses
// namespace std, and mixed signs and sizes mean what they mean on a GPU.

#define WARPLAB_MIN_MAX(R, A, B)                                                          \
  constexpr R min(const A a, const B b) noexcept {                                        \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
  }                                                                                       \
  constexpr R max(const A a, const B b) noexcept {                                        \
    return static_cast<R>(a) > static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
  }
#define WARPLAB_MIN_MAX_OF(S, U) \
  WARPLAB_MIN_MAX(S, S, S)       \
  WARPLAB_MIN_MAX(U, U, U)       \
  WARPLAB_MIN_MAX(U, S, U)       \
  WARPLAB_MIN_MAX(U, U, S)

WARPLAB_MIN_MAX_OF(int, unsigned)
WARPLAB_MIN_MAX_OF(long, unsigned long)
WARPLAB_MIN_MAX_OF(long long, unsigned long long)
#undef WARPLAB_MIN_MAX_OF
#undef WARPLAB_MIN_MAX

// A NaN loses against a number.
#define WARPLAB_MIN_MAX(R, A, B)                                                                       \
  inline R min(const A a, const B b) noexcept { return ::fmin(static_cast<R>(a), static_cast<R>(b)); } \
  inline R max(const A a, const B b) noexcept { return ::fmax(static_cast<R>(a), static_cast<R>(b)); }

WARPLAB_MIN_MAX(float, float, float)
WARPLAB_MIN_MAX(double, double, double)
WARPLAB_MIN_MAX(double, float, double)
WARPLAB_MIN_MAX(double, double, float)
#undef WARPLAB_MIN_MAX

constexpr unsigned umin(const unsigned a, const unsigned b) noexcept { return min(a, b); }
constexpr unsigned umax(const unsigned a, const unsigned b) noexcept { return max(a, b); }
constexpr long long llmin(const long long a, const long long b) noexcept { return min(a, b); }
constexpr long long llmax(const long long a, const long long b) noexcept { return max(a, b); }
constexpr unsigned long long ullmin(const unsigned long long a, const unsigned long long b) noexcept {
  return min(a, b);
}
constexpr unsigned long long ullmax(const unsigned long long a, const unsigned long long b) noexcept {
  return max(a, b);
}
