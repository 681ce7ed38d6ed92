#pragma once

#include <cstdint>

namespace warplab::reference {

/// The oracle of vector addition: c[i] = a[i] + b[i], in host memory, for T = float, double or int. Floating
/// point is added in double and rounded once to T; int wraps around modulo 2^32.
/// @param n elements of a, b and c, from 0. c shares no element with a or b.
template <class T>
void vector_add(const T* a, const T* b, T* c, std::int64_t n);

/// The CPU baseline, in T itself, compiled with -O3.
/// @param threads OpenMP threads; 1 runs the loop on the calling thread.
/// @return false, with c untouched, if more than one thread was asked for and the compiler had no OpenMP.
template <class T>
bool vector_add_baseline(const T* a, const T* b, T* c, std::int64_t n, int threads);

}  // namespace warplab::reference
