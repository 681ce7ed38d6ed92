#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "common/border.hpp"

// What every rung does with a single pixel: read it, whatever the border; write
// it, where it is to be written.

/// Whether the pixel is in the image and to be written.
template <warplab::Border border>
__device__ inline bool sobel_writes(std::int64_t row, std::int64_t col, int width, int height) {
  if (border == warplab::Border::untouched) return row > 0 && col > 0 && row < height - 1 && col < width - 1;
  return row < height && col < width;
}

/// The pixel at any place, also beyond the edge, where it is 0 for Border::untouched. @pre width and height
/// are not 0
template <warplab::Border border, class T>
__device__ inline float sobel_pixel(const T* in, int width, int height, std::int64_t row, std::int64_t col) {
  const int r = warplab::border_index<border>(static_cast<int>(row), height);
  const int c = warplab::border_index<border>(static_cast<int>(col), width);
  return r < 0 || c < 0 ? 0.0f : static_cast<float>(in[std::int64_t{r} * width + c]);
}

/// A magnitude as the image stores it: a byte is rounded to nearest, and anything above 255 becomes 255.
template <class T>
__device__ inline T sobel_level(float magnitude) {
  if constexpr (std::is_same_v<T, float>) return magnitude;
  return static_cast<T>(__float2uint_rn(fminf(magnitude, 255.0f)));
}

/// The direction in which the image grows lighter: 0 to the right, pi/2 downwards.
__device__ inline float sobel_angle(float gx, float gy) { return gx == 0 && gy == 0 ? 0.0f : atan2f(gy, gx); }
