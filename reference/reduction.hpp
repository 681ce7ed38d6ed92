#pragma once

#include <cstdint>

namespace warplab::reference {

/// The oracle's sum of floating-point numbers: compensated, in double, after Neumaier. Its error is at most
/// 2^-53 |sum| + n^2 2^-106 (|x[0]| + ... + |x[n - 1]|).
/// @param x (n), in host memory, of float or double; 0 for n = 0
template <class T>
double compensated_sum(const T* x, std::int64_t n);

/// The sum of integers, exact for n up to 2^32.
std::int64_t exact_sum(const int* x, std::int64_t n);

/// The smallest and the largest of n > 0 numbers, none of which is NaN. T = int, float or double.
template <class T>
T minimum(const T* x, std::int64_t n);
template <class T>
T maximum(const T* x, std::int64_t n);

/// What a baseline computes.
enum class Reduction { sum, min, max, mean };

/// The CPU baseline, compiled with -O3: in T itself, sums of int modulo 2^32, and
/// for the mean in 64 bits. A sum of floats is added in 32 chains side by side.
/// @param out (1): T for sum, min and max; double for mean
/// @param threads OpenMP threads, each of which takes a part; 1 runs the loop on the calling thread.
/// @return false, with out untouched, if more than one thread was asked for and the compiler had no OpenMP.
template <class T>
bool reduction_baseline(Reduction reduction, const T* x, void* out, std::int64_t n, int threads);

}  // namespace warplab::reference
