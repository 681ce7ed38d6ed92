// wgmma: four warps multiply from shared memory; filters are the rows, 256 lines of the image the columns.
//
// A product of this size, 64x256x16, reads 10 KB of shared memory for 262,144 multiplications: no operand
// passes through registers. All its 64 rows are used for any number of filters: 8 filters make 8 neighbouring
// outputs each, one makes 64. Its columns are lines of the tile, without swizzle, so the next row of the
// filter is the same descriptor plus `depth`. Bulk copies fill a ring of tables, one per row of the filter,
// while two warpgroups multiply. Results go from registers to memory in words of 4 channels. Small filters
// have a kernel of their own.
// Cost: (F + outputs - 1, rounded up to 16) / F multiplications for one that
// counts; 1.19 at 81x81, 8 filters.
// Stops being good: at small filters, where the matrix is mostly zeros; by then stores take the time.
// Source: PTX ISA 9.0, wgmma; NVIDIA's CUTLASS, whose kernels have such a ring.
#include "common/cuda_check.hpp"
#include "gaussian.hpp"
#include "toeplitz/store.hpp"
#include "toeplitz/tables.hpp"
#include "toeplitz/tile.hpp"
#include "toeplitz/wgmma_plan.hpp"
#include "toeplitz/wgmma_ptx.hpp"
#include "toeplitz/wgmma_small.hpp"

constexpr int warpgroups = 2;

template <int products, int depth, bool long_sums>
__global__ void __launch_bounds__(warpgroups* warpgroup_threads)
    gaussian_toeplitz_wgmma_kernel(ImageReader reader,                 // (height, width, channels)
                                   const __half* __restrict__ tables,  // see ToeplitzTables
                                   unsigned char* __restrict__ out,    // (filters, height, width, channels)
                                   WgmmaPlan plan, int filters, int side, float gain) {
  constexpr int lines = wgmma_lines<long_sums>, rows = warpgroups * lines / depth, blocks = 2 * products;
  constexpr unsigned stage_bytes = blocks * wgmma_block_bytes;
  extern __shared__ __align__(128) unsigned char shared[];
  constexpr unsigned warps = warpgroups * warpgroup_threads / 32;
  __shared__ std::uint64_t filled[WgmmaPlan::max_stages];
  __shared__ unsigned finished[WgmmaPlan::max_stages];
  __half* const tile = reinterpret_cast<__half*>(shared + plan.stages * stage_bytes);

  const ImageShape image = reader.image;
  const int outputs = plan.tables.outputs,
            blocks_across = (image.width + plan.x_tiles * outputs - 1) / (plan.x_tiles * outputs);
  const int channel = static_cast<int>(blockIdx.x) / blocks_across * depth;
  const int first_col = static_cast<int>(blockIdx.x) % blocks_across * plan.x_tiles * outputs;
  const std::int64_t first_row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * rows;
  if (first_row >= image.height) return;

  // A step is a row of the filters, in a part of its columns or for one of the block's x_tiles.
  const int steps = plan.column_parts * plan.x_tiles * side;
  const auto copy_table = [&](int step) {
    const int slot = step % plan.stages, part = plan.x_tiles == 1 ? step / side : 0;
    barrier_expect(&filled[slot], stage_bytes);
    copy_bulk(shared + slot * stage_bytes,
              tables + std::int64_t{step % side} * plan.tables.row_halves() + part * (stage_bytes / 2),
              stage_bytes, &filled[slot]);
  };
  if (threadIdx.x == 0) {
    for (int i = 0; i < plan.stages; ++i) barrier_init(&filled[i], 1), finished[i] = 0;
    fence_for_async();
    for (int i = 0; i < min(plan.stages, steps); ++i) copy_table(i);
  }
  // This warp does not read a step's table any more. The last one to say so has a later one copied there: so
  // a warpgroup may run ahead while the other one stores.
  const auto finish = [&](int step, int slot) {
    if (threadIdx.x % 32 != 0 || step + plan.stages >= steps) return;
    __threadfence_block();
    if (atomicAdd(&finished[slot], 1u) % warps != warps - 1) return;
    __threadfence_block();
    copy_table(step + plan.stages);
  };

  float sums[lines / 2], totals[lines / 2] = {};
  const int warpgroup = threadIdx.x / warpgroup_threads;
  int step = 0, slot = 0, parity = 0;
  for (int part = 0; part < plan.column_parts; ++part)
    for (int row = 0; row < side; row += plan.rows) {
      const int filter_rows = min(plan.rows, side - row);
      if (step > 0) __syncthreads();  // waits until nobody reads the part of the image before
      stage_tile<8, depth>(reader, first_row + row - side / 2,
                           first_col - plan.tables.before + part * (blocks * 8), channel,
                           rows + filter_rows - 1, plan.tile_blocks, plan.lines, tile);
      fence_for_async();
      __syncthreads();  // waits for the tile, and before the first step for the barriers
      for (int x = 0; x < plan.x_tiles; ++x) {
        std::uint64_t lines_at =
            operand_at(tile, 128, plan.lines * 16) + warpgroup * lines + x * (outputs / 8) * plan.lines;
        const bool goes_on = !long_sums && (part > 0 || row > 0);  // else sums start from 0
        for (int i = 0; i < filter_rows; ++i, ++step, lines_at += depth) {
          barrier_wait(&filled[slot], parity);
          const std::uint64_t table_at = operand_at(shared + slot * stage_bytes, 128, wgmma_block_bytes);
          products_begin();
#pragma unroll
          for (int k = 0; k < blocks; k += 2)
            multiply_add(sums, table_at + k * (wgmma_block_bytes / 16), lines_at + k * plan.lines,
                         k > 0 || i > 0 || goes_on);
          products_commit();
          products_wait<1>();
          if (step > 0) finish(step - 1, (slot > 0 ? slot : plan.stages) - 1);
          if (++slot == plan.stages) slot = 0, parity ^= 1;
        }
        products_wait<0>();
        pin(sums);
        if constexpr (long_sums) add_up(totals, sums);
        if (part + 1 < plan.column_parts || row + filter_rows < side) continue;
        store_sums<lines, depth>(long_sums ? totals : sums, out, image, filters, outputs,
                                 first_row + warpgroup * (lines / depth), first_col + x * outputs, channel,
                                 gain);
      }
    }
}

void gaussian_toeplitz_wgmma(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                             void* workspace, ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  auto* const tables = static_cast<__half*>(workspace);
  const auto launch = [&](auto kernel, const auto& plan, int rows, int threads, int depth) {
    build_toeplitz_tables(filters, tables, plan.tables, stream);
    gaussian_allow_shared(kernel, plan.bytes);
    const std::int64_t across = warplab::ceil_div(image.width, plan.x_tiles * plan.tables.outputs);
    const dim3 grid = warplab::grid_in_layers(across * warplab::ceil_div(image.channels, depth),
                                              warplab::ceil_div(image.height, rows));
    kernel<<<grid, threads, plan.bytes, stream>>>(ImageReader(in, image), tables, out, plan, filters.count,
                                                  filters.side, filters.weight_gain);
    CUDA_CHECK_LAUNCH();
  };
  const bool is_small =
      with_small_wgmma_variant(filters, image, [&]<int products, int groups, int depth, int fixed_side>() {
        const SmallWgmmaPlan plan(filters, products, groups, depth);
        launch(gaussian_toeplitz_wgmma_small_kernel<products, groups, depth, fixed_side>, plan,
               SmallWgmmaPlan::rows(groups, depth), groups * warpgroup_threads, depth);
      });
  if (is_small) return;
  with_wgmma_variant(filters, image, [&]<int products, int depth, bool long_sums>() {
    const int rows = warpgroups * wgmma_lines<long_sums> / depth;
    launch(gaussian_toeplitz_wgmma_kernel<products, depth, long_sums>,
           WgmmaPlan(filters, products, rows, depth), rows, warpgroups * warpgroup_threads, depth);
  });
}
