#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/border.hpp"
#include "common/launch_shape.hpp"

/// What is known about the coefficients of a filter before it runs.
enum class FilterKind {
  mean,     ///< 3x3, every coefficient 1/9
  sharpen,  ///< 3x3: 0 -1 0, -1 5 -1, 0 -1 0
  file      ///< any
};

/// An image, and how it is filtered.
struct FilteredImage {
  int width, height;  ///< in pixels, 0 to 2^28 each
  int channels;       ///< of a pixel, side by side: 1 to 4; of 2 or 4 the last is alpha
  int radius;  ///< of the filter, which has 2 * radius + 1 coefficients per side: 0 to max_filter_radius
  FilterKind kind;
  warplab::Border border;

  __host__ __device__ int filter_side() const { return 2 * radius + 1; }
  /// Elements in a row of the image: a pixel's neighbour in the row is `channels` elements away.
  __host__ __device__ int row_elements() const { return width * channels; }
  /// Whether element `c` of a pixel is alpha, which no filter changes.
  __host__ __device__ bool is_alpha(int c) const { return channels % 2 == 0 && c == channels - 1; }
};

inline constexpr int max_filter_radius = 63;  // 127 x 127 floats just fit into the 64 KiB of constant memory

// Lab 05: out(y, x, c) = sum over dy, dx of filter(radius + dy, radius + dx) * in(y + dy, x + dx, c), a
// correlation: the filter is not turned round. Alpha stays as it is.
//
//   in       (height, width, channels)      device memory, row-major, read only
//   filter   (2 radius + 1, 2 radius + 1)   device memory, read only; what image.kind says it is
//   out      (height, width, channels)      device memory, written; shares no element with in
//   T        float; or unsigned char: a sum is rounded to the nearest integer and saturated to 0..255
//   border   what is beyond the image's edges; with `untouched`, pixels whose neighbourhood is not whole
//            are not written at all, alpha included
//   stream   where the kernels are queued; the launcher returns without waiting for them
//
// A launcher throws std::invalid_argument for a size, a number of channels or a radius out of these ranges,
// and for out == in.

/// One thread per pixel; image and filter are read from global memory.
template <class T>
void image_filter_global(const T* in, const float* filter, T* out, FilteredImage image, cudaStream_t stream);

/// The filter is copied to constant memory first, on the same stream. @pre no other call of this launcher is
/// under way on another stream: they share the constant memory
template <class T>
void image_filter_constant(const T* in, const float* filter, T* out, FilteredImage image,
                           cudaStream_t stream);

/// A block keeps its pixels and those around them in shared memory. Also refuses a filter whose tile does not
/// fit in 48 KiB; the filter is in constant memory, as above.
template <class T>
void image_filter_tiled(const T* in, const float* filter, T* out, FilteredImage image, cudaStream_t stream);

/// 16 bytes of a row per thread, down several rows. Where a row of in or out does not start at a
/// multiple of 16 bytes, lanes exchange bytes; filters of other sizes than 3x3 take four
/// pixels per thread from global memory.
template <class T>
void image_filter_vectorized(const T* in, const float* filter, T* out, FilteredImage image,
                             cudaStream_t stream);

/// The peer: NPP's filters, for one channel and the borders clamp and untouched. Refuses the rest, and the
/// mean of bytes, whose fraction NPP cuts off. @param reversed (2 radius + 1, 2 radius + 1), device memory:
/// NPP turns filters round
template <class T>
void image_filter_npp(const T* in, const float* filter, T* out, FilteredImage image, float* reversed,
                      cudaStream_t stream);

/// Whether there is anything to filter. @throws std::invalid_argument for what every launcher refuses
inline bool image_filter_has_work(const void* in, const void* out, const FilteredImage& image) {
  constexpr int max_extent = 1 << 28;  // so that a row's elements can be counted in an int
  const auto check = [](const char* name, int value, int low, int high) {
    if (value < low || value > high) warplab::refuse(name, " is ", value, "; it must be ", low, " to ", high);
  };
  check("width", image.width, 0, max_extent);
  check("height", image.height, 0, max_extent);
  check("channels", image.channels, 1, 4);
  check("radius", image.radius, 0, max_filter_radius);
  if (image.kind != FilterKind::file && image.radius != 1)
    warplab::refuse("the mean and sharpen filters are 3x3: their radius is 1");
  if (image.width == 0 || image.height == 0) return false;  // a grid of 0 blocks is an error in CUDA
  if (in == out) warplab::refuse("in and out are the same buffer: an image cannot be filtered in place");
  return true;
}
