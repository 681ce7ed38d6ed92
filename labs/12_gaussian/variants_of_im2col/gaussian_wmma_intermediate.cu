// The neighbours of a block come through an intermediate matrix: each is loaded from global memory
// once per slice.
//
// In im2col a lane loads all its 16 neighbours itself, and the lanes beside it load most of them again. Here
// the block's threads together load what 16 taps need, side by side: as many values as there are bytes and a
// few more for each piece of a filter row, as halves in interMatrix. After a barrier each lane picks its 16
// neighbours there and lays them in local_matrix as before.
// Cost per byte and tap, for filters of 16 and more columns and 4 channels: 1/8 to 1/4 of a load from global
// memory instead of one, and of the clamping; a load from shared memory more.
// Stops being good: at once. First-level caches had answered those loads as fast as shared memory answers
// these. And a lane's row begins 32 bytes after its neighbour's: eight of them want the same bank.
// Source: Chellapilla and others, 2006 (im2col), which keeps the whole matrix.
#include "common/cuda_check.hpp"
#include "gaussian_intermediate.hpp"

namespace wmma = nvcuda::wmma;

/// What a block has in shared memory, as annex C lays it out. The intermediate matrix follows.
struct __align__(32) SharedMatrices {
  __half local_matrices[num_warps][wmma_m * wmma_k];  ///< one lane per row
  __half filter_matrix[wmma_n * wmma_k];              ///< one filter per column
  float result_matrices[num_warps][wmma_n * wmma_m];  ///< one filter per column
};

__global__ void __launch_bounds__(threads_per_block)
    gaussian_wmma_intermediate_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                                      FilterBank filters,                    // weights: (count, side, side)
                                      unsigned char* __restrict__ out,  // (count, height, width, channels)
                                      ImageShape image) {
  extern __shared__ SharedMatrices shared[];
  const int lane = threadIdx.x % wmma_m, warp = threadIdx.x / wmma_m;
  __half* const local_matrix = shared->local_matrices[warp];
  __half* const filter_matrix = shared->filter_matrix;
  float* const result_matrix = shared->result_matrices[warp];
  __half* const inter_matrix = reinterpret_cast<__half*>(shared + 1);  // (pieces, values)
  const std::int64_t position = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const IntermediateMatrix inter = IntermediateMatrix::of_block(image, filters.side);
  NeighbourFragment neighbours;
  FilterFragment taps;
  SumFragment sums;
  wmma::fill_fragment(sums, 0.0f);
  for (int first_tap = 0; first_tap < filters.taps(); first_tap += wmma_k) {
    const int down = first_tap / filters.side, right = first_tap % filters.side;
    const int pieces = inter.pieces(down, right);
    for (int piece = 0; piece < pieces; ++piece)
      for (int i = threadIdx.x; i < inter.values(); i += threads_per_block)
        inter_matrix[piece * inter.values() + i] =
            inter.pixel(in, inter.source(i), down + piece, piece == 0 ? right : 0);
    gaussian_fill_filters(filter_matrix, wmma_k, filters, first_tap, threadIdx.x, threads_per_block);
    __syncthreads();  // waits for interMatrix and filter_matrix from the whole block
    IntermediateMatrix::Neighbours neighbour(inter, inter_matrix, pieces, right);
    for (int k = 0; k < wmma_k; ++k) local_matrix[lane * wmma_k + k] = neighbour.next();
    __syncwarp();  // waits for the warp's local_matrix
    wmma::load_matrix_sync(neighbours, local_matrix, wmma_k);
    wmma::load_matrix_sync(taps, filter_matrix, wmma_k);
    wmma::mma_sync(sums, neighbours, taps, sums);
    __syncthreads();  // waits for all who read the matrices, before they are filled again
  }
  wmma::store_matrix_sync(result_matrix, sums, wmma_m, wmma::mem_col_major);
  __syncwarp();  // waits for the warp's results
  if (position < image.bytes())
    gaussian_write_levels(result_matrix + lane, wmma_m, filters, out + position, image.bytes());
}

void gaussian_wmma_intermediate(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                                ImageShape image, cudaStream_t stream) {
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  const std::size_t shared =
      sizeof(SharedMatrices) + gaussian_intermediate_values(image, filters.side) * sizeof(__half);
  gaussian_allow_shared(gaussian_wmma_intermediate_kernel, shared);
  gaussian_wmma_intermediate_kernel<<<gaussian_grid(image, threads_per_block), threads_per_block, shared,
                                      stream>>>(in, filters, out, image);
  CUDA_CHECK_LAUNCH();
}
