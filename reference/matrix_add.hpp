#pragma once

#include <cstdint>

namespace warplab::reference {

/// The oracle of matrix addition: C[row][col] = A[row][col] + B[row][col], in host memory, row-major without
/// gaps. Floating point is added in double and rounded once to T; integers wrap around.
/// @tparam T float, double or int
/// @param rows, cols the shape of a, b and c, from 0. c shares no element with a or b.
template <class T>
void matrix_add(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols);

/// The CPU baseline, row by row in T itself, compiled with -O3.
/// @param threads OpenMP threads, which share the rows; 1 runs the loops on the calling thread.
/// @return false, with c untouched, if more than one thread was asked for and the compiler had no OpenMP.
template <class T>
bool matrix_add_baseline(const T* a, const T* b, T* c, std::int64_t rows, std::int64_t cols, int threads);

}  // namespace warplab::reference
