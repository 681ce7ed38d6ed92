// hybrid_fused, whose warps on Tensor Cores take their neighbours through an intermediate matrix.
//
// In wmma_intermediate the whole block fills one matrix and meets at a barrier. Here some warps of the block
// are on CUDA cores and never come to a barrier: so each warp on Tensor Cores has a matrix of its own, which
// its 32 lanes fill and read.
// Cost: that of hybrid_fused; per byte and tap less than a load from global memory, and a load and a store of
// shared memory more. A warp's matrix is filled for 32 bytes instead of 128, so that the values beyond the
// last byte weigh four times as much.
// Stops being good: at once, as in wmma_intermediate: first-level caches answered those loads as fast.
// Source: Chellapilla and others, 2006 (im2col).
#include "common/cuda_check.hpp"
#include "gaussian_hybrid_parts.hpp"
#include "gaussian_intermediate.hpp"

/// Filters this lane's byte on Tensor Cores. @pre all lanes of the warp come here, and the first has a byte
/// @param inter_matrix the warp's own, (pieces, values)
static __device__ void gaussian_byte_through_intermediate(const unsigned char* in, const FilterBank& filters,
                                                          unsigned char* out, const ImageShape& image,
                                                          std::int64_t position, WarpMatrices& of_warp,
                                                          __half* inter_matrix) {
  const int lane = threadIdx.x % wmma_m;
  const IntermediateMatrix inter(image, filters.side, position - lane, wmma_m, lane);
  NeighbourFragment neighbours;
  FilterFragment taps;
  SumFragment sums;
  nvcuda::wmma::fill_fragment(sums, 0.0f);
  for (int first_tap = 0; first_tap < filters.taps(); first_tap += wmma_k) {
    const int down = first_tap / filters.side, right = first_tap % filters.side;
    const int pieces = inter.pieces(down, right);
    for (int piece = 0; piece < pieces; ++piece)
      for (int i = lane; i < inter.values(); i += wmma_m)
        inter_matrix[piece * inter.values() + i] =
            inter.pixel(in, inter.source(i), down + piece, piece == 0 ? right : 0);
    gaussian_fill_filters(of_warp.filter_matrix, wmma_k, filters, first_tap, lane, wmma_m);
    __syncwarp();  // waits for the warp's interMatrix
    IntermediateMatrix::Neighbours neighbour(inter, inter_matrix, pieces, right);
    for (int k = 0; k < wmma_k; ++k) of_warp.local_matrix[lane * wmma_k + k] = neighbour.next();
    __syncwarp();  // waits for the warp's matrices
    nvcuda::wmma::load_matrix_sync(neighbours, of_warp.local_matrix, wmma_k);
    nvcuda::wmma::load_matrix_sync(taps, of_warp.filter_matrix, wmma_k);
    nvcuda::wmma::mma_sync(sums, neighbours, taps, sums);
    __syncwarp();  // waits for all lanes that read them, before they are filled again
  }
  nvcuda::wmma::store_matrix_sync(of_warp.result_matrix, sums, wmma_m, nvcuda::wmma::mem_col_major);
  __syncwarp();  // waits for the warp's results
  if (position < image.bytes())
    gaussian_write_levels(of_warp.result_matrix + lane, wmma_m, filters, out + position, image.bytes());
}

__global__ void __launch_bounds__(threads_per_block) gaussian_hybrid_fused_intermediate_kernel(
    const unsigned char* __restrict__ in,  // (height, width, channels)
    FilterBank filters,                    // weights: (count, side, side)
    unsigned char* __restrict__ out,       // (count, height, width, channels)
    ImageShape image, int share, int values_per_warp) {
  __shared__ WarpMatrices matrices[num_warps];
  extern __shared__ __half inter_matrices[];  // (warps, values_per_warp)
  const std::int64_t position = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t warp = position / warpSize;
  if (warp * warpSize >= image.bytes()) return;
  const int in_block = threadIdx.x / warpSize;
  if (gaussian_is_on_tensor_cores(warp, share))
    gaussian_byte_through_intermediate(in, filters, out, image, position, matrices[in_block],
                                       inter_matrices + in_block * values_per_warp);
  else
    gaussian_byte_on_cuda_cores(in, filters, out, image, position);
}

void gaussian_hybrid_fused_intermediate(const unsigned char* in, const FilterBank& filters,
                                        unsigned char* out, ImageShape image, float balance,
                                        cudaStream_t stream) {
  gaussian_check_balance(balance);
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  const int values = gaussian_intermediate_values(image, filters.side, wmma_m);
  const std::size_t shared = std::size_t{num_warps} * values * sizeof(__half);
  gaussian_allow_shared(gaussian_hybrid_fused_intermediate_kernel, shared);
  gaussian_hybrid_fused_intermediate_kernel<<<gaussian_grid(image, threads_per_block), threads_per_block,
                                              shared, stream>>>(in, filters, out, image,
                                                                gaussian_share(balance), values);
  CUDA_CHECK_LAUNCH();
}
