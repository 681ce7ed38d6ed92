#pragma once

#include <cstdint>

namespace warplab::reference {

/// The oracle of the transpose: out[c][r] = in[r][c], in host memory, for T = int, float or double.
/// @param in (rows, cols), row-major. @param out (cols, rows), row-major; shares no element with in
template <class T>
void transpose(const T* in, T* out, std::int64_t rows, std::int64_t cols);

/// The CPU baseline, compiled with -O3.
/// @param threads OpenMP threads; 1 runs the loop on the calling thread.
/// @return false, with out untouched, if more than one thread was asked for and the compiler had no OpenMP.
template <class T>
bool transpose_baseline(const T* in, T* out, std::int64_t rows, std::int64_t cols, int threads);

}  // namespace warplab::reference
