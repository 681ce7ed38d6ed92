#pragma once

#include "toeplitz/store.hpp"
#include "toeplitz/tables.hpp"
#include "toeplitz/tile.hpp"
#include "toeplitz/wgmma_plan.hpp"
#include "toeplitz/wgmma_ptx.hpp"

// Small filters by wgmma. All their tables stay in shared memory beside the tile; a product takes 128 lines
// of it. Stores take about as long as products, so a multiprocessor holds four warpgroups that wait for
// different things: four blocks of one, or two blocks of two where four copies of the tables would leave no
// room for tiles.

/// How a block divides its part of the image, for filters whose tables are all in shared memory.
struct SmallWgmmaPlan {
  static constexpr int lines_of_product = 128;
  ToeplitzTables tables;
  int x_tiles;      ///< that a block makes one after the other, from one tile
  int tile_blocks;  ///< of 8 columns
  int lines;        ///< of the tile's column blocks
  int bytes;        ///< of shared memory: the tables, then the tile

  __host__ __device__ static constexpr int rows(int warpgroups, int depth) {
    return warpgroups * lines_of_product / depth;
  }

  SmallWgmmaPlan(const FilterBank& bank, int products, int warpgroups, int depth)
      : tables(bank, 8, 8, wgmma_outputs(bank), 2 * products) {
    // An odd number: the same line of neighbouring column blocks lies in different banks.
    lines = (rows(warpgroups, depth) + bank.side - 1) * depth | 1;
    for (x_tiles = 8; x_tiles > 0; x_tiles /= 2) {
      tile_blocks = 2 * products + (x_tiles - 1) * tables.outputs / 8;
      bytes = bank.side * 2 * products * wgmma_block_bytes + lines * tile_blocks * 16;
      if (bytes <= (227 * warpgroups / 4 - 2) * 1024) return;  // less what barriers and the system take
    }
  }
};

/// Calls run<products, warpgroups, depth, fixed_side>() for filters that are small enough; fixed_side is
/// their side, or 0 where the loop over it is not unrolled. @return whether they are small enough
template <class Run>
bool with_small_wgmma_variant(const FilterBank& bank, const ImageShape& image, Run&& run) {
  const int products = wgmma_products(bank);
  const auto with_depth = [&]<int products, int warpgroups, int fixed_side>() {
    if (image.channels == 1)
      run.template operator()<products, warpgroups, 1, fixed_side>();
    else
      run.template operator()<products, warpgroups, 4, fixed_side>();
    return true;
  };
  const int depth = image.channels == 1 ? 1 : 4;
  if ((bank.side > 13 && products > 2) || SmallWgmmaPlan(bank, products, 2, depth).x_tiles == 0) return false;
  const bool alone = SmallWgmmaPlan(bank, products, 1, depth).x_tiles >= 4;
  if (products == 1 && alone) {
    if (bank.side == 3) return with_depth.template operator()<1, 1, 3>();
    if (bank.side == 5) return with_depth.template operator()<1, 1, 5>();
    if (bank.side == 7) return with_depth.template operator()<1, 1, 7>();
    if (bank.side == 9) return with_depth.template operator()<1, 1, 9>();
  }
  if (products == 2 && alone) return with_depth.template operator()<2, 1, 0>();
  if (products == 1) return with_depth.template operator()<1, 2, 0>();
  if (products == 2) return with_depth.template operator()<2, 2, 0>();
  if (products == 3) return with_depth.template operator()<3, 2, 0>();
  if (products == 5) return with_depth.template operator()<5, 2, 0>();
  return false;
}

template <int products, int warpgroups, int depth, int fixed_side>
__global__ void __launch_bounds__(warpgroups* warpgroup_threads, 4 / warpgroups)
    gaussian_toeplitz_wgmma_small_kernel(
        ImageReader reader,                 // (height, width, channels)
        const __half* __restrict__ tables,  // see ToeplitzTables
        unsigned char* __restrict__ out,    // (filters, height, width, channels)
        SmallWgmmaPlan plan, int filters, int any_side, float gain) {
  constexpr int lines = SmallWgmmaPlan::lines_of_product, rows = SmallWgmmaPlan::rows(warpgroups, depth);
  constexpr int blocks = 2 * products, row_bytes = blocks * wgmma_block_bytes;
  const int side = fixed_side > 0 ? fixed_side : any_side;
  extern __shared__ __align__(128) unsigned char shared[];
  __shared__ std::uint64_t filled;
  __half* const tile = reinterpret_cast<__half*>(shared + side * row_bytes);

  const ImageShape image = reader.image;
  const int outputs = plan.tables.outputs, columns = plan.x_tiles * outputs;
  const int blocks_across = (image.width + columns - 1) / columns;
  const int channel = static_cast<int>(blockIdx.x) / blocks_across * depth;
  const int first_col = static_cast<int>(blockIdx.x) % blocks_across * columns;
  const std::int64_t first_row = (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * rows;
  if (first_row >= image.height) return;

  if (threadIdx.x == 0) {
    barrier_init(&filled, 1);
    fence_for_async();
    barrier_expect(&filled, side * row_bytes);
    copy_bulk(shared, tables, side * row_bytes, &filled);
  }
  stage_tile<8, depth>(reader, first_row - side / 2, first_col - plan.tables.before, channel, rows + side - 1,
                       plan.tile_blocks, plan.lines, tile);
  fence_for_async();
  __syncthreads();  // waits for the tile and for the barrier
  barrier_wait(&filled, 0);

  const int warpgroup = threadIdx.x / warpgroup_threads;
  const std::uint64_t first_lines = operand_at(tile, 128, plan.lines * 16) + warpgroup * lines;
  const std::uint64_t first_table = operand_at(shared, 128, wgmma_block_bytes);
  float sums[lines / 2];
  for (int x = 0; x < plan.x_tiles; ++x) {
    std::uint64_t lines_at = first_lines + x * (outputs / 8) * plan.lines, table_at = first_table;
    products_begin();
#pragma unroll
    for (int row = 0; row < side; ++row, lines_at += depth, table_at += row_bytes / 16)
#pragma unroll
      for (int k = 0; k < blocks; k += 2)
        multiply_add(sums, table_at + k * (wgmma_block_bytes / 16), lines_at + k * plan.lines,
                     row > 0 || k > 0);
    products_commit();
    products_wait<0>();
    pin(sums);
    store_sums<lines, depth>(sums, out, image, filters, outputs, first_row + warpgroup * (lines / depth),
                             first_col + x * outputs, channel, gain);
  }
}
