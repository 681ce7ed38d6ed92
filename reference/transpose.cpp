#include "reference/transpose.hpp"

#include <algorithm>

namespace warplab::reference {

template <class T>
void transpose(const T* in, T* out, std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t band =
      16;  // rows at a time, so that a cache line of out is filled while it is in the cache
  for (std::int64_t first = 0; first < rows; first += band)
    for (std::int64_t c = 0; c < cols; ++c)
      for (std::int64_t r = first; r < std::min(first + band, rows); ++r)
        out[c * rows + r] = in[r * cols + c];
}

template <class T>
bool transpose_baseline(const T* in, T* out, std::int64_t rows, std::int64_t cols,
                        [[maybe_unused]] int threads) {
  if (threads > 1) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
    return true;
#else
    return false;
#endif
  }
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
  return true;
}

template void transpose(const int*, int*, std::int64_t, std::int64_t);
template void transpose(const float*, float*, std::int64_t, std::int64_t);
template void transpose(const double*, double*, std::int64_t, std::int64_t);
template bool transpose_baseline(const int*, int*, std::int64_t, std::int64_t, int);
template bool transpose_baseline(const float*, float*, std::int64_t, std::int64_t, int);
template bool transpose_baseline(const double*, double*, std::int64_t, std::int64_t, int);

}  // namespace warplab::reference
