// Two kernels one after the other: the first blocks of the image on Tensor Cores, the rest on CUDA cores.
//
// The caller's stream runs the first kernel, then the second. `initial_block` is the block of the image at
// which the second one begins. The host waits for neither.
// Cost: as hybrid_fused for each byte; a launch more.
// Stops being good: at any balance. While one kernel runs, the other unit is idle: the time is the sum of
// both, where hybrid_fused at least has both units at work.
// Source: NVIDIA, CUDA C++ Programming Guide, Streams and Warp Matrix Functions.
#include "common/cuda_check.hpp"
#include "common/todo.hpp"
#include "gaussian_hybrid_parts.hpp"

__global__ void __launch_bounds__(threads_per_block)
    gaussian_two_kernels_tensor_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                                       FilterBank filters,                    // weights: (count, side, side)
                                       unsigned char* __restrict__ out,  // (count, height, width, channels)
                                       ImageShape image) {
  // BEGIN SOLUTION
  __shared__ WarpMatrices matrices[num_warps];
  const std::int64_t position = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  gaussian_byte_on_tensor_cores(in, filters, out, image, position, matrices[threadIdx.x / warpSize]);
  // STUB // All warps of this grid take Tensor Cores.
  // END SOLUTION
}

__global__ void __launch_bounds__(threads_per_block)
    gaussian_two_kernels_cuda_kernel(const unsigned char* __restrict__ in,  // (height, width, channels)
                                     FilterBank filters,                    // weights: (count, side, side)
                                     unsigned char* __restrict__ out,  // (count, height, width, channels)
                                     ImageShape image, std::int64_t initial_block) {
  // BEGIN SOLUTION
  const std::int64_t position = (blockIdx.x + initial_block) * blockDim.x + threadIdx.x;
  gaussian_byte_on_cuda_cores(in, filters, out, image, position);
  // STUB // Block 0 of this grid is block initial_block of the image.
  // END SOLUTION
}

void gaussian_hybrid_two_kernels(const unsigned char* in, const FilterBank& filters, unsigned char* out,
                                 ImageShape image, float balance, cudaStream_t stream) {
  gaussian_check_balance(balance);
  if (!gaussian_has_work(in, out, filters, image, max_tensor_filters)) return;
  // BEGIN SOLUTION
  const unsigned blocks = gaussian_grid(image, threads_per_block).x;
  const auto on_tensor_cores = static_cast<unsigned>(double{balance} * blocks);
  if (on_tensor_cores > 0) {  // a grid of 0 blocks is an error in CUDA
    gaussian_two_kernels_tensor_kernel<<<on_tensor_cores, threads_per_block, 0, stream>>>(in, filters, out,
                                                                                          image);
    CUDA_CHECK_LAUNCH();
  }
  if (on_tensor_cores < blocks) {
    gaussian_two_kernels_cuda_kernel<<<blocks - on_tensor_cores, threads_per_block, 0, stream>>>(
        in, filters, out, image, on_tensor_cores);
    CUDA_CHECK_LAUNCH();
  }
  // STUB warplab::todo("gaussian_hybrid_two_kernels: share out the blocks, and launch a kernel for each unit");
  // END SOLUTION
}
