// Both passes as products with banded matrices, by mma; what is between them is never stored.
//
// A warp goes down the image, 16 rows at a time. First pass: T (16 results by 16 tiles inputs) times
// the rows, turned over, gives what is between, turned over too: (16 x, 16 y). Where mma leaves an
// element of a result, it wants that element of a second operand: packed to halves it is one, for T (16
// results down by 16 y). 16 rows reach `tiles` tiles of results, whose sums stay in registers; each
// product writes its sum one tile further up, so the window moves down without a move.
// These sums are halves about the middle level, -128 to 127: half the registers of floats, so that 16 warps
// fit on a multiprocessor, and a rounding by at most 1/32 of a level per tile. Rows are loaded two chunks
// ahead into three slots, so a warp may be a whole chunk ahead of another and still multiplies while others
// stage and store.
// Fixes: separable_wmma's way through shared memory between passes, its loads of T for each product.
// Cost of 16x16 results: 2 tiles products of 16x8x16 per pass; the channels and filters share the staging.
// Stops being good: where `tiles` sums no longer fit the registers, beyond a side of 257.
// Source: NVIDIA, PTX ISA, mma.m16n8k16; the operand that stays is FlashAttention's (Dao 2023).
#include <cstdint>

#include "common/cuda_check.hpp"
#include "common/device/transaction_barrier.hpp"
#include "gaussian.hpp"
#include "separable/band.hpp"
#include "separable/chunk.hpp"
#include "separable/mma_shape.hpp"
#include "separable/planes.hpp"
#include "separable/segments.hpp"

/// The first pass of 16 rows. @param from the lane's part of the first 16 pixels, in shared memory
template <class Shape, class Across>
__device__ void filter_across(Tile (&between)[Shape::strips][2], const Across& across, const __half* from) {
  start_at(between, -byte_offset - middle_level);
#pragma unroll
  for (int k = 0; k < Shape::tiles + Shape::strips - 1; ++k) {
    unsigned pixels[4];  // rows 0 to 7: columns 0 to 7, 8 to 15; rows 8 to 15
    load_matrices(pixels, from + 16 * k);
#pragma unroll
    for (int s = 0; s < Shape::strips; ++s)
#pragma unroll
      for (int y = 0; y < 2; ++y)
        if (k - s >= 0 && k - s < Shape::tiles)
          multiply(between[s][y], across.tile(k - s), pixels[2 * y], pixels[2 * y + 1], between[s][y]);
  }
}

/// The second pass. @param done 16 rows of outputs that got their last share
/// @param sums of the rows that these 16 reach; they move up by 16
template <class Shape, class Down>
__device__ void filter_down(HalfTile (&done)[Shape::strips][2],
                            HalfTile (&sums)[Shape::tiles][Shape::strips][2], const Down& down,
                            const Tile (&between)[Shape::strips][2]) {
  constexpr int tiles = Shape::tiles, strips = Shape::strips;
  unsigned upper[strips][2], lower[strips][2];  // what is between, as an operand: (16 rows, 8 columns) each
#pragma unroll
  for (int s = 0; s < strips; ++s)
#pragma unroll
    for (int x = 0; x < 2; ++x) {
      upper[s][x] = pack_halves(between[s][0].sum[2 * x], between[s][0].sum[2 * x + 1]);
      lower[s][x] = pack_halves(between[s][1].sum[2 * x], between[s][1].sum[2 * x + 1]);
    }
#pragma unroll
  for (int tile = 0; tile < tiles; ++tile) {
    const uint4 part = down.tile(tiles - 1 - tile);
#pragma unroll
    for (int s = 0; s < strips; ++s)
#pragma unroll
      for (int x = 0; x < 2; ++x)
        multiply(tile == 0 ? done[s][x] : sums[tile - 1][s][x], part, upper[s][x], lower[s][x],
                 sums[tile][s][x]);
  }
#pragma unroll
  for (int s = 0; s < strips; ++s) sums[tiles - 1][s][0] = sums[tiles - 1][s][1] = HalfTile{};
}

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    gaussian_separable_mma_kernel(const unsigned char* __restrict__ in, FilterBank filters,
                                  unsigned char* __restrict__ out, ImageShape image, int segment,
                                  bool in_aligned, bool out_aligned) {
  constexpr int tiles = Shape::tiles, strips = Shape::strips, planes = Shape::planes;
  extern __shared__ __align__(16) unsigned char shared[];
  __shared__ std::uint64_t done_with_chunk;
  __half* const staged = reinterpret_cast<__half*>(shared);  // (slots, planes, 16, pitch)
  unsigned char* const finished = shared + Shape::slots * 2 * Shape::plane_halves;
  const MmaLane<Shape> lane;
  const SegmentBlock<planes, Shape::filters> block(filters, image, Shape::pixels, segment * chunk_rows);
  const int radius = filters.radius(), before = staged_before(radius), side = filters.side;
  const int chunks = min(segment, (image.height - block.first_row + chunk_rows - 1) / chunk_rows) + tiles - 1;
  const int filter = min(block.filter + lane.filter, filters.count - 1), first_row = block.first_row - radius;
  const PlaneSource source{in, image, block.channel, block.first_col - before, in_aligned};

  unsigned char* const bands = shared + Shape::slots * Shape::slot_bytes + lane.filter * Shape::band_bytes;
  const auto across = load_band<tiles, 2, Shape::shared_bands>(
      filters.across + filter * side, side, filters.factor_gain,
      2 * lane.quad - lane.spread() - (before - radius), bands, lane.first_of_filter);
  const auto down = load_band<tiles, 8, Shape::shared_bands>(
      filters.down + filter * side, side, filters.factor_gain, 2 * lane.quad - lane.group,
      bands + SharedBand<tiles, 2>::bytes, lane.first_of_filter);
  PlaneRows<planes, Shape::tasks> rows;
  const auto load = [&](int chunk) {
    rows.load(source, first_row + chunk * chunk_rows, Shape::quads, 0, prefetch_to_l2);
  };
  const auto store = [&](int slot) {
    rows.store(staged + slot * Shape::plane_halves, Shape::quads, Shape::pitch, 0);
  };
  const auto outputs_at = [&](int slot) {  // (16, out_pitch) of the filter
    return finished + (slot * Shape::filters + lane.filter) * chunk_rows * Shape::out_pitch;
  };
  const auto write = [&](int chunk, int slot) {
    if (chunk < tiles - 1 || block.filter + lane.filter >= filters.count) return;
    constexpr int team = Shape::threads / Shape::filters;
    write_chunk<planes, Shape::pixels, team>(outputs_at(slot), Shape::out_pitch, out + filter * image.bytes(),
                                             image, block.first_row + (chunk - tiles + 1) * chunk_rows,
                                             block.first_col, block.channel, out_aligned,
                                             static_cast<int>(threadIdx.x) % team);
  };
  if (threadIdx.x == 0) barrier_init(&done_with_chunk, Shape::threads);
  for (int chunk = 0; chunk < 2; ++chunk) {
    load(chunk);
    store(chunk);
  }
  __syncthreads();  // waits for the first rows, for T and for the barrier

  HalfTile sums[tiles][strips][2] = {};   // (16 rows of outputs, 8 columns) each
  int slot = 0, last = Shape::slots - 1;  // the chunk's and that of the one before
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (chunk + 2 < chunks) load(chunk + 2);
    Tile between[strips][2];  // (16 columns, 8 rows) each
    filter_across<Shape>(between, across, staged + slot * Shape::plane_halves + lane.first_pixel());
    HalfTile done[strips][2];
    filter_down<Shape>(done, sums, down, between);
    unsigned char* const mine = outputs_at(slot) + lane.group * Shape::out_pitch + lane.first_level();
#pragma unroll
    for (int s = 0; s < strips; ++s)
#pragma unroll
      for (int y = 0; y < 2; ++y)  // four neighbouring pixels of the lane's row, and of the one 8 below
        *reinterpret_cast<unsigned*>(mine + 8 * y * Shape::out_pitch + s * 16) =
            pack_levels(done[s][0].pair[y], done[s][1].pair[y]);
    // All have done with the chunk before: its rows' place is free, its outputs are there. Nobody waits for
    // this chunk, so a warp may be a chunk ahead of another.
    if (chunk > 0) barrier_wait(&done_with_chunk, (chunk - 1) % 2);
    if (chunk + 2 < chunks) store(last);
    if (chunk > 0) write(chunk - 1, last);
    barrier_arrive(&done_with_chunk);
    last = slot;
    slot = slot + 1 < Shape::slots ? slot + 1 : 0;
  }
  barrier_wait(&done_with_chunk, (chunks - 1) % 2);
  write(chunks - 1, last);
}

void gaussian_separable_mma(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                            ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  gaussian_need_factors(filters);
  with_mma_shape(separable_mma_tiles(filters), image.channels == 4, filters.count > 2, [&]<class Shape>() {
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
