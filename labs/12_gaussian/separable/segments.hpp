#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/launch_shape.hpp"
#include "gaussian.hpp"

/// Which channels, pixels, filters and rows a block has: neighbours have the same pixels and other filters.
/// @tparam channels of a block  @tparam filters of a block
template <int channels, int filters = 1>
struct SegmentBlock {
  int filter, channel, first_col, first_row;  ///< the first of each

  /// @param pixels those of a block  @param rows those of a block
  __device__ SegmentBlock(const FilterBank& bank, const ImageShape& image, int pixels, int rows) {
    const int shares = (bank.count + filters - 1) / filters, groups = image.channels / channels;
    const int strip = static_cast<int>(blockIdx.x / shares);
    filter = static_cast<int>(blockIdx.x % shares) * filters;
    channel = strip % groups * channels;
    first_col = strip / groups * pixels;
    first_row = static_cast<int>(blockIdx.y) * rows;
  }
};

/// A grid of such blocks, and how many chunks of rows each goes down.
struct SegmentPlan {
  dim3 grid;
  int chunks;
};

/// Blocks that go down the image, a chunk of rows at a time, begin with `warm_up` chunks
/// without outputs. With few chunks per block, warming up costs too much; with many,
/// multiprocessors are idle while the last blocks end.
/// @param across blocks side by side  @param rows of a chunk
template <class Kernel>
SegmentPlan plan_segments(Kernel* kernel, int threads, std::size_t shared_bytes, std::int64_t across,
                          int height, int rows, int warm_up) {
  int each = 1;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared_bytes));
  const std::int64_t at_once = std::int64_t{warplab::multiprocessors()} * std::max(each, 1);
  const auto chunks = static_cast<int>(warplab::ceil_div(height, rows));
  std::int64_t least = INT64_MAX;
  int best = chunks;
  for (int segments = 1; segments <= std::min(chunks, 256); ++segments) {
    const auto length = static_cast<int>(warplab::ceil_div(chunks, segments));
    const std::int64_t blocks = across * warplab::ceil_div(chunks, length);
    // All work, evenly spread, and one block more: the last to start. A block that fills a multiprocessor is
    // one of few, and whole waves of them count as well.
    const std::int64_t waves = each > 1 ? 0 : warplab::ceil_div(blocks, at_once) * at_once;
    const std::int64_t cost = (waves + blocks + at_once) * (length + warm_up);
    if (cost < least) least = cost, best = length;
  }
  return {warplab::grid_of(across, warplab::ceil_div(chunks, best)), best};
}
