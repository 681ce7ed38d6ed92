#include "reference/sobel.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "reference/vectorised.hpp"

namespace warplab::reference {
namespace {

template <class T, class Sum>
T to_element(Sum magnitude) {
  if constexpr (std::is_same_v<T, unsigned char>)
    return static_cast<T>(std::min(std::nearbyint(magnitude), Sum{255}));
  else
    return static_cast<T>(magnitude);
}

/// Calls `write(x, gx, gy)` for the pixels of a row that are to be written; Sum is
/// the type that is added up in.
template <class Sum, class T, class Write>
void gradients(const T* in, std::int64_t width, std::int64_t height, Beyond beyond, std::int64_t y,
               const Write& write) {
  const bool inside = y > 0 && y < height - 1;
  if (beyond == Beyond::untouched && !inside) return;
  const auto at_edge = [&](std::int64_t row, std::int64_t col) {
    row = index_beyond(row, height, beyond);
    col = index_beyond(col, width, beyond);
    return row < 0 || col < 0 ? Sum{0} : static_cast<Sum>(in[row * width + col]);
  };
  const auto one = [&](std::int64_t x, const auto& pixel) {
    const Sum gx = (pixel(y - 1, x + 1) - pixel(y - 1, x - 1)) + 2 * (pixel(y, x + 1) - pixel(y, x - 1)) +
                   (pixel(y + 1, x + 1) - pixel(y + 1, x - 1));
    const Sum gy = (pixel(y + 1, x - 1) - pixel(y - 1, x - 1)) + 2 * (pixel(y + 1, x) - pixel(y - 1, x)) +
                   (pixel(y + 1, x + 1) - pixel(y - 1, x + 1));
    write(x, gx, gy);
  };
  if (beyond != Beyond::untouched && width > 0) one(0, at_edge);
  if (inside) {
    const auto in_image = [&](std::int64_t row, std::int64_t col) {
      return static_cast<Sum>(in[row * width + col]);
    };
    for (std::int64_t x = 1; x < width - 1; ++x) one(x, in_image);
  } else {
    for (std::int64_t x = 1; x < width - 1; ++x) one(x, at_edge);
  }
  if (beyond != Beyond::untouched && width > 1) one(width - 1, at_edge);
}

template <class T>
WARPLAB_VECTORISED void magnitudes(const T* in, T* out, std::int64_t width, std::int64_t height,
                                   Beyond beyond, std::int64_t y) {
  gradients<float>(in, width, height, beyond, y, [&](std::int64_t x, float gx, float gy) {
    out[y * width + x] = to_element<T>(std::sqrt(gx * gx + gy * gy));
  });
}

}  // namespace

template <class T>
void sobel(const T* in, T* out, float* angle, std::int64_t width, std::int64_t height, Beyond beyond) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
  for (std::int64_t y = 0; y < height; ++y)
    gradients<double>(in, width, height, beyond, y, [&](std::int64_t x, double gx, double gy) {
      out[y * width + x] = to_element<T>(std::sqrt(gx * gx + gy * gy));
      if (angle) angle[y * width + x] = gx == 0 && gy == 0 ? 0.0f : static_cast<float>(std::atan2(gy, gx));
    });
}

template <class T>
bool sobel_baseline(const T* in, T* out, std::int64_t width, std::int64_t height, Beyond beyond,
                    [[maybe_unused]] int threads) {
  if (threads > 1) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t y = 0; y < height; ++y) magnitudes(in, out, width, height, beyond, y);
    return true;
#else
    return false;
#endif
  }
  for (std::int64_t y = 0; y < height; ++y) magnitudes(in, out, width, height, beyond, y);
  return true;
}

template void sobel(const unsigned char*, unsigned char*, float*, std::int64_t, std::int64_t, Beyond);
template void sobel(const float*, float*, float*, std::int64_t, std::int64_t, Beyond);
template bool sobel_baseline(const unsigned char*, unsigned char*, std::int64_t, std::int64_t, Beyond, int);
template bool sobel_baseline(const float*, float*, std::int64_t, std::int64_t, Beyond, int);

}  // namespace warplab::reference
