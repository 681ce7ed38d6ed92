// CUDA cores near their limit: a tile in shared memory, and many outputs per thread in registers.
//
// 1. A thread has outputs below one another in a column of bytes. For a column of the filters it reads the
//    pixels there once, as floats, and adds pixel r + k times weight k to output r: nothing but multiply-adds
//    on registers. Lanes have bytes side by side, and a pixel's neighbour is `channels` bytes away: how many
//    there are makes no difference.
// 2. The tile holds what some rows and columns of the filters need, and larger filters take turns: none is
//    too large. A column of the tile is contiguous, four of its pixels in 16 bytes.
// 3. Four or eight filters use the same pixels, where there are as many.
// Cost per byte, filter and tap: one multiply-add. For 32 outputs of 9 taps, 13 loads of 16 bytes come to
// 288.
// Stops being good: where multiply-adds are too many. Tensor Cores have fifteen times as many, and two passes
// of one dimension need 2 side of them, not side^2. With 3x3 taps, moving and rounding a byte take longer.
#include <algorithm>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "gaussian_tile.hpp"

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    gaussian_tiled_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                          FilterBank filters, int first_filter, int columns,
                          unsigned char* __restrict__ out,  // (count, height, width, channels)
                          ImageShape image) {
  constexpr int threads = Shape::threads;
  extern __shared__ float4 tile[];  // (threads + (columns - 1) * channels, stride)
  float4* const weights =
      tile + (threads + (columns - 1) * image.channels) * Shape::stride;  // (columns, weights)
  const int first_row = static_cast<int>((blockIdx.z * gridDim.y + blockIdx.y) * Shape::rows);
  if (first_row >= image.height) return;  // the whole block does
  const int first_byte = static_cast<int>(blockIdx.x * threads), thread = static_cast<int>(threadIdx.x);
  const int byte = first_byte + thread, side = filters.side, radius = filters.radius();
  float sums[Shape::filters][Shape::rows] = {};
  for (int down = 0; down < side; down += Shape::filter_rows)
    for (int right = 0; right < side; right += columns) {
      const int taken = min(columns, side - right);
      __syncthreads();  // waits for all who still use the tile before this one
      for (int i = thread; i < threads + (taken - 1) * image.channels; i += threads) {
        const unsigned char* const from =
            in + clamped_byte(first_byte + i + (right - radius) * image.channels, image);
        const auto pixel = [&](int row) {
          const unsigned y = min(max(first_row + down - radius + row, 0), image.height - 1);
          return static_cast<float>(from[std::uint64_t{y} * static_cast<unsigned>(image.row())]);
        };
#pragma unroll 4
        for (int q = 0; q < Shape::quads; ++q)
          tile[i * Shape::stride + q] =
              make_float4(pixel(4 * q), pixel(4 * q + 1), pixel(4 * q + 2), pixel(4 * q + 3));
      }
      for (int i = thread; i < taken * Shape::weights * 4; i += threads) {
        const int column = right + i / (Shape::weights * 4), rest = i % (Shape::weights * 4);
        const int k = rest / Shape::filters, filter = first_filter + rest % Shape::filters;
        const bool is_there = k < Shape::filter_rows && down + k < side;
        reinterpret_cast<float*>(weights)[i] =
            is_there ? __half2float(filters.weights[(filter * side + down + k) * side + column]) *
                           filters.weight_gain
                     : 0.0f;
      }
      __syncthreads();  // waits for the whole tile and its weights
      if (byte < image.row())
        for (int column = 0; column < taken; ++column)
          accumulate<Shape>(tile + (thread + column * image.channels) * Shape::stride,
                            weights + column * Shape::weights, sums);
    }
  if (byte >= image.row()) return;
  unsigned char* const to =
      out + (std::int64_t{first_filter} * image.height + first_row) * image.row() + byte;
  const int rows = image.height - first_row;
  if (rows >= Shape::rows)  // nearly always: then no row needs to be asked whether it is there
    write_levels<Shape>(sums, to, image, [](int) { return true; });
  else
    write_levels<Shape>(sums, to, image, [&](int row) { return row < rows; });
}

template <class Shape>
void launch_tiled(const unsigned char* in, const FilterBank& filters, int first_filter, unsigned char* out,
                  const ImageShape& image, cudaStream_t stream) {
  // As many columns of the filters as fit, in as few turns, of equal length.
  constexpr int quad = sizeof(float4);
  const int a_column = (Shape::stride * image.channels + Shape::weights) * quad;
  const int alone = (Shape::stride * Shape::threads + Shape::weights) * quad;
  const int most = std::clamp((Shape::shared - alone) / a_column + 1, 1, filters.side);
  const auto turns = warplab::ceil_div(filters.side, most);
  const int columns = static_cast<int>(warplab::ceil_div(filters.side, turns));
  const std::size_t shared = alone + std::size_t(columns - 1) * a_column;
  gaussian_allow_shared(gaussian_tiled_kernel<Shape>, shared);
  const dim3 grid = warplab::grid_in_layers(warplab::ceil_div(image.row(), Shape::threads),
                                            warplab::ceil_div(image.height, Shape::rows));
  gaussian_tiled_kernel<Shape>
      <<<grid, Shape::threads, shared, stream>>>(in, filters, first_filter, columns, out, image);
  CUDA_CHECK_LAUNCH();
}

void gaussian_tiled(const unsigned char* in, const FilterBank& filters, unsigned char* out, ImageShape image,
                    cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image)) return;
  with_filter_rows(filters.side, [&]<int rows>() {
    int done = 0;
    for (; done + 8 <= filters.count; done += 8)
      launch_tiled<TiledShape<8, rows>>(in, filters, done, out, image, stream);
    for (; done + 4 <= filters.count; done += 4)
      launch_tiled<TiledShape<4, rows>>(in, filters, done, out, image, stream);
    for (; done < filters.count; ++done)
      launch_tiled<TiledShape<1, rows>>(in, filters, done, out, image, stream);
  });
}
