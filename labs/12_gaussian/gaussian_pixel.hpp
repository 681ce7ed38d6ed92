#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "common/border.hpp"
#include "gaussian.hpp"

// The image as a line of bytes, each of which a thread filters on its own.

/// Where a byte of the image is.
struct BytePlace {
  int x, y, channel;
};

/// The place of byte `position`, which is at least 0 and less than image.bytes().
__device__ inline BytePlace gaussian_place(std::int64_t position, const ImageShape& image) {
  const int y = static_cast<int>(position / image.row());
  const int in_row = static_cast<int>(position - std::int64_t{y} * image.row());
  return {in_row / image.channels, y, in_row % image.channels};
}

/// The byte `down` rows below a place and `right` pixels beside it, or the one at the edge.
__device__ inline unsigned char gaussian_neighbour(const unsigned char* in, const ImageShape& image,
                                                   const BytePlace& at, int down, int right) {
  const int y = warplab::border_index<warplab::Border::clamp>(at.y + down, image.height);
  const int x = warplab::border_index<warplab::Border::clamp>(at.x + right, image.width);
  return in[std::int64_t{y} * image.row() + x * image.channels + at.channel];
}

/// Blocks of `threads` for one thread per byte.
inline dim3 gaussian_grid(const ImageShape& image, int threads) {
  return warplab::grid_of(warplab::ceil_div(image.bytes(), threads));
}
