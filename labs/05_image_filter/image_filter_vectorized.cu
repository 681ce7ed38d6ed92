// 16 bytes of a row per thread, down a band of rows, and bytes added two at a time.
//
// A warp holds 512 bytes of a row: each lane its 16, and its neighbours' by shuffles. It loads the rows of
// its band, all on their way at once, and goes down them with sums that slide: what a row contributes to the
// outputs above, here and below is worked out once. A block's warps lie above one another, so that 18 rows
// serve 16. Now memory is fast enough to see the arithmetic: a byte is a quarter of a float's traffic and all
// of its work. So the mean and the sharpen filter of bytes add 16-bit numbers in pairs (image_filter_sums).
// Cost per element of the mean of bytes: 2.5 / 16 of a load or store, about ten instructions; nearly a copy.
// Stops being good: where rows do not start at multiples of 16 bytes (lanes exchange bytes, which costs a
// third more instructions), and for filters of other sizes than 3x3 (image_filter_wide: one multiply-add per
// instruction, as before).
// Source of the sliding sums: M. J. McDonnell, "Box-Filtering Techniques", 1981.
#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "common/vector16.hpp"
#include "image_filter_rows.hpp"
#include "image_filter_sums.hpp"
#include "image_filter_wide.hpp"

constexpr int warps = 4;            // of a block, above one another
constexpr int rows_per_thread = 4;  // of a band: two more are loaded

// On a multiprocessor: what their registers leave room for, 56 or 72 per thread, and 80 for AnyFilter's sums.
template <class Filter, bool aligned>
constexpr int blocks_at_a_time = aligned ? 9 : 7;
template <int channels, bool aligned>
constexpr int blocks_at_a_time<AnyFilter<ByteRow<channels>>, aligned> = 6;

template <class Row, class Filter, bool aligned>
__global__ void __launch_bounds__(32 * warps, blocks_at_a_time<Filter, aligned>)
    image_filter_vectorized_kernel(const typename Row::Element* __restrict__ in,  // (height, width, channels)
                                   const float* __restrict__ filter,              // (3, 3)
                                   typename Row::Element* __restrict__ out,       // (height, width, channels)
                                   FilteredImage image) {
  // BEGIN SOLUTION
  constexpr int inputs = rows_per_thread + 2;
  const int n = image.row_elements();
  const int block = static_cast<int>(blockIdx.z * gridDim.y + blockIdx.y);
  const int warp = aligned ? static_cast<int>(threadIdx.y) : warplab::same_in_warp(threadIdx.y);
  const int first_y = (block * warps + warp) * rows_per_thread;
  if (first_y >= image.height) return;  // the whole warp
  const auto place =
      warplab::row_place<Row, aligned>(blockIdx.x * 32 + threadIdx.x, n, image.height, image.border);
  const int edge = image.border == warplab::Border::untouched ? 1 : 0;  // pixels that are not stored

  // The rows of the image that the band reads, one more on either side: what the border puts there, -1 for 0.
  const bool zero = image.border == warplab::Border::zero;
  const int inward = image.border == warplab::Border::reflect && image.height > 1 ? 1 : 0;
  const int above = zero ? -1 : inward, below = zero ? -1 : image.height - 1 - inward;
  warplab::LoadedRow<Row> loaded[inputs];
#pragma unroll
  for (int i = 0; i < inputs; ++i) {
    const int y = first_y - 1 + i;
    const int row = i == 0 && first_y == 0 ? above : y >= image.height ? below : y;
    loaded[i] = warplab::load_row<Row, aligned>(in, row, place);
  }

  Filter sums(filter);
  Row before{};
#pragma unroll
  for (int i = 0; i < inputs; ++i) {
    const Row row = warplab::complete_row<Row, aligned>(loaded[i], place);
    const typename Row::Vector filtered = before.with_alpha_of_this(sums.step(row));
    const int y = first_y - 2 + i;  // the output that input i completes
    if (i >= 2 && y >= edge && y < image.height - edge)
      warplab::store_row<Row, aligned>(filtered, out + std::int64_t{y} * n, place, edge * Row::channels,
                                       n - edge * Row::channels);
    before = row;
  }
  // STUB // 1. Which place in a row is mine (row_place), and which band of rows? Only whole warps may leave.
  // STUB // 2. Load all inputs of the band: its rows and one more on either side, or what the border puts there.
  // STUB // 3. For each input: complete_row, then a step of the filter. From the third input on that gives a row of
  // STUB //    the output: put back its alpha and store it. With the border rule `untouched`, a pixel at either end
  // STUB //    of the row is left out, and so are the first and the last row.
  // END SOLUTION
}

template <class T>
void image_filter_vectorized(const T* in, const float* filter, T* out, FilteredImage image,
                             cudaStream_t stream) {
  if (!image_filter_has_work(in, out, image)) return;
  const bool aligned = warplab::rows_start_at_16_bytes(in, out, image.row_elements());
  const std::int64_t blocks_down = warplab::ceil_div(image.height, warps * rows_per_thread);
  // BEGIN SOLUTION
  if (image.radius != 1) {
    const dim3 wide_block(32, 8);
    const dim3 wide_grid = warplab::grid_in_layers(warplab::ceil_div(image.width, wide_block.x),
                                                   warplab::ceil_div(image.height, wide_block.y * wide_rows));
    warplab::with_border(image.border, [&]<warplab::Border border>() {
      image_filter_wide_kernel<T, border><<<wide_grid, wide_block, 0, stream>>>(in, filter, out, image);
    });
    CUDA_CHECK_LAUNCH();
    return;
  }
  const dim3 block(32, warps);
  const auto launch_rows = [&]<class Row, class Filter, bool at_16_bytes>() {
    const unsigned across = warplab::RowShare<Row, at_16_bytes>::warps(image.row_elements());
    image_filter_vectorized_kernel<Row, Filter, at_16_bytes>
        <<<warplab::grid_in_layers(across, blocks_down), block, 0, stream>>>(in, filter, out, image);
    CUDA_CHECK_LAUNCH();
  };
  const auto launch = [&]<class Row, class Filter>() {
    if (aligned)
      launch_rows.template operator()<Row, Filter, true>();
    else
      launch_rows.template operator()<Row, Filter, false>();
  };
  with_channels(image.channels, [&]<int channels>() {
    if constexpr (sizeof(T) == sizeof(float)) {
      using Row = FloatRow<channels>;
      launch.template operator()<Row, AnyFilter<Row>>();
    } else {
      using Row = ByteRow<channels>;
      if (image.kind == FilterKind::mean)
        launch.template operator()<Row, MeanOfBytes<Row>>();
      else if (image.kind == FilterKind::sharpen)
        launch.template operator()<Row, SharpenBytes<Row>>();
      else
        launch.template operator()<Row, AnyFilter<Row>>();
    }
  });
  // STUB (void)aligned, (void)blocks_down;
  // STUB // Radius 1: ByteRow or FloatRow with the channels (with_channels()), the filter's class of
  // STUB // image_filter_sums.hpp, and `aligned`. Else the kernel of image_filter_wide.hpp, whose grid is smaller.
  // STUB warplab::todo("image_filter_vectorized: rows of 16 bytes per thread, sums that slide down; launch here");
  // END SOLUTION
}

template void image_filter_vectorized(const unsigned char*, const float*, unsigned char*, FilteredImage,
                                      cudaStream_t);
template void image_filter_vectorized(const float*, const float*, float*, FilteredImage, cudaStream_t);
