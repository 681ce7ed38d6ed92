#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "gaussian.hpp"

inline constexpr int together =
    8;  ///< results that a thread makes at once, and rows that a block takes at once

/// How a strip of `channels` channels lies in shared memory. A window is `side` + 7 values, of which 8
/// results are made; it is rounded up to whole chunks of 8, as there are zeros after the weights.
template <int channels>
struct SeparableStrip {
  int pixels;  ///< of a row of results, a multiple of 8
  int window;

  __host__ __device__ int columns() const { return pixels * channels; }
  __host__ __device__ int staged() const { return (pixels - together + window) * channels; }
  __host__ __device__ int pitch() const { return (staged() + 31) / 32 * 32 + 4; }  ///< rows in other banks
  __host__ __device__ int ring_pitch() const { return columns() + 4; }
  __host__ __device__ std::size_t shared_bytes() const {
    return 2 * sizeof(float) * window + sizeof(__half) * (together * pitch() + window * ring_pitch());
  }

  /// The widest strip for a block of so many threads.
  static SeparableStrip of(int threads, int side) {
    return {threads / (together * channels) * together, (side + 2 * together - 2) / together * together};
  }
};

/// A factor's weights as floats, and zeros after them up to `window`.
__device__ inline void load_factor(float* to, const __half* factor, int side, float gain, int window) {
  for (int i = threadIdx.x; i < window; i += blockDim.x)
    to[i] = i < side ? __half2float(factor[i]) * gain : 0.0f;
}

/// 8 rows from `first_row` on, from column `first_col` on, as halves; beyond the
/// edges the values do not matter.
template <int channels>
__device__ void stage_rows(__half* to, const SeparableStrip<channels>& strip, const unsigned char* in,
                           const ImageShape& image, int first_row, int first_col) {
  for (int x = threadIdx.x; x < strip.staged(); x += blockDim.x) {
    const int col = min(max(first_col + x / channels, 0), image.width - 1);
    const unsigned char* const from = in + col * image.channels + x % channels;
    unsigned char bytes[together];
#pragma unroll
    for (int y = 0; y < together; ++y) {
      const auto row = static_cast<unsigned>(min(max(first_row + y, 0), image.height - 1));
      bytes[y] = from[std::uint64_t{row} * static_cast<unsigned>(image.row())];
    }
#pragma unroll
    for (int y = 0; y < together; ++y) to[y * strip.pitch() + x] = __ushort2half_rn(bytes[y]);
  }
}
