#include "reference/conv1d.hpp"

#include <algorithm>

#include "reference/vectorised.hpp"

namespace warplab::reference {
namespace {

constexpr std::int64_t band = 512;  // outputs at a time: their sums stay in the L1 cache

/// The outputs [first, first + band) as sums in Sum. Each sum takes its products in the order of the taps.
template <class Sum, class T>
WARPLAB_VECTORISED void convolve_band(const T* in, const T* filter, T* out, std::int64_t n, std::int64_t m,
                                      std::int64_t first) {
  Sum sums[band] = {};
  const std::int64_t outputs = std::min(band, n - first);
  for (std::int64_t i = 0; i < std::min(m, n - first); ++i) {
    const Sum tap = filter[i];
    const T* const from = in + first + i;
    const std::int64_t within = std::min(outputs, n - first - i);  // the others are past the end: times 0
    for (std::int64_t j = 0; j < within; ++j) sums[j] += tap * static_cast<Sum>(from[j]);
  }
  for (std::int64_t j = 0; j < outputs; ++j) out[first + j] = static_cast<T>(sums[j]);
}

}  // namespace

template <class T>
void conv1d(const T* in, const T* filter, T* out, std::int64_t n, std::int64_t m) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (n * m > 1000000)
#endif
  for (std::int64_t first = 0; first < n; first += band) convolve_band<double>(in, filter, out, n, m, first);
}

template <class T>
bool conv1d_baseline(const T* in, const T* filter, T* out, std::int64_t n, std::int64_t m,
                     [[maybe_unused]] int threads) {
  if (threads > 1) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t first = 0; first < n; first += band) convolve_band<T>(in, filter, out, n, m, first);
    return true;
#else
    return false;
#endif
  }
  for (std::int64_t first = 0; first < n; first += band) convolve_band<T>(in, filter, out, n, m, first);
  return true;
}

template void conv1d(const float*, const float*, float*, std::int64_t, std::int64_t);
template void conv1d(const double*, const double*, double*, std::int64_t, std::int64_t);
template bool conv1d_baseline(const float*, const float*, float*, std::int64_t, std::int64_t, int);
template bool conv1d_baseline(const double*, const double*, double*, std::int64_t, std::int64_t, int);

}  // namespace warplab::reference
