#pragma once

#include <cstdint>

#include "reference/beyond.hpp"

namespace warplab::reference {

/// The oracle of the Sobel filter, in double: the magnitude of the gradient, sqrt(gx^2 + gy^2), and its
/// angle, atan2(gy, gx) in radians, 0 where both are 0. As bytes the magnitude is rounded to nearest and
/// saturated at 255.
/// @param in, out, angle (height, width), T = unsigned char or float; `angle` may be null; neither is written
/// where `untouched` says so
template <class T>
void sobel(const T* in, T* out, float* angle, std::int64_t width, std::int64_t height, Beyond beyond);

/// The CPU baseline, compiled with -O3: sums in float, only magnitudes.
/// @param threads OpenMP threads; 1 runs the loops on the calling thread.
/// @return false, with out untouched, if more than one thread was asked for and the compiler had no OpenMP.
template <class T>
bool sobel_baseline(const T* in, T* out, std::int64_t width, std::int64_t height, Beyond beyond, int threads);

}  // namespace warplab::reference
