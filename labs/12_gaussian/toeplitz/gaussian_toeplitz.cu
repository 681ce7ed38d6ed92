// A row of a filter as a banded (Toeplitz) matrix: nothing is copied out, and one filter fills the matrix.
//
// im2col multiplies a row of neighbourhoods by a column per filter: every byte is copied F * F times, and 8
// filters fill 8 columns. Here the image itself is the operand. 16 lines of 16 pixels are in shared
// memory as they are in the image, in half; they are multiplied by a table whose column x is a filter's
// row moved down by x places. So a product makes 16 neighbouring outputs of 16 lines. Each row of the
// filter adds one: the same pixels a row further down, times the next table. A small kernel builds the
// tables, in order.
// Cost: (F + 15, rounded up to 16) / F multiplications for one that counts (1.19 at 81x81), and F / 16 of
// the copies. Two products use a table, `filters` products use the lines loaded.
// Stops being good: where all threads wait for the next tables to come, twice per row of the filter.
#include "common/cuda_check.hpp"
#include "gaussian.hpp"
#include "toeplitz/wmma.hpp"

using namespace nvcuda;

template <int filters, int depth, bool long_sums>
__global__ void __launch_bounds__(wmma_warps * 32, 1)
    gaussian_toeplitz_kernel(ImageReader reader,                 // (height, width, channels)
                             const __half* __restrict__ tables,  // see ToeplitzTables
                             unsigned char* __restrict__ out,    // (count, height, width, channels)
                             WmmaPlan plan, int count, int side, float gain) {
  extern __shared__ __align__(128) unsigned char shared[];
  __half* const table = reinterpret_cast<__half*>(shared);  // (part_blocks, filters, 16, 16)
  __half* const tile = table + plan.table_halves;           // (tile_blocks, lines, 16)
  const ImageShape image = reader.image;
  const int x_tiles = (image.width + 15) / 16, warp = threadIdx.x / 32;
  const int channel = static_cast<int>(blockIdx.x) / x_tiles * depth;
  const int first_col = static_cast<int>(blockIdx.x) % x_tiles * 16;
  const std::int64_t first_row =
      (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * (lines_per_block / depth);
  if (first_row >= image.height) return;
  const std::int64_t row_of_warp = first_row + warp * (lines_per_warp / depth);
  const bool has_rows = row_of_warp < image.height;

  SumsMatrix sums[2][filters], totals[2][filters];
  clear(sums), clear(totals);

  for (int block = 0; block < plan.tables.blocks; block += plan.part_blocks)
    for (int row = 0; row < side; row += plan.part_rows) {
      const int blocks = min(plan.part_blocks, plan.tables.blocks - block);
      const int rows = min(plan.part_rows, side - row);
      stage_tile<16, depth>(reader, first_row + row - side / 2, first_col - plan.tables.before + block * 16,
                            channel, lines_per_block / depth + rows - 1, blocks, plan.lines, tile);
      for (int i = 0; i < rows; ++i) {
        const uint4* from = reinterpret_cast<const uint4*>(
            tables + std::int64_t{row + i} * plan.tables.row_halves() + block * plan.tables.block_halves());
        for (int j = threadIdx.x; j < blocks * plan.tables.block_halves() / 8; j += wmma_warps * 32)
          reinterpret_cast<uint4*>(table)[j] = from[j];
        __syncthreads();  // waits for this row's tables, and at first for the tile
        for (int k = 0; has_rows && k < blocks; ++k) {
          const __half* lines = tile + (k * plan.lines + warp * lines_per_warp + i * depth) * 16;
          LinesMatrix upper, lower;
          wmma::load_matrix_sync(upper, lines, 16);
          wmma::load_matrix_sync(lower, lines + 16 * 16, 16);
#pragma unroll
          for (int f = 0; f < filters; ++f) {
            TableMatrix of_filter;
            wmma::load_matrix_sync(of_filter, table + (k * filters + f) * 16 * 16, 16);
            wmma::mma_sync(sums[0][f], upper, of_filter, sums[0][f]);
            wmma::mma_sync(sums[1][f], lower, of_filter, sums[1][f]);
          }
        }
        __syncthreads();  // waits until nobody reads these tables and, after the last row, the tile
      }
      if constexpr (long_sums) add_up(totals, sums);
    }

  if (!has_rows) return;
  float* const scratch = reinterpret_cast<float*>(shared) + warp * scratch_floats;
#pragma unroll
  for (int f = 0; f < filters; ++f)
#pragma unroll
    for (int m = 0; m < 2 && f < count; ++m)
      store_lines<depth>(long_sums ? totals[m][f] : sums[m][f], scratch, out + f * image.bytes(), image,
                         row_of_warp + m * (16 / depth), first_col, channel, gain);
}

void gaussian_toeplitz(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                       void* workspace, ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  auto* const tables = static_cast<__half*>(workspace);
  with_wmma_variant(filters, image,
                    [&]<int held, int depth, bool long_sums>(const FilterBank& bank, int first) {
                      const WmmaPlan plan(bank, depth, 16, 16, 1, 1);
                      build_toeplitz_tables(bank, tables, plan.tables, stream);
                      const auto kernel = gaussian_toeplitz_kernel<held, depth, long_sums>;
                      gaussian_allow_shared(kernel, plan.bytes);
                      kernel<<<plan.grid(image, depth), wmma_warps * 32, plan.bytes, stream>>>(
                          ImageReader(in, image), tables, out + first * image.bytes(), plan, bank.count,
                          bank.side, bank.weight_gain);
                      CUDA_CHECK_LAUNCH();
                    });
}
