#include "reference/image_filter.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "reference/vectorised.hpp"

namespace warplab::reference {
namespace {

template <class T, class Sum>
T to_element(Sum sum) {
  if constexpr (std::is_same_v<T, unsigned char>)
    return static_cast<T>(std::clamp(std::nearbyint(sum), Sum{0}, Sum{255}));
  else
    return static_cast<T>(sum);
}

/// The pixels [begin, end) of a row of the output; Sum is the type that is added up in.
template <class Sum, class T>
void filter_pixels(const T* in, const float* filter, T* out, const FilterShape& s, std::int64_t y,
                   std::int64_t begin, std::int64_t end) {
  const std::int64_t width = s.width, height = s.height, r = s.radius, side = 2 * r + 1;
  const bool inside = y >= r && y < height - r;
  if (s.beyond == Beyond::untouched && !inside) return;
  const int filtered = s.channels % 2 == 0 ? s.channels - 1 : s.channels;

  for (std::int64_t x = begin; x < end; ++x) {
    const bool whole = inside && x >= r && x < width - r;
    if (s.beyond == Beyond::untouched && !whole) continue;
    const std::int64_t here = (y * width + x) * s.channels;
    for (int c = 0; c < filtered; ++c) {
      Sum sum = 0;
      const float* coefficient = filter;
      if (whole) {
        const T* row = in + ((y - r) * width + x - r) * s.channels + c;
        for (std::int64_t dy = 0; dy < side; ++dy, row += width * s.channels)
          for (std::int64_t dx = 0; dx < side; ++dx)
            sum += static_cast<Sum>(*coefficient++) * static_cast<Sum>(row[dx * s.channels]);
      } else {
        for (std::int64_t dy = -r; dy <= r; ++dy)
          for (std::int64_t dx = -r; dx <= r; ++dx, ++coefficient) {
            const std::int64_t row = index_beyond(y + dy, height, s.beyond);
            const std::int64_t col = index_beyond(x + dx, width, s.beyond);
            if (row >= 0 && col >= 0)
              sum +=
                  static_cast<Sum>(*coefficient) * static_cast<Sum>(in[(row * width + col) * s.channels + c]);
          }
      }
      out[here + c] = to_element<T>(sum);
    }
    if (filtered < s.channels) out[here + filtered] = in[here + filtered];
  }
}

/// Elements whose sums fit into registers.
constexpr std::int64_t lanes = 32;

/// The elements [begin, end) of the image, whose whole windows are in it, side by side.
/// @return where it stopped: fewer than `lanes` are left
template <class T>
WARPLAB_VECTORISED std::int64_t filter_inside(const T* in, const float* filter, T* out, const FilterShape& s,
                                              std::int64_t begin, std::int64_t end) {
  for (; begin + lanes <= end; begin += lanes) {
    float sums[lanes] = {};
    const float* coefficient = filter;
    for (std::int64_t dy = -s.radius; dy <= s.radius; ++dy)
      for (std::int64_t dx = -s.radius; dx <= s.radius; ++dx, ++coefficient) {
        const T* const from = in + begin + (dy * s.width + dx) * s.channels;
        for (std::int64_t lane = 0; lane < lanes; ++lane)
          sums[lane] += *coefficient * static_cast<float>(from[lane]);
      }
    for (std::int64_t lane = 0; lane < lanes; ++lane) out[begin + lane] = to_element<T>(sums[lane]);
  }
  return begin;
}

/// One row of the baseline: by filter_pixels() as far as the border rule is needed.
template <class T>
void baseline_row(const T* in, const float* filter, T* out, const FilterShape& s, std::int64_t y) {
  const std::int64_t r = s.radius;
  if (y < r || y >= s.height - r || s.width <= 2 * r)
    return filter_pixels<float>(in, filter, out, s, y, 0, s.width);
  const std::int64_t row = y * s.width, last = row + s.width - r;
  const std::int64_t done = filter_inside(in, filter, out, s, (row + r) * s.channels, last * s.channels);
  if (s.channels % 2 == 0)
    for (std::int64_t alpha = (row + r + 1) * s.channels - 1; alpha < done; alpha += s.channels)
      out[alpha] = in[alpha];
  filter_pixels<float>(in, filter, out, s, y, 0, r);
  filter_pixels<float>(in, filter, out, s, y, done / s.channels - row, s.width);
}

}  // namespace

template <class T>
void image_filter(const T* in, const float* filter, T* out, const FilterShape& shape) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
  for (std::int64_t y = 0; y < shape.height; ++y)
    filter_pixels<double>(in, filter, out, shape, y, 0, shape.width);
}

template <class T>
bool image_filter_baseline(const T* in, const float* filter, T* out, const FilterShape& shape,
                           [[maybe_unused]] int threads) {
  if (threads > 1) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t y = 0; y < shape.height; ++y) baseline_row(in, filter, out, shape, y);
    return true;
#else
    return false;
#endif
  }
  for (std::int64_t y = 0; y < shape.height; ++y) baseline_row(in, filter, out, shape, y);
  return true;
}

template void image_filter(const unsigned char*, const float*, unsigned char*, const FilterShape&);
template void image_filter(const float*, const float*, float*, const FilterShape&);
template bool image_filter_baseline(const unsigned char*, const float*, unsigned char*, const FilterShape&,
                                    int);
template bool image_filter_baseline(const float*, const float*, float*, const FilterShape&, int);

}  // namespace warplab::reference
