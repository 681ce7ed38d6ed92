#pragma once

#include <cstdint>

#include "image_filter.hpp"

/// A sum as an element of an image: itself, or the nearest byte (half to even), 0 below 0 and 255 above 255.
/// A bare cast would cut off the fraction and wrap around: 256 would be black.
template <class T>
__device__ inline T to_element(float sum);
template <>
__device__ inline float to_element(float sum) {
  return sum;
}
template <>
__device__ inline unsigned char to_element(float sum) {
  return static_cast<unsigned char>(__float2int_rn(fminf(fmaxf(sum, 0.0f), 255.0f)));
}

/// Whether `untouched` leaves this pixel alone: its neighbourhood is not whole.
__device__ inline bool is_edge(const FilteredImage& image, int x, int y) {
  return x < image.radius || x >= image.width - image.radius || y < image.radius ||
         y >= image.height - image.radius;
}

/// The pixel (x, y) that a thread of a block of two dimensions works on; it may lie past the image's edges.
struct PixelOfThread {
  int x, y;
};
__device__ inline PixelOfThread pixel_of_thread() {
  return {static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
          static_cast<int>((blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y)};
}
