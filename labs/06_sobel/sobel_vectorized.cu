// 16 bytes per access, four rows per thread, and more than half of the additions gone.
//
// 1. A thread has 16 bytes of a row, and the three rows below. It loads six rows for four, all of them before
//    it uses the first. The pixels beside are in the lanes beside (common/row_vectors.hpp).
// 2. Boxes of 2x2 pixels. Four of them meet in a pixel: a and b above, c and d below. With e = d - a and
//    f = b - c, gx = e + f and gy = e - f, so gx^2 + gy^2 = 2 (e^2 + f^2). Neighbours share boxes: four
//    additions per pixel instead of ten. Bytes are added in fours, see sobel_strip.hpp.
// 3. A byte needs no good root (nearest_bytes): CMakeLists.txt has nvcc make short ones in this file.
// Cost per pixel: 1 read and 1 written as in a copy; 1.5 loaded through the caches; for bytes, 14
// instructions.
// Stops being good: where rows do not start at multiples of 16 bytes, lanes exchange bytes, which costs a
// third more instructions. Where the angle is wanted, a thread has single pixels.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "sobel.hpp"
#include "sobel_pixel.hpp"
#include "sobel_strip.hpp"

using warplab::Border;

// The warps of a block: side by side in aligned rows, elsewhere above one another, where they find each
// other's rows in the L1 cache.
template <bool aligned>
constexpr int warps_across = aligned ? 2 : 1;
template <bool aligned>
constexpr int warps_down = aligned ? 1 : 4;
constexpr int warps_at_a_time = 28;  // on a multiprocessor: so up to 72 registers per thread
constexpr int rows = 4;  // a thread: more of them, and too few threads are left to hide the memory's latency

/// The bytes nearest to sqrt(2 s[i]), or 255. Adding 2^23 rounds to a whole number, in the last bits. It is
/// the right one: 2 s is an integer, so it differs from (k + 1/2)^2 by at least 1/4. Its root is then at
/// least 2^-19 (relative) away from k + 1/2, the rounding boundary (k < 255). A root good to 2^-22 is enough.
__device__ inline unsigned nearest_bytes(const float* s) {
  // BEGIN SOLUTION
  unsigned bits[4];
  for (int i = 0; i < 4; ++i) bits[i] = __float_as_uint(fmaf(sqrtf(s[i]), 1.41421356f, 0x1p23f));
  const unsigned low = __vminu2(__byte_perm(bits[0], bits[1], 0x5410), 0x00FF00FF);  // two at a time
  const unsigned high = __vminu2(__byte_perm(bits[2], bits[3], 0x5410), 0x00FF00FF);
  return __byte_perm(low, high, 0x6420);
  // STUB // Four roots; two whole numbers of 16 bits per word; __vminu2 with 255; four bytes per word
  // STUB return s[0] > 0;
  // END SOLUTION
}

/// The magnitudes sqrt(2 s[i]) of a row, as they are stored.
template <class T, int V>
__device__ typename warplab::Moved<T, V>::Type magnitudes(const float (&s)[V]) {
  const auto root = [&](int i) { return __fsqrt_rn(2 * s[i]); };
  if constexpr (V == 16)
    return make_uint4(nearest_bytes(s), nearest_bytes(s + 4), nearest_bytes(s + 8), nearest_bytes(s + 12));
  else if constexpr (V == 4)
    return make_float4(root(0), root(1), root(2), root(3));
  else
    return sobel_level<T>(root(0));
}

template <Border border, class Row, bool aligned>
__global__ void __launch_bounds__(32 * warps_across<aligned> * warps_down<aligned>,
                                  warps_at_a_time / warps_across<aligned> / warps_down<aligned>)
    sobel_vectorized_kernel(
        const typename Row::Element* __restrict__ in,  // (height, width)
        typename Row::Element* __restrict__ out,       // (height, width)
        float* __restrict__ angle,  // (height, width), or null; only single pixels write it
        int width, int height) {
  // BEGIN SOLUTION
  using T = typename Row::Element;
  constexpr int V = Row::width;
  constexpr Border rule = border == Border::untouched ? Border::clamp : border;  // as in tiled
  const int block = static_cast<int>(blockIdx.z * gridDim.y + blockIdx.y);
  const int first_row =
      (block * warps_down<aligned> + (aligned ? 0 : warplab::same_in_warp(threadIdx.y))) * rows;
  if (first_row >= height) return;                                // the whole warp does
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;  // along the row
  const auto place = warplab::row_place<Row, aligned>(thread, width, height, rule);

  warplab::LoadedRow<Row> loaded[rows + 2];  // (rows and the two around them)
#pragma unroll
  for (int r = 0; r < rows + 2; ++r)
    loaded[r] =
        warplab::load_row<Row, aligned>(in, warplab::border_index<rule>(first_row + r - 1, height), place);
  const auto row_of = [&](int r) { return warplab::complete_row<Row, aligned>(loaded[r], place); };
  Row here = row_of(1);
  float box[2][V + 1];  // (the line of boxes above a row and the one below, in turn)
  add_boxes(row_of(0), here, box[0]);
  constexpr int edge = border == Border::untouched ? 1 : 0;  // pixels that are not stored
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const Row below = row_of(r + 2);
    float(&upper)[V + 1] = box[r % 2], (&lower)[V + 1] = box[(r + 1) % 2];
    add_boxes(here, below, lower);
    here = below;
    const int row = first_row + r;
    if (row < edge || row >= height - edge) continue;  // the whole warp does
    float s[V];
#pragma unroll
    for (int i = 0; i < V; ++i) {
      const float e = lower[i + 1] - upper[i], f = upper[i + 1] - lower[i];
      s[i] = e * e + f * f;
      if (V == 1 && angle && place.x >= edge && place.x < width - edge)
        angle[std::int64_t{row} * width + place.x] = sobel_angle(e + f, e - f);
    }
    warplab::store_row<Row, aligned>(magnitudes<T>(s), out + std::int64_t{row} * width, place, edge,
                                     width - edge);
  }
  // STUB // 1. Find your place, and load your part of the rows and of those around them. Only whole warps may leave.
  // STUB // 2. Boxes above the first row; then for each row the boxes below it, e and f, magnitudes, a store: mind
  // STUB //    the image's end, and `untouched`. Where V is 1 and the angle is wanted, write it too.
  // END SOLUTION
}

template <class T>
void sobel_vectorized(const T* in, T* out, float* angle, int width, int height, Border border,
                      cudaStream_t stream) {
  if (!sobel_has_work(in, out, width, height)) return;
  const bool aligned = warplab::rows_start_at_16_bytes(in, out, width);
  warplab::with_border(border, [&]<Border rule>() {
    // BEGIN SOLUTION
    const auto launch = [&]<class Row, bool at_16_bytes>() {
      const dim3 block(32 * warps_across<at_16_bytes>, warps_down<at_16_bytes>);
      const int across = warplab::RowShare<Row, at_16_bytes>::warps(width);
      const dim3 grid = sobel_grid(across, height, warps_across<at_16_bytes>, rows * warps_down<at_16_bytes>);
      sobel_vectorized_kernel<rule, Row, at_16_bytes>
          <<<grid, block, 0, stream>>>(in, out, angle, width, height);
      CUDA_CHECK_LAUNCH();
    };
    using Row = typename RowOf16Bytes<T>::Type;
    if (angle)
      launch.template operator()<warplab::ElementRow<T, 1, 1>, true>();
    else if (aligned)
      launch.template operator()<Row, true>();
    else
      launch.template operator()<Row, false>();
    // STUB (void)aligned, (void)rows;
    // STUB if (angle)
    // STUB   warplab::todo("sobel_vectorized: boxes of single pixels, four rows per thread; launch here");
    // STUB else if (sizeof(T) == sizeof(float))
    // STUB   warplab::todo("sobel_vectorized: the same with 16 bytes of floats per thread; launch here");
    // STUB else
    // STUB   warplab::todo("sobel_vectorized: the same with 16 bytes, and short roots; launch here");
    // END SOLUTION
  });
}

template void sobel_vectorized(const unsigned char*, unsigned char*, float*, int, int, Border, cudaStream_t);
template void sobel_vectorized(const float*, float*, float*, int, int, Border, cudaStream_t);
