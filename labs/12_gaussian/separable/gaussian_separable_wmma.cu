// Both passes as matrix products, on Tensor Cores.
//
// 16 neighbouring results are T times the inputs, with T a banded matrix: its row m has the weights
// from column m on. Inputs are side + 15, so few of T's columns are wasted where filters are large. A
// block stages 16 rows of a strip as halves, channel by channel. First pass: rows times T turned over,
// into a ring of rows in shared memory. Second pass: T times the ring. Both give rows. WMMA does not
// tell which element a lane holds: to become halves or bytes, sums go through shared memory.
// Fixes: separable's 2 side products per output; here 256 outputs take side / 16 + 1 products per pass.
// Stops being good: those ways through shared memory, and the loads of both operands of each product,
// take longer than the products (separable_mma). And the ring must fit.
#include <cstdint>

#include "common/cuda_check.hpp"
#include "gaussian.hpp"
#include "separable/chunk.hpp"
#include "separable/planes.hpp"
#include "separable/segments.hpp"
#include "separable/wmma_strip.hpp"

template <class Strip>
__global__ void __launch_bounds__(Strip::threads)
    gaussian_separable_wmma_kernel(const unsigned char* __restrict__ in, FilterBank filters,
                                   unsigned char* __restrict__ out, ImageShape image, Strip strip,
                                   int segment, bool in_aligned, bool out_aligned) {
  constexpr int planes = Strip::planes, pixels = Strip::pixels, strips = Strip::strips;
  constexpr int threads = Strip::threads;
  extern __shared__ __align__(128) unsigned char shared[];
  __half* const across = reinterpret_cast<__half*>(shared);     // (16, band_pitch)
  __half* const down = across + tile * strip.band_pitch();      // (16, band_pitch)
  __half* const staged = down + tile * strip.band_pitch();      // (planes, 16, pitch)
  __half* const ring = staged + planes * tile * strip.pitch();  // (planes, 16 tiles, ring_pitch)
  float* const scratches = reinterpret_cast<float*>(ring + planes * tile * strip.tiles * strip.ring_pitch());
  unsigned char* const finished =
      reinterpret_cast<unsigned char*>(scratches + Strip::warps * tile * scratch_pitch);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, plane = warp % planes,
            first_strip = warp / planes * strips;
  const SegmentBlock<planes> block(filters, image, pixels, segment * tile);
  const int radius = filters.radius(), before = staged_before(radius), tiles = strip.tiles;
  const PlaneSource source{in, image, block.channel, block.first_col - before, in_aligned};
  fill_band(across, strip.band_pitch(), filters.across + block.filter * filters.side, filters.side,
            filters.factor_gain, before - radius);
  fill_band(down, strip.band_pitch(), filters.down + block.filter * filters.side, filters.side, 1, 0);
  __half* const rows = staged + plane * tile * strip.pitch() + first_strip * tile;
  __half* const columns = ring + plane * tile * tiles * strip.ring_pitch() + first_strip * tile;
  float* const scratch = scratches + warp * tile * scratch_pitch;
  wmma::fragment<wmma::matrix_a, tile, tile, tile, __half, wmma::row_major> left;
  const int chunks = min(segment, (image.height - block.first_row + tile - 1) / tile) + tiles - 1;
  for (int chunk = 0; chunk <= chunks; ++chunk) {
    for (int task = 0; chunk < chunks && task < tile * strip.quads(); task += loads_at_once * threads) {
      PlaneRows<planes, loads_at_once> some;
      some.load(source, block.first_row - radius + chunk * tile, strip.quads(), task,
                [](const unsigned char*) {});
      some.store(staged, strip.quads(), strip.pitch(), task);
    }
    __syncthreads();  // waits for the rows, for the ring's readers, and for the outputs of the chunk before
    if (chunk >= tiles)
      write_chunk<planes, pixels, threads>(finished, strip.out_pitch(), out + block.filter * image.bytes(),
                                           image, block.first_row + (chunk - tiles) * tile, block.first_col,
                                           block.channel, out_aligned, threadIdx.x);
    if (chunk == chunks) break;
    Sums sums[strips];
#pragma unroll
    for (int s = 0; s < strips; ++s) wmma::fill_fragment(sums[s], -byte_offset);
    for (int k = 0; k < tiles; ++k) {  // rows times T transposed
      wmma::fragment<wmma::matrix_b, tile, tile, tile, __half, wmma::col_major> band;
      wmma::load_matrix_sync(band, across + k * tile, strip.band_pitch());
#pragma unroll
      for (int s = 0; s < strips; ++s) {
        wmma::load_matrix_sync(left, rows + (s + k) * tile, strip.pitch());
        wmma::mma_sync(sums[s], left, band, sums[s]);
      }
    }
    float own[8];
#pragma unroll
    for (int s = 0; s < strips; ++s) {
      spread_sums(own, sums[s], scratch);
      store_halves(
          columns + (chunk % tiles * tile + lane % 16) * strip.ring_pitch() + s * tile + lane / 16 * 8, own);
      wmma::fill_fragment(sums[s], 0.0f);
    }
    __syncthreads();                   // waits for what all warps wrote to the ring
    if (chunk < tiles - 1) continue;   // it is not full yet
    for (int k = 0; k < tiles; ++k) {  // T times the ring, from its oldest rows on
      wmma::load_matrix_sync(left, down + k * tile, strip.band_pitch());
      const __half* const from = columns + (chunk + 1 + k) % tiles * tile * strip.ring_pitch();
#pragma unroll
      for (int s = 0; s < strips; ++s) {
        wmma::fragment<wmma::matrix_b, tile, tile, tile, __half, wmma::row_major> right;
        wmma::load_matrix_sync(right, from + s * tile, strip.ring_pitch());
        wmma::mma_sync(sums[s], left, right, sums[s]);
      }
    }
#pragma unroll
    for (int s = 0; s < strips; ++s) {
      spread_sums(own, sums[s], scratch);
      store_levels(finished + lane % 16 * strip.out_pitch() + plane * pixels + (first_strip + s) * tile +
                       lane / 16 * 8,
                   own, filters.factor_gain);
    }
  }
}

void gaussian_separable_wmma(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                             ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  gaussian_need_factors(filters);
  const int tiles = (staged_before(filters.radius()) + filters.radius() + 2 * tile - 1) / tile;
  const auto launched = [&]<class Strip>(Strip strip, std::size_t max_shared) {
    strip.tiles = tiles;
    const auto kernel = gaussian_separable_wmma_kernel<Strip>;
    const std::size_t bytes = strip.shared_bytes();
    if (bytes > max_shared) return false;
    gaussian_allow_shared(kernel, bytes);
    const std::int64_t blocks =
        warplab::ceil_div(image.width, Strip::pixels) * (image.channels / Strip::planes) * filters.count;
    const auto [grid, segment] =
        plan_segments(kernel, Strip::threads, bytes, blocks, image.height, tile, tiles);
    kernel<<<grid, Strip::threads, bytes, stream>>>(in, filters, out, image, strip, segment,
                                                    planes_aligned<Strip::planes>(in, image),
                                                    chunks_aligned<Strip::planes>(out, image));
    CUDA_CHECK_LAUNCH();
    return true;
  };
  constexpr std::size_t most = 226 * 1024, any = ~std::size_t{0};  // the last is refused if it does not fit
  const bool four = image.channels == 4;
  if (four && (launched(WmmaStrip<4, 64, 2>{}, most) || launched(WmmaStrip<4, 32, 1>{}, most))) return;
  if (launched(WmmaStrip<1, 256, 2>{}, most) || launched(WmmaStrip<1, 128, 1>{}, most)) return;
  if (!launched(WmmaStrip<1, 64, 1>{}, most)) launched(WmmaStrip<1, 32, 1>{}, any);
}
