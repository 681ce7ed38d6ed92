#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/launch_shape.hpp"
#include "gaussian_limits.hpp"

/// An image: width by height pixels, whose channels are side by side.
struct ImageShape {
  int width, height;  ///< in pixels, 0 to 2^20 each
  int channels;       ///< of a pixel: 1 to 4096; width * channels is at most 2^26

  /// Bytes in a row: a pixel's neighbour in the row is `channels` bytes away.
  __host__ __device__ int row() const { return width * channels; }
  __host__ __device__ std::int64_t bytes() const { return std::int64_t{row()} * height; }
};

/// Filters of one size, in device memory. Halves below 2^-14 lose digits, so weights are stored multiplied by
/// a power of two, and the sum of products is divided by it at the end. They are rounded such that their sum
/// is exact all the same: that of a filter's weights is 1 / weight_gain, that of a factor 1 / factor_gain.
struct FilterBank {
  const __half* weights;  ///< (count, side, side), row-major
  const __half* across;   ///< (count, side): the rows' common factor, weights(i, y, x) = down(i, y) *
                          ///< across(i, x) but for rounding; null where a filter is no such product
  const __half* down;     ///< (count, side): the columns' common factor; null like `across`
  float weight_gain;      ///< a power of two, 2^-8 to 1
  float factor_gain;      ///< a power of two, 2^-8 to 1
  int count;              ///< of filters: 1 to 64
  int side;               ///< of each filter, odd: 1 to 1023. Smaller ones are surrounded by zeros

  __host__ __device__ int radius() const { return side / 2; }
  __host__ __device__ std::int64_t taps() const { return std::int64_t{side} * side; }
};

// Lab 12: out(i, y, x, c) = sum over dy, dx of w(i, r + dy, r + dx) * in(y + dy, x + dx, c),
// with r the filters' radius: a correlation. Beyond the edges, the
// pixels at the edge repeat (clamp).
//
//   in         (height, width, channels)          device memory, row-major bytes, read only
//   filters    see FilterBank                     device memory, read only
//   out        (count, height, width, channels)   device memory, written; shares no byte with in
//   workspace  device memory of the size that problem/workspace.hpp gives, aligned to 256 bytes
//   stream     where the kernels are queued; the launcher returns without waiting for them
//
// A sum is rounded to the nearest integer and saturated to 0..255, if not stated otherwise. in and out may
// have any alignment. A launcher throws std::invalid_argument for sizes out of these ranges, for out == in,
// for more filters than it takes, and for filters whose tile needs more shared memory than the device has.

/// One thread per pixel and channel, sums and products in half, fractions
/// cut off. Any number of filters.
void gaussian_cuda_cores(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                         ImageShape image, cudaStream_t stream);

/// As above with sums in float, rounded.
void gaussian_cuda_cores_float(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                               ImageShape image, cudaStream_t stream);

/// A warp multiplies the neighbourhoods of 32 bytes by up to 8 filters, 16 taps at a time.
void gaussian_wmma_im2col(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                          ImageShape image, cudaStream_t stream);

// BEGIN WITHHELD
/// The neighbourhoods of a block come through an intermediate matrix in shared memory.
void gaussian_wmma_intermediate(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                                ImageShape image, cudaStream_t stream);

// END WITHHELD
/// The neighbourhoods of a block come through an intermediate matrix in shared memory, whose rows are padded
/// against bank conflicts; the next slice's pixels are loaded meanwhile.
void gaussian_wmma_padded(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                          ImageShape image, cudaStream_t stream);

/// One kernel; of the grid's warps a share takes Tensor Cores, the others CUDA cores. Up to 8 filters.
/// @param balance the share of the work that Tensor Cores do, 0 to 1
void gaussian_hybrid_fused(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                           ImageShape image, float balance, cudaStream_t stream);

/// Two kernels, one after the other: the first blocks of the image on Tensor Cores, the rest on CUDA cores.
/// @param balance as above
void gaussian_hybrid_two_kernels(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                                 ImageShape image, float balance, cudaStream_t stream);

// BEGIN WITHHELD
/// hybrid_fused, the neighbourhoods of each warp by way of an intermediate matrix. @param balance as above
void gaussian_hybrid_fused_intermediate(const unsigned char* in, const FilterBank& filters,
                                        unsigned char* out, ImageShape image, float balance,
                                        cudaStream_t stream);

/// hybrid_two_kernels side by side in two streams. @param balance as above
void gaussian_hybrid_split(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                           ImageShape image, float balance, cudaStream_t stream);

// END WITHHELD
/// CUDA cores: a tile in shared memory, several outputs per thread in registers. Any number of filters.
void gaussian_tiled(const unsigned char* in, const FilterBank& filters, unsigned char* out, ImageShape image,
                    cudaStream_t stream);

/// Tensor Cores without copies of neighbourhoods: rows of the image times a banded (Toeplitz) matrix of a
/// filter's row, which makes 16 neighbouring outputs. Up to 8 filters.
void gaussian_toeplitz(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                       void* workspace, ImageShape image, cudaStream_t stream);

/// As above, the matrices copied asynchronously while the ones before are used, rows
/// padded against bank conflicts.
void gaussian_toeplitz_async(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                             void* workspace, ImageShape image, cudaStream_t stream);

/// As above by wgmma, a warpgroup's product from shared memory. Needs sm_90.
void gaussian_toeplitz_wgmma(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                             void* workspace, ImageShape image, cudaStream_t stream);

/// Two passes of one dimension on CUDA cores, fused: what is between them stays in shared memory. Refuses
/// filters without factors. Any number of filters.
void gaussian_separable(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                        ImageShape image, cudaStream_t stream);

/// The same two passes as products with banded matrices on Tensor Cores. Up to 8 filters.
void gaussian_separable_wmma(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                             ImageShape image, cudaStream_t stream);

/// As above by mma, where the first pass's result is the second's operand without
/// leaving the registers. Needs sm_90.
void gaussian_separable_mma(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                            ImageShape image, cudaStream_t stream);

/// The fastest of these for the size, the number of filters and their factors, as measured.
void gaussian_auto(const unsigned char* in, const FilterBank& filters, unsigned char* out, void* workspace,
                   ImageShape image, cudaStream_t stream);

/// The peers: NVIDIA's libraries of convolutions and of Fourier transforms. Dense filters. What they allocate
/// stays for the next call.
void gaussian_cudnn(const unsigned char* in, const FilterBank& filters, unsigned char* out, ImageShape image,
                    cudaStream_t stream);
void gaussian_cufft(const unsigned char* in, const FilterBank& filters, unsigned char* out, ImageShape image,
                    cudaStream_t stream);

/// A grey level: rounded to nearest (ties to even) and saturated.
__host__ __device__ inline unsigned char gaussian_level(float sum) {
  return static_cast<unsigned char>(rintf(fminf(fmaxf(sum, 0.0f), 255.0f)));
}

/// Whether there is anything to filter. @throws std::invalid_argument for what every launcher refuses
inline bool gaussian_has_work(const void* in, const void* out, const FilterBank& filters,
                              const ImageShape& image, int limit = max_filters) {
  const auto check = [](const char* name, int value, int low, int high) {
    if (value < low || value > high) warplab::refuse(name, " is ", value, "; it must be ", low, " to ", high);
  };
  check("width", image.width, 0, 1 << 20);
  check("height", image.height, 0, 1 << 20);
  check("channels", image.channels, 1, max_image_channels);
  check("filters", filters.count, 1, limit);
  check("filter size", filters.side, 1, max_filter_side);
  if (filters.side % 2 == 0) warplab::refuse("a filter's size must be odd: it has a centre");
  if (std::int64_t{image.width} * image.channels > 1 << 26)
    warplab::refuse("a row of the image has more than 2^26 bytes");
  if (image.width == 0 || image.height == 0) return false;  // a grid of 0 blocks is an error in CUDA
  if (in == out) warplab::refuse("in and out are the same buffer: an image cannot be filtered in place");
  return true;
}

/// @throws std::invalid_argument where filters are not products of a row and a column
inline void gaussian_need_factors(const FilterBank& filters) {
  if (!filters.across || !filters.down)
    warplab::refuse(
        "these filters are not products of a row and a column: they take one pass of two "
        "dimensions, not two of one");
}

/// Lets `kernel` use `bytes` of dynamic shared memory. @throws std::invalid_argument if the device has less
template <class Kernel>
void gaussian_allow_shared(Kernel* kernel, std::size_t bytes) {
  const int most = warplab::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  cudaFuncAttributes attributes;
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
  const std::size_t all = attributes.sharedSizeBytes + bytes;
  if (all > static_cast<std::size_t>(most))
    warplab::refuse("filters of this size, for so many channels, need ", all,
                    " bytes of shared memory per block; this device has ", most);
  if (all > 48 * 1024)
    CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}
