#pragma once

#include "image_filter_pixels.hpp"

constexpr int wide_rows = 4;  // a thread's pixels, above one another

/// Filters of any size: a coefficient and a pixel, once loaded, serve the
/// wide_rows pixels of a thread in turn.
template <class T, warplab::Border border>
__global__ void image_filter_wide_kernel(const T* __restrict__ in,          // (height, width, channels)
                                         const float* __restrict__ filter,  // (side, side)
                                         T* __restrict__ out,               // (height, width, channels)
                                         FilteredImage image) {
  // BEGIN SOLUTION
  auto [x, y] = pixel_of_thread();
  y *= wide_rows;
  if (x >= image.width || y >= image.height) return;
  const int radius = image.radius, side = image.filter_side();
  for (int c = 0; c < image.channels; ++c) {
    float sum[wide_rows] = {};
    for (int dx = -radius; dx <= radius; ++dx) {
      const int col = warplab::border_index<border>(x + dx, image.width);
      if (col < 0) continue;
      float weight[wide_rows] = {};  // of input row y + dy in output row y + k
      for (int dy = -radius; dy < wide_rows + radius; ++dy) {
#pragma unroll
        for (int k = wide_rows - 1; k > 0; --k) weight[k] = weight[k - 1];
        weight[0] = dy <= radius ? filter[(dy + radius) * side + dx + radius] : 0;
        const int row = warplab::border_index<border>(y + dy, image.height);
        if (row < 0) continue;
        const float pixel =
            static_cast<float>(in[(std::int64_t{row} * image.width + col) * image.channels + c]);
#pragma unroll
        for (int k = 0; k < wide_rows; ++k) sum[k] += weight[k] * pixel;
      }
    }
#pragma unroll
    for (int k = 0; k < wide_rows; ++k) {
      if (y + k >= image.height || (border == warplab::Border::untouched && is_edge(image, x, y + k)))
        continue;
      const std::int64_t here = ((std::int64_t{y} + k) * image.width + x) * image.channels + c;
      out[here] = image.is_alpha(c) ? in[here] : to_element<T>(sum[k]);
    }
  }
  // STUB // What you have done for image_filter_global is right here too, for each of the thread's pixels. Better: go
  // STUB // down a column of the image once, and add each pixel to all of the thread's sums that it belongs to.
  // END SOLUTION
}
