// Tensor Cores: a warp multiplies the neighbourhoods of 32 bytes by up to 8 filters, 16 taps at a time.
//
// Each lane lays 16 neighbours of its byte in a row of local_matrix (32x16), the block lays 16 taps of each
// filter in a column of filter_matrix (16x8), and mma_sync adds their product to the sums (32x8). A filter of
// 9x9 takes six such slices; the last one has 15 taps that are 0. Columns without a filter are 0 too: eight
// filters take as long as one.
// Cost per byte and tap, for up to 8 filters: a pixel loaded, made a half and stored in shared memory, by one
// lane; 1/16 of loading two fragments; 1/512 of a product that takes a few cycles.
// Stops being good: with one filter, where 7/8 of the product is of zeros; and always, since a warp needs
// some twenty instructions to lay out 32 neighbours, which Tensor Cores multiply in less than a cycle.
// Source: Chellapilla and others, High performance convolutional neural networks, 2006 (im2col).
#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "gaussian_im2col.hpp"

namespace wmma = nvcuda::wmma;

/// Fills filter_matrix, column by column, with 16 taps from `first_tap` on. The whole block calls it.
__device__ inline void fill_filter_matrix(__half* matrix,  // (8 filters, 16 taps)
                                          const FilterBank& filters, int first_tap) {
  const int taps = static_cast<int>(filters.taps());  // at most 1023^2, and eight times that are an int still
  // BEGIN SOLUTION
  for (int i = threadIdx.x; i < wmma_n * wmma_k; i += blockDim.x) {
    const int filter = i / wmma_k, tap = first_tap + i % wmma_k;
    const bool is_there = filter < filters.count && tap < taps;
    __half weight = __float2half(0.0f);
    if (is_there) weight = filters.weights[filter * taps + tap];
    matrix[i] = weight;
  }
  // STUB // Task 4: this is one filter, in column 0. Fill a column for each; a column or row without a filter or tap
  // STUB // must be 0.
  // STUB for (int i = threadIdx.x; i < wmma_n * wmma_k; i += blockDim.x)
  // STUB   matrix[i] = i < wmma_k && first_tap + i < taps ? filters.weights[first_tap + i] : __float2half(0.0f);
  // END SOLUTION
}

/// Writes a byte's level for each filter, a plane of the output each.
__device__ inline void write_levels(const float* sums,   // (8 filters, 32 bytes), from this lane's byte on
                                    unsigned char* out,  // (count, plane), from this lane's byte on
                                    const FilterBank& filters, std::int64_t plane) {
  // BEGIN SOLUTION
  for (int filter = 0; filter < filters.count; ++filter)
    out[filter * plane] = gaussian_level(sums[filter * wmma_m] * filters.weight_gain);
  // STUB (void)plane;  // Task 4: this is the first filter's plane. Write one for each.
  // STUB out[0] = gaussian_level(sums[0] * filters.weight_gain);
  // END SOLUTION
}

__global__ void __launch_bounds__(threads_per_block)
    gaussian_wmma_im2col_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                                FilterBank filters,                    // weights: (count, side, side)
                                unsigned char* __restrict__ out,       // (count, height, width, channels)
                                ImageShape image) {
  __shared__ __align__(32) __half local_matrices[num_warps][wmma_m * wmma_k];  // one lane per row
  __shared__ __align__(32) __half filter_matrix[wmma_n * wmma_k];              // one filter per column
  __shared__ __align__(32) float result_matrices[num_warps][wmma_n * wmma_m];  // one filter per column
  const int lane = threadIdx.x % wmma_m;
  __half* const local_matrix = local_matrices[threadIdx.x / wmma_m];
  float* const result_matrix = result_matrices[threadIdx.x / wmma_m];
  // BEGIN SOLUTION
  const std::int64_t position = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // A lane past the end must not leave: fragments are the whole warp's, and barriers the block's.
  const BytePlace place = gaussian_place(min(position, image.bytes() - 1), image);
  const int radius = filters.radius();
  int down = -radius, right = -radius;
  NeighbourFragment neighbours;
  FilterFragment taps;
  SumFragment sums;
  wmma::fill_fragment(sums, 0.0f);
  for (int first_tap = 0; first_tap < filters.taps(); first_tap += wmma_k) {
    fill_filter_matrix(filter_matrix, filters, first_tap);
    for (int k = 0; k < wmma_k; ++k) {
      // Past the last tap this is some pixel still, and its weight 0.
      local_matrix[lane * wmma_k + k] = __ushort2half_rn(gaussian_neighbour(in, image, place, down, right));
      if (++right > radius) right = -radius, ++down;
    }
    __syncthreads();  // waits for filter_matrix from the whole block, and local_matrix from the warp
    wmma::load_matrix_sync(neighbours, local_matrix, wmma_k);
    wmma::load_matrix_sync(taps, filter_matrix, wmma_k);
    wmma::mma_sync(sums, neighbours, taps, sums);
    __syncthreads();  // waits for all who read them, before they are filled again
  }
  wmma::store_matrix_sync(result_matrix, sums, wmma_m, wmma::mem_col_major);
  __syncwarp();  // waits for the warp's results
  if (position < image.bytes()) write_levels(result_matrix + lane, out + position, filters, image.bytes());
  // STUB // Task 3, with one filter. Find your byte; lanes past the end take the last one, and write nothing.
  // STUB // For each 16 taps: fill_filter_matrix; lay your 16 neighbours in row `lane` of local_matrix; wait for
  // STUB // the block; load both matrices (stride wmma_k), multiply and add; wait before they are filled again.
  // STUB // Then store the sums by columns (stride wmma_m), wait for the warp, and write_levels.
  // STUB (void)lane, (void)local_matrix, (void)result_matrix, (void)&filter_matrix;
  // END SOLUTION
}

void gaussian_wmma_im2col(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                          ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  const dim3 grid = gaussian_grid(image, threads_per_block);
  // BEGIN SOLUTION
  gaussian_wmma_im2col_kernel<<<grid, threads_per_block, 0, stream>>>(in, filters, out, image);
  CUDA_CHECK_LAUNCH();
  // STUB (void)grid, (void)stream;
  // STUB warplab::todo(
  // STUB     "gaussian_wmma_im2col: neighbours in rows, filters in columns, 16 taps at a time; launch here");
  // END SOLUTION
}
