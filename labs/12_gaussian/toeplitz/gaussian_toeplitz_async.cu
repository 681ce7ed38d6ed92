// The same products; the next row's tables come meanwhile, and no two lines meet in a bank.
//
// Two buffers take turns: __pipeline_memcpy_async copies the next row's tables past the registers, and one
// barrier per row is left of two. Lines and tables are 48 bytes apart instead of 32, so the eight lines
// that a warp loads at once lie in different banks. (Not the lines of an image of one channel: wmma wants
// addresses that are multiples of 32, and there the next row is the next line.) And where filters are few,
// a warp makes up to four matrices of neighbouring outputs: lines once loaded serve all of them.
// Cost: as before; a table of 768 bytes loaded for two products, lines of 768 bytes for up to 8.
// Stops being good: below the Tensor Cores' full rate. A warp's products take operands from registers, and
// these come through loads. wgmma takes them from shared memory.
// Source: CUDA C++ Programming Guide, "Asynchronous Data Copies".
#include <cuda_pipeline.h>

#include "common/cuda_check.hpp"
#include "gaussian.hpp"
#include "toeplitz/wmma.hpp"

using namespace nvcuda;

constexpr int padded = 24;  // halves from line to line

template <int filters, int x_tiles, int depth, bool long_sums>
__global__ void __launch_bounds__(wmma_warps * 32, 1)
    gaussian_toeplitz_async_kernel(ImageReader reader,                 // (height, width, channels)
                                   const __half* __restrict__ tables,  // see ToeplitzTables
                                   unsigned char* __restrict__ out,    // (count, height, width, channels)
                                   WmmaPlan plan, int count, int side, float gain) {
  constexpr int pitch = depth == 4 ? padded : 16;
  static_assert(depth * pitch * 2 % 32 == 0, "wmma wants addresses that are multiples of 32 bytes");
  extern __shared__ __align__(128) unsigned char shared[];
  __half* const table = reinterpret_cast<__half*>(shared);  // (2, part_blocks, filters, 16, padded)
  __half* const tile = table + 2 * plan.table_halves;       // (tile_blocks, lines, pitch)
  const ImageShape image = reader.image;
  const int blocks_across = (image.width + 16 * x_tiles - 1) / (16 * x_tiles), warp = threadIdx.x / 32;
  const int channel = static_cast<int>(blockIdx.x) / blocks_across * depth;
  const int first_col = static_cast<int>(blockIdx.x) % blocks_across * 16 * x_tiles;
  const std::int64_t first_row =
      (std::int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * (lines_per_block / depth);
  if (first_row >= image.height) return;
  const std::int64_t row_of_warp = first_row + warp * (lines_per_warp / depth);
  const bool has_rows = row_of_warp < image.height;

  constexpr int columns = x_tiles * filters;  // of matrices
  SumsMatrix sums[2][columns], totals[2][columns];
  clear(sums), clear(totals);

  for (int block = 0; block < plan.tables.blocks; block += plan.part_blocks)
    for (int row = 0; row < side; row += plan.part_rows) {
      const int blocks = min(plan.part_blocks, plan.tables.blocks - block);
      const int rows = min(plan.part_rows, side - row);
      const auto copy_tables = [&](int i) {
        const __half* from =
            tables + std::int64_t{row + i} * plan.tables.row_halves() + block * plan.tables.block_halves();
        __half* const to = table + i % 2 * plan.table_halves;
        for (int j = threadIdx.x * 8; j < blocks * plan.tables.block_halves(); j += wmma_warps * 32 * 8)
          __pipeline_memcpy_async(to + j, from + j, 16);
        __pipeline_commit();
      };
      copy_tables(0);
      stage_tile<16, depth, pitch>(
          reader, first_row + row - side / 2, first_col - plan.tables.before + block * 16, channel,
          lines_per_block / depth + rows - 1, blocks + x_tiles - 1, plan.lines, tile);
      for (int i = 0; i < rows; ++i) {
        __pipeline_wait_prior(0);
        __syncthreads();  // waits for the tables of row i, at first for the tile, and until row i - 1 is done
        if (i + 1 < rows) copy_tables(i + 1);
        for (int k = 0; has_rows && k < blocks + x_tiles - 1; ++k) {
          const __half* lines = tile + (k * plan.lines + warp * lines_per_warp + i * depth) * pitch;
          LinesMatrix upper, lower;
          wmma::load_matrix_sync(upper, lines, pitch);
          wmma::load_matrix_sync(lower, lines + 16 * pitch, pitch);
#pragma unroll
          for (int x = 0; x < x_tiles; ++x) {
            if (k - x < 0 || k - x >= blocks) continue;
            const __half* of_row = table + i % 2 * plan.table_halves + (k - x) * (filters * 16 * padded);
#pragma unroll
            for (int f = 0; f < filters; ++f) {
              TableMatrix of_filter;
              wmma::load_matrix_sync(of_filter, of_row + f * (16 * padded), padded);
              wmma::mma_sync(sums[0][x * filters + f], upper, of_filter, sums[0][x * filters + f]);
              wmma::mma_sync(sums[1][x * filters + f], lower, of_filter, sums[1][x * filters + f]);
            }
          }
        }
      }
      if constexpr (long_sums) add_up(totals, sums);
      __syncthreads();  // waits until nobody reads the tile or its tables
    }

  if (!has_rows) return;
  float* const scratch = reinterpret_cast<float*>(shared) + warp * scratch_floats;
#pragma unroll
  for (int j = 0; j < columns; ++j)
#pragma unroll
    for (int m = 0; m < 2 && j % filters < count; ++m)
      store_lines<depth>(long_sums ? totals[m][j] : sums[m][j], scratch, out + j % filters * image.bytes(),
                         image, row_of_warp + m * (16 / depth), first_col + j / filters * 16, channel, gain);
}

void gaussian_toeplitz_async(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                             void* workspace, ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  auto* const tables = static_cast<__half*>(workspace);
  with_wmma_variant(filters, image,
                    [&]<int held, int depth, bool long_sums>(const FilterBank& bank, int first) {
                      constexpr int x_tiles = std::min(4, (long_sums ? 4 : 8) / held);
                      const WmmaPlan plan(bank, depth, depth == 4 ? padded : 16, padded, 2, x_tiles);
                      build_toeplitz_tables(bank, tables, plan.tables, stream);
                      const auto kernel = gaussian_toeplitz_async_kernel<held, x_tiles, depth, long_sums>;
                      gaussian_allow_shared(kernel, plan.bytes);
                      kernel<<<plan.grid(image, depth), wmma_warps * 32, plan.bytes, stream>>>(
                          ImageReader(in, image), tables, out + first * image.bytes(), plan, bank.count,
                          bank.side, bank.weight_gain);
                      CUDA_CHECK_LAUNCH();
                    });
}
