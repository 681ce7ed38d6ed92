#include "reference/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "reference/vectorised.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace warplab::reference {
namespace {

/// Bytes side by side that are filtered at once: their sums fit into registers.
constexpr std::int64_t lanes = 8;
/// Bytes of a row in one thread's columns: their rows between the passes fit into a cache.
constexpr std::int64_t columns = 256;

unsigned char to_level(double sum) {
  return static_cast<unsigned char>(std::clamp(std::nearbyint(sum), 0.0, 255.0));
}

/// to[j] = sum over k of taps[k] * from[k * step + j], for j < count; `from` can be read up to the next
/// multiple of `lanes`, and `to` written.
template <class T>
WARPLAB_VECTORISED void weighted_sums(const T* from, std::int64_t step, const T* taps, int side, T* to,
                                      std::int64_t count) {
  for (std::int64_t j = 0; j < count; j += lanes) {
    T sums[lanes] = {};
    for (int k = 0; k < side; ++k)
      for (std::int64_t lane = 0; lane < lanes; ++lane) sums[lane] += taps[k] * from[k * step + j + lane];
    std::copy(sums, sums + lanes, to + j);
  }
}

/// The bytes [begin, begin + columns) of all rows, by all filters.
template <class T>
void filter_columns(const unsigned char* in, const double* factors, int terms, unsigned char* out,
                    const FiltersShape& s, std::int64_t begin) {
  const std::int64_t row = s.width * s.channels, count = std::min(columns, row - begin);
  const std::int64_t padded = (count + lanes - 1) / lanes * lanes, radius = s.side / 2;
  const auto index = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  std::vector<T> pixels(index(padded + (s.side - 1) * s.channels)), taps(index(s.side));
  std::vector<T> between(index((s.height + s.side - 1) * padded)), sums(index(padded)), sum(index(padded));
  for (int filter = 0; filter < s.filters; ++filter) {
    std::vector<T> total;  // of the terms before the last
    if (terms > 1) total.assign(index(s.height * padded), 0);
    for (int term = 0; term < terms; ++term) {
      const double* const down = factors + (static_cast<std::ptrdiff_t>(filter) * terms + term) * 2 * s.side;
      std::copy(down + s.side, down + 2 * s.side, taps.begin());
      for (std::int64_t y = 0; y < s.height; ++y) {
        for (std::size_t j = 0; j < pixels.size(); ++j) {
          const std::int64_t byte = begin + static_cast<std::int64_t>(j);
          const std::int64_t x = std::clamp<std::int64_t>(byte / s.channels - radius, 0, s.width - 1);
          pixels[j] = in[(y * s.width + x) * s.channels + byte % s.channels];
        }
        weighted_sums(pixels.data(), s.channels, taps.data(), s.side, between.data() + (y + radius) * padded,
                      count);
      }
      for (std::int64_t y = 0; y < radius; ++y) {
        std::copy_n(between.data() + radius * padded, padded, between.data() + y * padded);
        std::copy_n(between.data() + (s.height + radius - 1) * padded, padded,
                    between.data() + (s.height + radius + y) * padded);
      }
      std::copy(down, down + s.side, taps.begin());
      for (std::int64_t y = 0; y < s.height; ++y) {
        weighted_sums(between.data() + y * padded, padded, taps.data(), s.side, sum.data(), count);
        if (terms > 1)
          for (std::int64_t j = 0; j < count; ++j)
            sum[index(j)] = total[index(y * padded + j)] += sum[index(j)];
        if (term == terms - 1)
          std::transform(sum.begin(), sum.begin() + count, out + (filter * s.height + y) * row + begin,
                         [](T value) { return to_level(static_cast<double>(value)); });
      }
    }
  }
}

/// One row of the image, by one filter.
template <class T>
WARPLAB_VECTORISED void filter_row(const unsigned char* in, const double* weights, unsigned char* out,
                                   const FiltersShape& s, std::int64_t y) {
  const std::int64_t radius = s.side / 2;
  for (std::int64_t x = 0; x < s.width; ++x)
    for (int c = 0; c < s.channels; ++c) {
      T sum = 0;
      for (std::int64_t dy = -radius; dy <= radius; ++dy) {
        const std::int64_t from = std::clamp<std::int64_t>(y + dy, 0, s.height - 1) * s.width;
        for (std::int64_t dx = -radius; dx <= radius; ++dx)
          sum +=
              static_cast<T>(weights[(dy + radius) * s.side + dx + radius]) *
              static_cast<T>(in[(from + std::clamp<std::int64_t>(x + dx, 0, s.width - 1)) * s.channels + c]);
      }
      out[x * s.channels + c] = to_level(static_cast<double>(sum));
    }
}

template <class T>
void dense(const unsigned char* in, const double* weights, unsigned char* out, const FiltersShape& s,
           int threads) {
  (void)threads;
  const std::int64_t rows = s.filters * s.height;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4) if (threads > 1)
#endif
  for (std::int64_t i = 0; i < rows; ++i)
    filter_row<T>(in, weights + i / s.height * s.side * s.side, out + i * s.width * s.channels, s,
                  i % s.height);
}

template <class T>
void terms_of(const unsigned char* in, const double* factors, int terms, unsigned char* out,
              const FiltersShape& s, int threads) {
  (void)threads;
  if (s.height == 0) return;
  const std::int64_t row = s.width * s.channels, blocks = (row + columns - 1) / columns;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
#endif
  for (std::int64_t block = 0; block < blocks; ++block)
    filter_columns<T>(in, factors, terms, out, s, block * columns);
}

int all_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

}  // namespace

std::vector<double> gaussian_factor(int side, double sigma) {
  std::vector<double> factor(static_cast<std::size_t>(side));
  double sum = 0;
  for (int i = 0; i < side; ++i) {
    const double distance = (i - side / 2) / sigma;
    sum += factor[static_cast<std::size_t>(i)] = std::exp(-0.5 * distance * distance);
  }
  for (double& value : factor) value /= sum;
  return factor;
}

void gaussian_dense(const unsigned char* in, const double* weights, unsigned char* out,
                    const FiltersShape& shape) {
  dense<double>(in, weights, out, shape, all_threads());
}

void gaussian_terms(const unsigned char* in, const double* factors, int terms, unsigned char* out,
                    const FiltersShape& shape) {
  terms_of<double>(in, factors, terms, out, shape, all_threads());
}

bool gaussian_baseline(const unsigned char* in, const double* filter, int terms, unsigned char* out,
                       const FiltersShape& shape, int threads) {
#ifndef _OPENMP
  if (threads > 1) return false;
#endif
  if (terms == 1)
    terms_of<float>(in, filter, terms, out, shape, threads);
  else
    dense<float>(in, filter, out, shape, threads);
  return true;
}

}  // namespace warplab::reference
