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

/// One row of the output; Sum is the type that is added up in.
template <class Sum, class T>
WARPLAB_VECTORISED void filter_row(const T* in, const float* filter, T* out, const FilterShape& s,
                                   std::int64_t y) {
  const std::int64_t width = s.width, height = s.height, r = s.radius, side = 2 * r + 1;
  const bool inside = y >= r && y < height - r;
  if (s.beyond == Beyond::untouched && !inside) return;
  const int filtered = s.channels % 2 == 0 ? s.channels - 1 : s.channels;

  for (std::int64_t x = 0; x < width; ++x) {
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

}  // namespace

template <class T>
void image_filter(const T* in, const float* filter, T* out, const FilterShape& shape) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
  for (std::int64_t y = 0; y < shape.height; ++y) filter_row<double>(in, filter, out, shape, y);
}

template <class T>
bool image_filter_baseline(const T* in, const float* filter, T* out, const FilterShape& shape,
                           [[maybe_unused]] int threads) {
  if (threads > 1) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t y = 0; y < shape.height; ++y) filter_row<float>(in, filter, out, shape, y);
    return true;
#else
    return false;
#endif
  }
  for (std::int64_t y = 0; y < shape.height; ++y) filter_row<float>(in, filter, out, shape, y);
  return true;
}

template void image_filter(const unsigned char*, const float*, unsigned char*, const FilterShape&);
template void image_filter(const float*, const float*, float*, const FilterShape&);
template bool image_filter_baseline(const unsigned char*, const float*, unsigned char*, const FilterShape&,
                                    int);
template bool image_filter_baseline(const float*, const float*, float*, const FilterShape&, int);

}  // namespace warplab::reference
