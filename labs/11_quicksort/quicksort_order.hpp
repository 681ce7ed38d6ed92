#pragma once

#include <cuda_runtime.h>

#include "quicksort_undecided.hpp"

// The order that lab 11 sorts by. Device code, included by kernels only.

/// The unsigned integer that has as many bits as T.
template <class T>
struct SortKey {
  using type = unsigned;
};
template <>
struct SortKey<double> {
  using type = unsigned long long;
};

/// A number for each key: a smaller one comes first, and only equal bits have equal numbers.
///
/// The bits of floating-point numbers that are not negative compare as integers do, those of negative ones
/// the other way round. So we flip all bits of a negative number, and the sign of another. Then -0 comes
/// before +0. NaNs with the sign set would come first of all: the subtraction moves -infinity to 0, and these
/// NaNs to the end.
__device__ inline unsigned sort_key(int x) { return static_cast<unsigned>(x) ^ 0x80000000u; }
__device__ inline unsigned sort_key(float x) {
  const unsigned bits = __float_as_uint(x);
  return (bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u)) - 0x007fffffu;
}
__device__ inline unsigned long long sort_key(double x) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(x));
  return (bits ^ (bits >> 63 ? ~0ull : 1ull << 63)) - 0x000fffffffffffffull;
}

/// Whether a comes before b.
template <class T>
__device__ bool comes_before(T a, T b) {
  return sort_key(a) < sort_key(b);
}

/// The key that comes last of all: what lies past the end may count as this.
__device__ inline int last_key(int) { return 0x7fffffff; }
__device__ inline float last_key(float) { return __uint_as_float(0xff800001u); }
__device__ inline double last_key(double) {
  return __longlong_as_double(static_cast<long long>(0xfff0000000000001ull));
}

template <class T>
__device__ void swap_keys(T& a, T& b) {
  const T old = a;
  a = b;
  b = old;
}

/// Of three keys the one in the middle.
template <class T>
__device__ T median_of_three(T a, T b, T c) {
  if (comes_before(b, a)) swap_keys(a, b);
  if (comes_before(c, b)) b = comes_before(c, a) ? a : c;
  return b;
}

/// The median of the medians of three times three keys, spread evenly over keys[begin, end). @pre begin < end
template <class T>
__device__ T ninther(const T* keys, int begin, int end) {
  const auto at = [&](int eighth) {
    return keys[begin + static_cast<int>((end - begin - 1) * static_cast<long long>(eighth) / 8)];
  };
  return median_of_three(median_of_three(at(0), at(1), at(2)), median_of_three(at(3), at(4), at(5)),
                         median_of_three(at(6), at(7), at(8)));
}

/// Every type of key, for the instances at the end of a kernel file.
#ifdef WARPLAB_BACKEND_EMULATOR
#define QUICKSORT_FOR_EACH_KEY(use) use(int) use(float) use(double) use(UndecidedKey)
#else
#define QUICKSORT_FOR_EACH_KEY(use) use(int) use(float) use(double)
#endif
