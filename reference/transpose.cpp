#include "reference/transpose.hpp"

#include <algorithm>

namespace warplab::reference {
namespace {

/// Rows at a time, so that a cache line of out is filled while it is in the cache.
constexpr std::int64_t band = 16;

/// The rows [first, first + band).
template <class T>
void transpose_band(const T* in, T* out, std::int64_t rows, std::int64_t cols, std::int64_t first) {
  for (std::int64_t c = 0; c < cols; ++c)
    for (std::int64_t r = first; r < std::min(first + band, rows); ++r) out[c * rows + r] = in[r * cols + c];
}

}  // namespace

template <class T>
void transpose(const T* in, T* out, std::int64_t rows, std::int64_t cols) {
  for (std::int64_t first = 0; first < rows; first += band) transpose_band(in, out, rows, cols, first);
}

template <class T>
bool transpose_baseline(const T* in, T* out, std::int64_t rows, std::int64_t cols,
                        [[maybe_unused]] int threads) {
  if (threads > 1) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t first = 0; first < rows; first += band) transpose_band(in, out, rows, cols, first);
    return true;
#else
    return false;
#endif
  }
  transpose(in, out, rows, cols);
  return true;
}

template void transpose(const int*, int*, std::int64_t, std::int64_t);
template void transpose(const float*, float*, std::int64_t, std::int64_t);
template void transpose(const double*, double*, std::int64_t, std::int64_t);
template bool transpose_baseline(const int*, int*, std::int64_t, std::int64_t, int);
template bool transpose_baseline(const float*, float*, std::int64_t, std::int64_t, int);
template bool transpose_baseline(const double*, double*, std::int64_t, std::int64_t, int);

}  // namespace warplab::reference
