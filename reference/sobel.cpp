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

/// The element for a gradient.
template <class T, class Sum>
T magnitude(Sum gx, Sum gy) {
  return to_element<T>(std::sqrt(gx * gx + gy * gy));
}

/// Calls `write(x, gx, gy)` for one pixel; Sum is the type that is added up in.
template <class Sum, class Pixel, class Write>
void gradient(const Pixel& pixel, std::int64_t y, std::int64_t x, const Write& write) {
  const Sum gx = (pixel(y - 1, x + 1) - pixel(y - 1, x - 1)) + 2 * (pixel(y, x + 1) - pixel(y, x - 1)) +
                 (pixel(y + 1, x + 1) - pixel(y + 1, x - 1));
  const Sum gy = (pixel(y + 1, x - 1) - pixel(y - 1, x - 1)) + 2 * (pixel(y + 1, x) - pixel(y - 1, x)) +
                 (pixel(y + 1, x + 1) - pixel(y - 1, x + 1));
  write(x, gx, gy);
}

/// The same where neighbours can be outside of the image.
template <class Sum, class T, class Write>
void gradient_at_edge(const T* in, std::int64_t width, std::int64_t height, Beyond beyond, std::int64_t y,
                      std::int64_t x, const Write& write) {
  const auto pixel = [&](std::int64_t row, std::int64_t col) {
    row = index_beyond(row, height, beyond);
    col = index_beyond(col, width, beyond);
    return row < 0 || col < 0 ? Sum{0} : static_cast<Sum>(in[row * width + col]);
  };
  gradient<Sum>(pixel, y, x, write);
}

/// For the pixels of a row that are to be written.
template <class Sum, class T, class Write>
void gradients(const T* in, std::int64_t width, std::int64_t height, Beyond beyond, std::int64_t y,
               const Write& write) {
  const auto pixel = [&](std::int64_t row, std::int64_t col) {
    return static_cast<Sum>(in[row * width + col]);
  };
  for (std::int64_t x = 0; x < width; ++x) {
    const bool inside = y > 0 && y < height - 1 && x > 0 && x < width - 1;
    if (inside)
      gradient<Sum>(pixel, y, x, write);
    else if (beyond != Beyond::untouched)
      gradient_at_edge<Sum>(in, width, height, beyond, y, x, write);
  }
}

/// The pixels [begin, end) of the image, whose neighbours are all in it, side by side.
template <class T>
WARPLAB_VECTORISED void magnitudes_inside(const T* in, T* out, std::int64_t width, std::int64_t begin,
                                          std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const auto at = [&](std::int64_t offset) { return static_cast<float>(in[i + offset]); };
    const float gx =
        (at(1 - width) - at(-1 - width)) + 2 * (at(1) - at(-1)) + (at(width + 1) - at(width - 1));
    const float gy =
        (at(width - 1) - at(-width - 1)) + 2 * (at(width) - at(-width)) + (at(width + 1) - at(1 - width));
    out[i] = magnitude<T>(gx, gy);
  }
}

/// One row of the baseline: by gradients() as far as the border rule is needed.
template <class T>
void magnitudes(const T* in, T* out, std::int64_t width, std::int64_t height, Beyond beyond, std::int64_t y) {
  const auto by_rule = [&](std::int64_t x, float gx, float gy) { out[y * width + x] = magnitude<T>(gx, gy); };
  if (y == 0 || y == height - 1 || width < 3) return gradients<float>(in, width, height, beyond, y, by_rule);
  magnitudes_inside(in, out, width, y * width + 1, (y + 1) * width - 1);
  if (beyond != Beyond::untouched)
    for (const std::int64_t x : {std::int64_t{0}, width - 1})
      gradient_at_edge<float>(in, width, height, beyond, y, x, by_rule);
}

}  // namespace

template <class T>
void sobel(const T* in, T* out, float* angle, std::int64_t width, std::int64_t height, Beyond beyond) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
  for (std::int64_t y = 0; y < height; ++y)
    gradients<double>(in, width, height, beyond, y, [&](std::int64_t x, double gx, double gy) {
      out[y * width + x] = magnitude<T>(gx, gy);
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
