// One kernel in which some warps use Tensor Cores, the others CUDA cores, at the same time.
//
// The warps of the grid are numbered, and of every 1 / balance of them one takes Tensor Cores: the share is
// right for the whole image, and both kinds of warps are side by side everywhere. A warp goes one way as a
// whole, so the branch costs nothing. Neither way has a barrier, which the other's warps would not come to.
// Cost: that of im2col for a part of the bytes, that of cuda_cores_float for the rest, at the same time.
// Stops being good: at any balance. Both ways wait for the same caches and the same issue of instructions,
// and Tensor Cores are idle anyway while lanes lay out neighbours: the better unit by itself is faster.
// Source: NVIDIA, CUDA C++ Programming Guide, Warp Matrix Functions.
#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "gaussian_hybrid_parts.hpp"

__global__ void __launch_bounds__(threads_per_block)
    gaussian_hybrid_fused_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                                 FilterBank filters,                    // weights: (count, side, side)
                                 unsigned char* __restrict__ out,       // (count, height, width, channels)
                                 ImageShape image, int share) {
  // BEGIN SOLUTION
  __shared__ WarpMatrices matrices[num_warps];
  const std::int64_t position = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (gaussian_is_on_tensor_cores(position / warpSize, share))
    gaussian_byte_on_tensor_cores(in, filters, out, image, position, matrices[threadIdx.x / warpSize]);
  else
    gaussian_byte_on_cuda_cores(in, filters, out, image, position);
  // STUB // Which warp of the grid am I? Do I take Tensor Cores? A warp goes one way as a whole.
  // END SOLUTION
}

void gaussian_hybrid_fused(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                           ImageShape image, float balance, cudaStream_t stream) {
  gaussian_check_balance(balance);
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  // BEGIN SOLUTION
  const dim3 grid = gaussian_grid(image, threads_per_block);
  gaussian_hybrid_fused_kernel<<<grid, threads_per_block, 0, stream>>>(in, filters, out, image,
                                                                       gaussian_share(balance));
  // STUB warplab::todo("gaussian_hybrid_fused: write the byte on each unit, the warps' shares, and launch");
  // END SOLUTION
  CUDA_CHECK_LAUNCH();
}
