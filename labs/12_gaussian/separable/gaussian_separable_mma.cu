// Both passes as products with banded matrices, by mma; what is between them is never stored.
//
// A warp goes down the image, 16 rows at a time. First pass: T (16 results by 16 tiles inputs) times
// the rows, turned over, gives what is between, turned over too: (16 x, 16 y). Where mma leaves an
// element of a result, it wants that element of a second operand: packed to halves it is one, for T (16
// results down by 16 y). 16 rows reach `tiles` tiles of results, whose sums stay in registers; each
// product writes its sum one tile further up, so the window moves down without a move.
// Fixes: separable_wmma's way through shared memory between passes, its loads of T for each product.
// Cost of 16x16 results: 2 tiles products of 16x8x16 a pass, and the staging, shared by channels.
// Stops being good: where `tiles` sums no longer fit the registers, beyond a side of 257.
// Source: NVIDIA, PTX ISA, mma.m16n8k16; the operand that stays is FlashAttention's (Dao 2023).
#include <cstdint>

#include "common/cuda_check.hpp"
#include "gaussian.hpp"
#include "separable/band.hpp"
#include "separable/chunk.hpp"
#include "separable/mma_shape.hpp"
#include "separable/planes.hpp"
#include "separable/segments.hpp"

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    gaussian_separable_mma_kernel(const unsigned char* __restrict__ in, FilterBank filters,
                                  unsigned char* __restrict__ out, ImageShape image, int segment,
                                  bool in_aligned, bool out_aligned) {
  constexpr int tiles = Shape::tiles, strips = Shape::strips, planes = Shape::planes;
  extern __shared__ __align__(16) unsigned char shared[];
  __half* const staged = reinterpret_cast<__half*>(shared);          // (2, planes, 16, pitch)
  unsigned char* const finished = shared + 4 * Shape::plane_halves;  // (2, filters, 16, out_pitch)
  unsigned char* const bands = finished + 2 * Shape::filters * chunk_rows * Shape::out_pitch;  // T, if shared
  const MmaLane<Shape> lane;
  const SegmentBlock<planes, Shape::filters> block(filters, image, Shape::pixels, segment * chunk_rows);
  const int radius = filters.radius(), before = staged_before(radius), side = filters.side;
  const int chunks = min(segment, (image.height - block.first_row + chunk_rows - 1) / chunk_rows) + tiles - 1;
  const int filter = min(block.filter + lane.filter, filters.count - 1), first_row = block.first_row - radius;
  const PlaneSource source{in, image, block.channel, block.first_col - before, in_aligned};

  const auto across =
      load_band<tiles, 2, Shape::shared_bands>(filters.across + filter * side, side, filters.factor_gain,
                                               2 * lane.quad - lane.spread() - (before - radius),
                                               bands + lane.filter * 512 * tiles, lane.first_of_filter);
  const auto down = load_band<tiles, 8, Shape::shared_bands>(
      filters.down + filter * side, side, 1, 2 * lane.quad - lane.group,
      bands + (Shape::filters + lane.filter) * 512 * tiles, lane.first_of_filter);
  PlaneRows<planes, Shape::tasks> rows;
  const auto load = [&](int chunk) {
    rows.load(source, first_row + chunk * chunk_rows, Shape::quads, 0, prefetch_to_l2);
  };
  const auto store = [&](int chunk) {
    rows.store(staged + chunk % 2 * Shape::plane_halves, Shape::quads, Shape::pitch, 0);
  };
  load(0);
  store(0);
  __syncthreads();  // waits for the first rows

  Tile sums[tiles][strips][2] = {};  // (16 rows of outputs, 8 columns) each
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (chunk + 1 < chunks) load(chunk + 1);
    Tile between[strips][2];  // (16 columns, 8 rows) each
    start_at(between, -byte_offset);
    const __half* const from = staged + chunk % 2 * Shape::plane_halves + lane.first_pixel();
#pragma unroll
    for (int k = 0; k < tiles + strips - 1; ++k) {
      unsigned pixels[4];  // rows 0 to 7: columns 0 to 7, 8 to 15; rows 8 to 15
      load_matrices(pixels, from + 16 * k);
#pragma unroll
      for (int s = 0; s < strips; ++s)
#pragma unroll
        for (int y = 0; y < 2; ++y)
          if (k - s >= 0 && k - s < tiles)
            multiply(between[s][y], across.tile(k - s), pixels[2 * y], pixels[2 * y + 1], between[s][y]);
    }
    unsigned upper[strips][2], lower[strips][2];  // what is between, as an operand: (16 rows, 8 columns) each
    Tile done[strips][2];
#pragma unroll
    for (int tile = 0; tile < tiles; ++tile) {
      const uint4 part = down.tile(tiles - 1 - tile);
#pragma unroll
      for (int s = 0; s < strips; ++s)
#pragma unroll
        for (int x = 0; x < 2; ++x) {
          if (tile == 0) {
            upper[s][x] = pack_halves(between[s][0].sum[2 * x], between[s][0].sum[2 * x + 1]);
            lower[s][x] = pack_halves(between[s][1].sum[2 * x], between[s][1].sum[2 * x + 1]);
          }
          multiply(tile == 0 ? done[s][x] : sums[tile - 1][s][x], part, upper[s][x], lower[s][x],
                   sums[tile][s][x]);
          if (tile == tiles - 1) sums[tile][s][x] = Tile{};
        }
    }
    unsigned char* const ready =
        finished + (chunk % 2 * Shape::filters + lane.filter) * chunk_rows * Shape::out_pitch;
    unsigned char* const mine = ready + lane.group * Shape::out_pitch + lane.first_level();
#pragma unroll
    for (int s = 0; s < strips; ++s)
#pragma unroll
      for (int y = 0; y < 2; ++y)  // four neighbouring pixels of the lane's row, and of the one 8 below
        *reinterpret_cast<unsigned*>(mine + 8 * y * Shape::out_pitch + s * 16) =
            pack_levels(done[s][0].sum + 2 * y, done[s][1].sum + 2 * y, filters.factor_gain);
    if (chunk + 1 < chunks) store(chunk + 1);
    __syncthreads();  // waits for the rows to come, and for the outputs that are written now
    if (chunk >= tiles - 1 && block.filter + lane.filter < filters.count) {
      constexpr int team = Shape::threads / Shape::filters;
      write_chunk<planes, Shape::pixels, team>(ready, Shape::out_pitch, out + filter * image.bytes(), image,
                                               block.first_row + (chunk - tiles + 1) * chunk_rows,
                                               block.first_col, block.channel, out_aligned,
                                               static_cast<int>(threadIdx.x) % team);
    }
  }
}

void gaussian_separable_mma(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                            ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  gaussian_need_factors(filters);
  with_mma_shape(separable_mma_tiles(filters), image.channels == 4, filters.count > 1, [&]<class Shape>() {
    constexpr int planes = Shape::planes;
    const auto kernel = gaussian_separable_mma_kernel<Shape>;
    gaussian_allow_shared(kernel, Shape::shared_bytes);
    const std::int64_t blocks = warplab::ceil_div(image.width, Shape::pixels) * (image.channels / planes) *
                                warplab::ceil_div(filters.count, Shape::filters);
    const auto [grid, segment] = plan_segments(kernel, Shape::threads, Shape::shared_bytes, blocks,
                                               image.height, chunk_rows, Shape::tiles);
    kernel<<<grid, Shape::threads, Shape::shared_bytes, stream>>>(in, filters, out, image, segment,
                                                                  planes_aligned<planes>(in, image),
                                                                  chunks_aligned<planes>(out, image));
    CUDA_CHECK_LAUNCH();
  });
}
