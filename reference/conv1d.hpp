#pragma once

#include <cstdint>

namespace warplab::reference {

/// The oracle of the one-dimensional convolution: out[j] = sum over 0 <= i < m of filter[i] * in[j + i],
/// where in is 0 from n on; in host memory, for T = float or double. Products and sums are double, whatever T
/// is: a product of two floats is exact, and every sum is rounded to T once.
/// @param n elements of in and out, from 0. @param m taps of filter, from 1. out
/// shares no element with in or filter
template <class T>
void conv1d(const T* in, const T* filter, T* out, std::int64_t n, std::int64_t m);

/// The CPU baseline, in T itself, compiled with -O3. They go along the outputs for
/// one tap after the other, which a compiler can vectorise; a sum over the taps, it may not reorder.
/// @param threads OpenMP threads; 1 runs the loops on the calling thread.
/// @return false, with out untouched, if more than one thread was asked for and the compiler had no OpenMP.
template <class T>
bool conv1d_baseline(const T* in, const T* filter, T* out, std::int64_t n, std::int64_t m, int threads);

}  // namespace warplab::reference
