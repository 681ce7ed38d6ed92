// A Gaussian is a column times a row: two passes of `side` taps, not one of side * side, in one kernel.
//
// A block goes down a strip of the image, 8 rows at a time. It filters them along the rows and puts the
// results into a ring of rows in shared memory, as halves; then it filters the ring along the columns. What
// is between the passes never leaves the chip. A thread makes 8 neighbouring results at once: a value that it
// loads meets 8 weights in registers. Filters up to 9x9 need no ring: separable/small.hpp.
// Fixes: 6561 products per output for filters of 81x81; here they are 162, and few at the windows' ends.
// Cost per output: 2 side products, half as many instructions again to load and convert; side / 4 loads.
// Stops being good: where Tensor Cores do the products (separable_wmma), and where no ring fits.
// Source: V. Podlozhnyuk, Image Convolution with CUDA, NVIDIA 2007, which has a kernel for each pass.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "gaussian.hpp"
#include "separable/segments.hpp"
#include "separable/small.hpp"
#include "separable/strip.hpp"

constexpr int threads = 128, narrowest = 32, much_shared = 160 * 1024;

/// results[i] += the sum of weights[k] * value(k + i): 8 windows side by side. Calls value(first, k) for the
/// value first + k, in order.
/// @param weights in shared memory, `window` of them: those after the filter's are zeros
template <class Value>
__device__ void filter_window(float (&results)[together], const float* weights, int window,
                              const Value& value) {
  // BEGIN SOLUTION
  float before[together] = {};  // the 8 weights before those in `here`
  for (int first = 0; first < window; first += together) {
    const float4 low = *reinterpret_cast<const float4*>(weights + first);
    const float4 high = *reinterpret_cast<const float4*>(weights + first + 4);
    const float here[together] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
    for (int k = 0; k < together; ++k) {
      const float x = value(first, k);
#pragma unroll
      for (int i = 0; i < together; ++i) results[i] += x * (k >= i ? here[k - i] : before[together + k - i]);
    }
#pragma unroll
    for (int i = 0; i < together; ++i) before[i] = here[i];
  }
  // STUB // 8 weights, then 8 values that meet each of 8 results
  // STUB (void)results, (void)weights, (void)window, (void)value;
  // END SOLUTION
}

template <int channels>
__global__ void __launch_bounds__(threads)
    gaussian_separable_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                              FilterBank filters,
                              unsigned char* __restrict__ out,  // (count, height, width, channels)
                              ImageShape image, SeparableStrip<channels> strip, int segment) {
  extern __shared__ __align__(16) unsigned char shared[];
  float* const across = reinterpret_cast<float*>(shared);                 // (window)
  float* const down = across + strip.window;                              // (window)
  __half* const staged = reinterpret_cast<__half*>(down + strip.window);  // (8, pitch)
  __half* const ring = staged + together * strip.pitch();                 // (window, ring_pitch)
  const SegmentBlock<channels> block(filters, image, strip.pixels, segment * together);
  const int radius = filters.radius(), chunks = strip.window / together, thread = threadIdx.x;
  const int outs = min(segment, (image.height - block.first_row + together - 1) / together);
  load_factor(across, filters.across + block.filter * filters.side, filters.side, filters.factor_gain,
              strip.window);
  load_factor(down, filters.down + block.filter * filters.side, filters.side, filters.factor_gain,
              strip.window);
  // BEGIN SOLUTION
  const int column = thread < strip.columns() ? thread : -1, col = block.first_col + thread / channels;
  for (int chunk = 0; chunk < outs + chunks - 1; ++chunk) {
    stage_rows(staged, strip, in + block.channel, image, block.first_row - radius + chunk * together,
               block.first_col - radius);
    __syncthreads();    // waits for these rows, and for those who still filter the ring's columns
    if (column >= 0) {  // along the row: 8 neighbouring pixels of a channel
      const int c = column % channels, y = column / channels % together,
                x = column / channels / together * together;
      const __half* const from = staged + y * strip.pitch() + x * channels + c;
      float results[together] = {};
      filter_window(results, across, strip.window,
                    [&](int first, int k) { return __half2float(from[(first + k) * channels]); });
      __half* const to = ring + (chunk % chunks * together + y) * strip.ring_pitch() + x * channels + c;
#pragma unroll
      for (int i = 0; i < together; ++i) to[i * channels] = __float2half_rn(results[i]);
    }
    __syncthreads();                                                // waits for the ring's new rows
    if (chunk >= chunks - 1 && column >= 0 && col < image.width) {  // down the column: 8 rows
      int at = (chunk + 1) % chunks * together;                     // the window's first row
      float results[together] = {};
      filter_window(results, down, strip.window, [&](int, int k) {
        const float x = __half2float(ring[(at + k) * strip.ring_pitch() + column]);
        if (k == together - 1) at = at + together == strip.window ? 0 : at + together;
        return x;
      });
      const int row = block.first_row + (chunk - chunks + 1) * together;
      unsigned char* const to = out + block.filter * image.bytes() + std::int64_t{row} * image.row() +
                                col * image.channels + block.channel + column % channels;
#pragma unroll
      for (int i = 0; i < together; ++i)
        if (row + i < image.height) to[std::int64_t{i} * image.row()] = gaussian_level(results[i]);
    }
  }
  // STUB (void)in, (void)out, (void)staged, (void)ring, (void)radius, (void)chunks, (void)thread, (void)outs;
  // STUB // For each 8 rows: stage them; wait; filter along them, into the ring; wait; once it is full, filter down
  // STUB // it, out.
  // END SOLUTION
}

void gaussian_separable(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                        ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image)) return;
  gaussian_need_factors(filters);
  // BEGIN SOLUTION
  // STUB warplab::todo(
  // STUB     "gaussian_separable: filter_window, then both passes in the kernel; then delete this call");
  // END SOLUTION
  if (separable_small(in, filters, out, image, stream)) return;
  const auto launch = [&]<int channels>() {
    const auto kernel = gaussian_separable_kernel<channels>;
    int width = threads;  // narrower strips where the ring would be too large
    const auto strip = [&] { return SeparableStrip<channels>::of(width, filters.side); };
    while (width > narrowest && strip().shared_bytes() > much_shared) width /= 2;
    const std::size_t bytes = strip().shared_bytes();
    gaussian_allow_shared(kernel, bytes);
    const std::int64_t blocks =
        warplab::ceil_div(image.width, strip().pixels) * (image.channels / channels) * filters.count;
    const auto [grid, segment] =
        plan_segments(kernel, width, bytes, blocks, image.height, together, strip().window / together);
    kernel<<<grid, width, bytes, stream>>>(in, filters, out, image, strip(), segment);
    CUDA_CHECK_LAUNCH();
  };
  if (image.channels == 4) return launch.template operator()<4>();
  if (image.channels == 3) return launch.template operator()<3>();
  launch.template operator()<1>();
}
