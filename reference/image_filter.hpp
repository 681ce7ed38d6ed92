#pragma once

#include <cstdint>

#include "reference/beyond.hpp"

namespace warplab::reference {

/// The shape of an image and of its filter.
struct FilterShape {
  std::int64_t width, height;
  int channels;  ///< 1 to 4; the last of 2 or 4 is alpha and stays as it is
  int radius;    ///< the filter has (2 radius + 1) * (2 radius + 1) coefficients
  Beyond beyond;
};

/// The oracle of the image filter, a correlation in double: out(y, x, c) = sum of filter(dy, dx) * in(y + dy,
/// x + dx, c). For bytes the sum is rounded to the nearest integer, half to even, and saturated to 0..255.
/// @param in, out (height, width, channels), T = unsigned char or float; `out` is not written where
/// `untouched` says so
template <class T>
void image_filter(const T* in, const float* filter, T* out, const FilterShape& shape);

/// The CPU baseline, compiled with -O3: sums in float, pixels away from the edge
/// without the border rule.
/// @param threads OpenMP threads; 1 runs the loops on the calling thread.
/// @return false, with out untouched, if more than one thread was asked for and the compiler had no OpenMP.
template <class T>
bool image_filter_baseline(const T* in, const float* filter, T* out, const FilterShape& shape, int threads);

}  // namespace warplab::reference
