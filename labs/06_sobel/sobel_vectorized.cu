// 16 bytes per access, four rows per thread, and two thirds of the arithmetic gone.
//
// 1. A thread has a strip of 16 bytes of a row, and the three strips below. It loads six rows for four, all
//    of them before it uses the first. The pixels beside a strip are in the lanes beside.
// 2. Boxes of 2x2 pixels. Four of them meet in a pixel: a and b above, c and d below. With e = d - a and
//    f = b - c, gx = e + f and gy = e - f, so gx^2 + gy^2 = 2 (e^2 + f^2). Neighbours share boxes: four
//    additions per pixel instead of fourteen. Bytes are added in fours, see sobel_strip.hpp.
// 3. A byte needs no good root (nearest_bytes): CMakeLists.txt has nvcc make short ones in this file.
// Cost per pixel: 1 read and 1 written as in a copy; 1.5 asked of the caches; of bytes, 14 instructions.
// Stops being good: where rows do not start at multiples of 16 bytes, or the angle is wanted. Then a strip
// is one pixel.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "sobel.hpp"
#include "sobel_pixel.hpp"
#include "sobel_strip.hpp"

using warplab::Border;

constexpr int threads = 64, blocks_at_a_time = 14;  // a multiprocessor: so up to 72 registers per thread
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

/// The magnitudes sqrt(2 s[i]) of a strip, as they are stored.
template <class T, int V>
__device__ typename Moved<T, V>::Type magnitudes(const float (&s)[V]) {
  const auto root = [&](int i) { return __fsqrt_rn(2 * s[i]); };
  if constexpr (V == 16)
    return make_uint4(nearest_bytes(s), nearest_bytes(s + 4), nearest_bytes(s + 8), nearest_bytes(s + 12));
  else if constexpr (V == 4)
    return make_float4(root(0), root(1), root(2), root(3));
  else
    return sobel_level<T>(root(0));
}

template <Border border, int V, class T>
__global__ void __launch_bounds__(threads, blocks_at_a_time)
    sobel_vectorized_kernel(const T* __restrict__ in,   // (height, width)
                            T* __restrict__ out,        // (height, width)
                            float* __restrict__ angle,  // (height, width), or null; only V = 1 writes it
                            int width, int height) {
  // BEGIN SOLUTION
  using Vector = typename Moved<T, V>::Type;
  constexpr Border rule = border == Border::untouched ? Border::clamp : border;  // as in tiled
  const int first_row = static_cast<int>((blockIdx.z * gridDim.y + blockIdx.y) * rows);
  if (first_row >= height) return;  // the whole block does
  const int mine = static_cast<int>((blockIdx.x * threads + threadIdx.x) * V), lane = threadIdx.x % 32;
  const int col = min(mine, width - V);  // threads past the edge store nothing, but a shuffle needs all lanes
  const int edge = warplab::border_index<rule>(lane == 0 ? col - 1 : col + V, width);
  const bool loads_edge = (lane == 0 || lane == 31) && edge >= 0;

  Vector pixels[rows + 2] = {};  // (rows and the two around them)
  T edges[rows + 2] = {};
#pragma unroll
  for (int r = 0; r < rows + 2; ++r) {
    const int row = warplab::border_index<rule>(first_row + r - 1, height);
    if (rule == Border::zero && row < 0) continue;
    const std::int64_t from = std::int64_t{row} * width;
    pixels[r] = *reinterpret_cast<const Vector*>(in + col + from);
    if (loads_edge) edges[r] = in[edge + from];
  }
  const auto row_of = [&](int r) { return Strip<T, V>(pixels[r], edges[r], col + V == width, rule); };
  Strip<T, V> here = row_of(1);
  float box[2][V + 1];  // (the line of boxes above a row and the one below, in turn)
  add_boxes(row_of(0), here, box[0]);
  T* to = out + std::int64_t{first_row} * width + col;
#pragma unroll
  for (int r = 0; r < rows; ++r, to += width) {
    const Strip<T, V> below = row_of(r + 2);
    float(&upper)[V + 1] = box[r % 2], (&lower)[V + 1] = box[(r + 1) % 2];
    add_boxes(here, below, lower);
    here = below;
    const int row = first_row + r;
    const bool stores = mine < width && row < height;
    const auto writes = [&](int i) { return sobel_writes<border>(row, col + i, width, height); };
    float s[V];
#pragma unroll
    for (int i = 0; i < V; ++i) {
      const float e = lower[i + 1] - upper[i], f = upper[i + 1] - lower[i];
      s[i] = e * e + f * f;
      if (V == 1 && angle && stores && writes(0)) angle[to - out] = sobel_angle(e + f, e - f);
    }
    const Vector made = magnitudes<T>(s);
    const bool at_edge = border == Border::untouched && !(writes(0) && writes(V - 1));
    if (stores && !at_edge) *reinterpret_cast<Vector*>(to) = made;
#pragma unroll
    for (int i = 0; i < V; ++i)
      if (stores && at_edge && writes(i)) to[i] = reinterpret_cast<const T*>(&made)[i];
  }
  // STUB // 1. Find your strip, and load it, its edge and those of the rows around it. A shuffle needs all 32 lanes.
  // STUB // 2. Boxes above the first row; then for each row the boxes below it, e and f, magnitudes, a store: mind
  // STUB //    the image's end, and `untouched`.
  // END SOLUTION
}

template <class T>
void sobel_vectorized(const T* in, T* out, float* angle, int width, int height, Border border,
                      cudaStream_t stream) {
  if (!sobel_has_work(in, out, width, height)) return;
  const bool aligned = rows_start_at_16_bytes(in, out, width);
  warplab::with_border(border, [&]<Border rule>() {
    // BEGIN SOLUTION
    const auto grid = [&](int pixels) { return sobel_grid(width, height, threads * pixels, rows); };
    if (aligned && !angle)
      sobel_vectorized_kernel<rule, pixels_in_16_bytes<T>>
          <<<grid(16 / sizeof(T)), threads, 0, stream>>>(in, out, angle, width, height);
    else
      sobel_vectorized_kernel<rule, 1><<<grid(1), threads, 0, stream>>>(in, out, angle, width, height);
    CUDA_CHECK_LAUNCH();
    // STUB (void)aligned, (void)rows;
    // STUB warplab::todo(
    // STUB     "sobel_vectorized: strips of 16 bytes, four rows per thread, boxes, short roots; launch here");
    // END SOLUTION
  });
}

template void sobel_vectorized(const unsigned char*, unsigned char*, float*, int, int, Border, cudaStream_t);
template void sobel_vectorized(const float*, float*, float*, int, int, Border, cudaStream_t);
