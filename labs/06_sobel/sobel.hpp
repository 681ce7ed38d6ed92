#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "common/border.hpp"
#include "common/launch_shape.hpp"

// Lab 06: the Sobel filter: how steep a grey image is at every pixel, and which way.
//
//        | -1 0 1 |          | -1 -2 -1 |
//   gx = | -2 0 2 |     gy = |  0  0  0 |     laid over the pixel as they are here, without turning them
//        | -1 0 1 |          |  1  2  1 |
//
//   out = sqrt(gx^2 + gy^2)     angle = atan2(gy, gx) in radians, and 0 where gx and gy are 0
//
//   in       (height, width)   device memory, row-major, read only
//   out      (height, width)   device memory, written; shares no element with in
//   angle    (height, width)   device memory, written; null where it is not wanted
//   width, height              0 to 2^30; their product may exceed 2^31
//   T                          float; or unsigned char: out is rounded to nearest, and at most 255
//   border                     what is beyond the edge; untouched: pixels at the edge are not written
//   stream                     where the kernels are queued; the launcher returns without waiting for them
//
// float: where the sums of gx and gy are exact (multiples of 1/256 below 256, for example) out is
// within 2^-22 of the true magnitude, relatively. Elsewhere the sums round, each step by 2^-24 of
// at most 8 times the largest pixel. Gradients must lie between 2^-60 and 2^60, or be 0: beyond,
// their squares leave a float's range.
//
// A launcher throws std::invalid_argument for such a size, for out == in, and for a
// block that CUDA does not allow.

/// Three launches: gx, then gy, then the magnitude. @param gradients workspace of 2 *
/// height * width floats @param block threads per block, at most 1024 in x and y
template <class T>
void sobel_three_kernels(const T* in, T* out, float* angle, float* gradients, int width, int height,
                         warplab::Border border, dim3 block, cudaStream_t stream);

/// One launch: gx and gy stay in registers. @param block as above
template <class T>
void sobel_fused(const T* in, T* out, float* angle, int width, int height, warplab::Border border, dim3 block,
                 cudaStream_t stream);

/// A block of 32x8 threads shares a tile of 34x10 pixels.
template <class T>
void sobel_tiled(const T* in, T* out, float* angle, int width, int height, warplab::Border border,
                 cudaStream_t stream);

/// 16 bytes per access, four rows per thread. Where a row of in or out does not start at a multiple of 16
/// bytes, lanes exchange bytes; where the angle is wanted, single pixels are moved.
template <class T>
void sobel_vectorized(const T* in, T* out, float* angle, int width, int height, warplab::Border border,
                      cudaStream_t stream);

/// NVIDIA's NPP: border clamp, without angle. @param workspace for bytes height * width floats and then as
/// many 16-bit numbers
template <class T>
void sobel_npp(const T* in, T* out, float* angle, void* workspace, int width, int height,
               warplab::Border border, cudaStream_t stream);

/// Whether there is anything to do. @throws std::invalid_argument for what every launcher refuses
inline bool sobel_has_work(const void* in, const void* out, int width, int height) {
  constexpr int largest = 1 << 30;
  warplab::check_size("width", width);
  warplab::check_size("height", height);
  if (width > largest || height > largest)
    warplab::refuse("an image of ", width, "x", height,
                    " is too large: width and height may be up to 1073741824");
  if (width == 0 || height == 0) return false;  // a grid of 0 blocks is an error in CUDA
  if (in == out) warplab::refuse("in and out are the same buffer: the filter cannot work in place");
  return true;
}

/// One block for each `columns` by `rows` pixels. A block's number down is blockIdx.z * gridDim.y +
/// blockIdx.y, and may lie below the last row.
inline dim3 sobel_grid(int width, int height, unsigned columns, unsigned rows) {
  return warplab::grid_in_layers(warplab::ceil_div(width, columns), warplab::ceil_div(height, rows));
}
